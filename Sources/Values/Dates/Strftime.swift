/// Patterns of strftime, which many expect where Unicode's are read.
enum Strftime {
  /// Nil for a text that is none; the pattern that says the same, where there is one.
  ///
  /// A text is one when each of its letters stands behind a `%`, and there are two at least.
  static func pattern(for text: String) -> String?? {
    var pattern: String? = ""
    var (isDirective, directives) = (false, 0)
    for letter in text {
      if isDirective {
        directives += 1
        isDirective = false
        guard let known = known[letter] else {
          pattern = nil
          continue
        }
        pattern?.append(known)
      } else if letter == "%" {
        isDirective = true
      } else if letter.isASCII && letter.isLetter && letter != "T" {
        return nil
      } else {
        pattern?.append(letter == "T" ? "'T'" : String(letter))
      }
    }
    return directives > 1 && !isDirective ? .some(pattern) : nil
  }

  private static let known: [Character: String] = [
    "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "e": "d", "j": "DDD", "H": "HH", "I": "hh", "M": "mm", "S": "ss",
    "f": "SSSSSS", "p": "a", "z": "Z", "Z": "z", "a": "EEE", "A": "EEEE", "b": "MMM", "B": "MMMM", "F": "yyyy-MM-dd",
    "T": "HH:mm:ss",
  ]
}
