extension Redactor {
  /// Text from outside for a message: control characters and marks of direction become `?`, and what is beyond the
  /// limit is cut.
  package static func printable(_ text: String, limit: Int) -> String {
    var out = String.UnicodeScalarView()
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == limit {
        out.append("…")
        break
      }
      out.append(isHarmless(scalar) ? scalar : "?")
    }
    return String(out)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
