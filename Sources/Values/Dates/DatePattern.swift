/// A date pattern of Unicode TR35 (`yyyy-MM-dd HH:mm:ss`), compiled: it reads texts and writes dates.
///
/// Reading is strict: `MM` is two digits, `M` one or two, `yyyy` four, `SSS` three; names are English, in any letter
/// case, whole or of three letters; the whole text must be used. Years of two digits from 69 on are 19xx, others 20xx.
package struct DatePattern: Sendable, Hashable {
  package let text: String
  let elements: [Element]

  enum Element: Sendable, Hashable {
    case literal([UInt8])
    case field(Field, width: Int)
  }

  enum Field: UInt8, CaseIterable, Sendable {
    case year, month, day, dayOfYear, weekday, halfDay
    /// `h` 1–12, `H` 0–23, `K` 0–11, `k` 1–24.
    case hour12, hour24, hour11, hour24From1
    case minute, second, fraction
    /// `Z`, `X`, `x`, `z`
    case offsetZ, offsetX, offsetLowerX, zoneName
  }

  /// Why a text is no pattern, or does not fit.
  package struct Fault: Error, Sendable, Hashable {
    /// The fact: lower case, no full stop.
    package var message: String
    package var hint: String?
  }

  /// Throws when a letter is not a pattern letter, is repeated too often, or a quote is not closed.
  package init(_ text: String) throws(Fault) {
    self.text = text
    if let meant = Strftime.pattern(for: text) {
      throw Fault(message: "'\(text)' is a pattern of strftime", hint: meant.map { "write '\($0)'" })
    }
    elements = try DatePatternReader.read(Array(text.utf8))
  }

  func has(_ fields: Field...) -> Bool {
    elements.contains { if case .field(let field, _) = $0 { fields.contains(field) } else { false } }
  }

  var hasHour: Bool { has(.hour11, .hour12, .hour24, .hour24From1) }
  var hasDay: Bool { has(.year) && ((has(.month) && has(.day)) || has(.dayOfYear)) }
}

/// Cuts a pattern into its elements.
enum DatePatternReader {
  static func read(_ text: [UInt8]) throws(DatePattern.Fault) -> [DatePattern.Element] {
    var elements: [DatePattern.Element] = []
    var at = 0
    while at < text.count {
      let byte = text[at]
      if byte == UInt8(ascii: "'") {
        append(try quoted(text, &at), to: &elements)
      } else if byte.isASCIILetter {
        var width = 1
        while at + width < text.count, text[at + width] == byte { width += 1 }
        elements.append(try field(byte, width))
        at += width
      } else {
        append([byte], to: &elements)
        at += 1
      }
    }
    return elements
  }

  private static func append(_ literal: [UInt8], to elements: inout [DatePattern.Element]) {
    if case .literal(let before)? = elements.last {
      elements[elements.count - 1] = .literal(before + literal)
    } else if !literal.isEmpty {
      elements.append(.literal(literal))
    }
  }

  /// `'T'` is T, `''` is one quote, also within quotes.
  private static func quoted(_ text: [UInt8], _ at: inout Int) throws(DatePattern.Fault) -> [UInt8] {
    let quote = UInt8(ascii: "'")
    at += 1
    if at < text.count, text[at] == quote {
      at += 1
      return [quote]
    }
    var literal: [UInt8] = []
    while at < text.count {
      if text[at] == quote {
        guard at + 1 < text.count, text[at + 1] == quote else {
          at += 1
          return literal
        }
        at += 1
      }
      literal.append(text[at])
      at += 1
    }
    throw DatePattern.Fault(message: "a quote in the date pattern is not closed", hint: "two quotes are one: ''")
  }

  private static let letters: [(letter: Character, field: DatePattern.Field, widths: ClosedRange<Int>)] = [
    ("y", .year, 1...4), ("u", .year, 1...4), ("M", .month, 1...4), ("L", .month, 1...4), ("d", .day, 1...2),
    ("D", .dayOfYear, 1...3), ("E", .weekday, 1...4), ("a", .halfDay, 1...3), ("h", .hour12, 1...2),
    ("H", .hour24, 1...2), ("K", .hour11, 1...2), ("k", .hour24From1, 1...2), ("m", .minute, 1...2),
    ("s", .second, 1...2), ("S", .fraction, 1...9), ("Z", .offsetZ, 1...5), ("X", .offsetX, 1...5),
    ("x", .offsetLowerX, 1...5), ("z", .zoneName, 1...4),
  ]

  private static func field(_ byte: UInt8, _ width: Int) throws(DatePattern.Fault) -> DatePattern.Element {
    let letter = Character(Unicode.Scalar(byte))
    guard let known = letters.first(where: { $0.letter == letter }) else {
      throw DatePattern.Fault(
        message: "'\(letter)' is no letter of date patterns",
        hint: hint(for: letter) ?? "to mean the letter itself, quote it: '\(letter)'")
    }
    // Three letters and more of a year of `y` are four digits; `yyy` would be none of both.
    guard known.widths.contains(width), !(known.field == .year && width == 3) else {
      let letters = String(repeating: letter, count: min(width, 20))
      throw DatePattern.Fault(message: "'\(letters)' is no field of date patterns", hint: nil)
    }
    return .field(known.field, width: width)
  }

  private static func hint(for letter: Character) -> String? {
    switch letter {
    case "Y": "the year is yyyy; YYYY is the year of ISO weeks"
    case "n", "f", "F": "digits of a fraction of a second are S: SSS for milliseconds"
    case "t", "p", "A", "P": "AM and PM are the letter a"
    case "V", "v", "O": "offsets are Z, X or x"
    default: nil
    }
  }
}
