/// Names of what a schema makes up itself: none is taken twice, and none is longer than PostgreSQL keeps.
struct PostgresNames {
  /// Bytes. PostgreSQL cuts longer ones off, whatever they then collide with.
  static let longest = 63

  private var taken: Set<[UInt8]> = []

  mutating func take(_ name: String) { taken.insert(Array(name.utf8)) }

  /// The parts joined by `_`, shortened, with a number behind it where another thing has the name.
  mutating func fresh(_ parts: [String]) -> String {
    let whole = parts.joined(separator: "_")
    var name = Self.shortened(whole, to: Self.longest)
    var number = 2
    // Ends: there are fewer names than numbers.
    while !taken.insert(Array(name.utf8)).inserted {
      let ending = "_\(number)"
      name = Self.shortened(whole, to: Self.longest - ending.utf8.count) + ending
      number += 1
    }
    return name
  }

  /// The beginning, and a sum of the whole, so that names which begin alike stay apart.
  private static func shortened(_ name: String, to limit: Int) -> String {
    guard name.utf8.count > limit else { return name }
    let sum = name.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(sum, radix: 16)
    let ending = "_" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    var kept = ""
    var length = ending.utf8.count
    for scalar in name.unicodeScalars {
      length += UTF8.width(scalar)
      if length > limit { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + ending
  }
}
