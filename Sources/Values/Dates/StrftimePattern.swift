/// Patterns as `strftime` has them (`%d/%m/%Y`), which other tools take: told apart, and said in letters of date patterns.
enum StrftimePattern {
  private static let fields: [Character: String] = [
    "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "e": "d", "H": "HH", "I": "hh", "M": "mm", "S": "ss", "f": "SSSSSS",
    "L": "SSS", "N": "SSSSSSSSS", "p": "a", "P": "a", "z": "Z", "Z": "z", "b": "MMM", "h": "MMM", "B": "MMMM",
    "a": "EEE", "A": "EEEE", "j": "DDD", "F": "yyyy-MM-dd", "D": "MM/dd/yy", "T": "HH:mm:ss", "R": "HH:mm",
    "c": "EEE MMM d HH:mm:ss yyyy", "%": "%",
  ]

  /// Nil when the text is no such pattern: nothing in it is a `%` with a letter behind.
  static func fault(in text: String) -> DatePattern.Fault? {
    let letters = Array(text)
    guard zip(letters, letters.dropFirst()).contains(where: { $0 == "%" && $1.isASCII && $1.isLetter }) else {
      return nil
    }
    let hint = translation(of: letters).map { "write '\($0)'" }
    return DatePattern.Fault(
      message: "'\(text)' is a pattern of strftime",
      hint: hint ?? "the letters are those of Unicode, as yyyy-MM-dd HH:mm:ss; 'epoch_s' is a number of seconds")
  }

  /// Nil when something in it has no letter.
  private static func translation(of letters: [Character]) -> String? {
    if letters.elementsEqual("%s") { return "epoch_s" }
    var (pattern, literal) = ("", "")
    func close() {
      if !literal.isEmpty { pattern += "'\(literal)'" }
      literal = ""
    }
    var rest = letters[...]
    while let letter = rest.popFirst() {
      if letter == "%" {
        var name = rest.popFirst()
        // `%-d` has no zero in front.
        let isShort = name == "-"
        if isShort { name = rest.popFirst() }
        guard let name, var field = fields[name] else { return nil }
        if isShort { field = String(Set(field).count == 1 ? field.prefix(1) : field[...]) }
        close()
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
}
