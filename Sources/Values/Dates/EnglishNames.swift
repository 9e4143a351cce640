/// English names of months and weekdays, in any letter case.
enum EnglishNames {
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  private static let monthBytes = lowercased(months)
  private static let weekdayBytes = lowercased(weekdays)

  private static func lowercased(_ names: [String]) -> [[UInt8]] { names.map { $0.utf8.map(\.lowercasedASCII) } }

  /// 1 is January. A name is whole (`July`) or its first three letters (`Jul`).
  static func month(_ word: Bytes) -> Int? { number(of: word, in: monthBytes) }

  /// 1 is Monday.
  static func weekday(_ word: Bytes) -> Int? { number(of: word, in: weekdayBytes) }

  private static func number(of word: Bytes, in names: [[UInt8]]) -> Int? {
    guard word.count >= 3 else { return nil }
    for (index, name) in names.enumerated() where word.count == 3 || word.count == name.count {
      if zip(word, name).allSatisfy({ $0.lowercasedASCII == $1 }) { return index + 1 }
    }
    return nil
  }
}
