/// Patterns as `strftime` has them (`%d/%m/%Y`), which other tools take: told apart, and said in letters of date patterns.
package enum StrftimePattern {
  /// Names of the C locale. `%z` is `xx`: as Python does, it writes `+0200`, and reads `+0200`, `+02:00` and `Z`.
  private static let fields: [Character: String] = [
    "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "e": "d", "H": "HH", "k": "H", "I": "hh", "l": "h", "M": "mm",
    "S": "ss", "f": "SSSSSS", "L": "SSS", "N": "SSSSSSSSS", "p": "a", "P": "a", "z": "xx", "Z": "z", "b": "MMM",
    "h": "MMM", "B": "MMMM", "a": "EEE", "A": "EEEE", "j": "DDD", "F": "yyyy-MM-dd", "D": "MM/dd/yy",
    "x": "MM/dd/yy", "T": "HH:mm:ss", "X": "HH:mm:ss", "R": "HH:mm", "r": "hh:mm:ss a",
    "c": "EEE MMM d HH:mm:ss yyyy", "%": "%",
  ]

  /// Fields that have a form without zeros in front, `%-d`.
  private static let short: [Character: String] = [
    "m": "M", "d": "d", "H": "H", "I": "h", "M": "m", "S": "s", "j": "D",
  ]

  /// Nil when the text is no such pattern: nothing in it is a `%` with a letter, or a flag and a letter, behind.
  static func fault(in text: String) -> DatePattern.Fault? {
    let letters = Array(text)
    let isOne = letters.indices.contains { index in
      guard letters[index] == "%" else { return false }
      let rest = letters[(index + 1)...]
      let name = rest.first.map { "-_:".contains($0) || $0.isNumber } == true ? rest.dropFirst().first : rest.first
      return name.map { $0.isASCII && $0.isLetter } ?? false
    }
    guard isOne else { return nil }
    let hint = pattern(of: text).map { "write '\($0)'" }
    return DatePattern.Fault(
      message: "'\(text)' is a pattern of strftime",
      hint: hint ?? "the letters are those of Unicode, as yyyy-MM-dd HH:mm:ss; 'epoch_s' is a number of seconds")
  }

  /// The date pattern that says the same, or `epoch_s`; nil when something in it has no letter.
  package static func pattern(of text: String) -> String? {
    if text.utf8.elementsEqual("%s".utf8) { return "epoch_s" }
    var (pattern, literal) = ("", "")
    func close() {
      // Two quotes are one, within quotes and without.
      let isQuoted = literal.contains { $0 != "'" }
      pattern += isQuoted ? "'\(literal)'" : literal
      literal = ""
    }
    var rest = text[...]
    while let letter = rest.popFirst() {
      if letter == "%" {
        guard let field = field(&rest) else { return nil }
        close()
        // Side by side they would be one field.
        if let last = pattern.last, last == field.first, last.isLetter { return nil }
        pattern += field
      } else if letter.isLetter || letter == "'" {
        literal += letter == "'" ? "''" : String(letter)
      } else {
        close()
        pattern.append(letter)
      }
    }
    close()
    return pattern
  }

  /// What stands behind a `%`.
  private static func field(_ rest: inout Substring) -> String? {
    guard let name = rest.popFirst() else { return nil }
    switch name {
    case "-": return rest.popFirst().flatMap { short[$0] }
    case "_": return rest.popFirst().flatMap { $0 == "f" || $0 == "N" ? nil : short[$0] }
    case ":": return rest.popFirst() == "z" ? "xxx" : nil
    case "1"..."9":
      guard let unit = rest.popFirst(), "fNL".contains(unit), let width = name.wholeNumberValue else { return nil }
      return String(repeating: "S", count: width)
    default: return fields[name]
    }
  }
}
