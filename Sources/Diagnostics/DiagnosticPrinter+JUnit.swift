extension DiagnosticPrinter {
  /// JUnit XML: a suite for each mapping, in it a case for the mapping itself and one for each of its tests.
  ///
  /// A case has one failure at most, since many readers show no second one: its text holds all that was found. Warnings
  /// are no failure, unless they are denied; then they are told apart by the failure's type.
  package static func junit(
    _ mappings: [CheckedMapping], by command: String = "ingest validate", denyingWarnings: Bool = false
  ) -> String {
    let suites = mappings.map { Suite($0, denyingWarnings: denyingWarnings) }
    let (tests, failures, skipped) = (sum(suites, \.count), sum(suites, \.failures), sum(suites, \.skipped))
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(command)" tests="\(tests)" failures="\(failures)" errors="0" skipped="\(skipped)">
      \(suites.map(\.xml).joined())</testsuites>

      """
  }

  private static func sum(_ suites: [Suite], _ part: KeyPath<Suite, Int>) -> Int {
    suites.reduce(0) { $0 + $1[keyPath: part] }
  }
}

/// One mapping.
private struct Suite {
  private let name: String
  private let cases: [String]
  let failures: Int
  let skipped: Int
  var count: Int { cases.count }

  init(_ mapping: CheckedMapping, denyingWarnings: Bool) {
    name = XMLText.attribute(mapping.name)
    var (cases, failures, skipped): ([String], Int, Int) = ([], 0, 0)
    let entries = [("mapping", mapping.findings)] + mapping.tests.map { ("test: \($0.name)", $0.findings) }
    for (index, entry) in entries.enumerated() {
      let failing = entry.1.filter { denyingWarnings || $0.severity == .error }
      var content = ""
      if let first = failing.first {
        failures += 1
        let message = XMLText.attribute(first.message + (failing.count > 1 ? " (and \(failing.count - 1) more)" : ""))
        let text = XMLText.content(DiagnosticPrinter.text(entry.1, colour: false))
        content = "      <failure type=\"\(first.code.rawValue)\" message=\"\(message)\">\(text)</failure>\n"
      } else if index > 0, !mapping.hasRunTests {
        skipped += 1
        content = "      <skipped message=\"the mapping has errors\"/>\n"
      } else if !entry.1.isEmpty {
        let text = XMLText.content(DiagnosticPrinter.text(entry.1, colour: false))
        content = "      <system-out>\(text)</system-out>\n"
      }
      let head =
        "    <testcase classname=\"\(name)\" name=\"\(XMLText.attribute(entry.0))\" file=\"\(name)\" time=\"0\""
      cases.append(content.isEmpty ? head + "/>\n" : head + ">\n" + content + "    </testcase>\n")
    }
    (self.cases, self.failures, self.skipped) = (cases, failures, skipped)
  }

  var xml: String {
    let counts = "tests=\"\(count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
    return "  <testsuite name=\"\(name)\" \(counts) time=\"0\">\n" + cases.joined() + "  </testsuite>\n"
  }
}

/// Text as XML 1.0 takes it, which has no place for most control characters: they come as `\u{1B}`.
private enum XMLText {
  static func attribute(_ text: String) -> String { escaped(VisibleText.escaped(text)) }

  /// Of a text whose control characters are line breaks and tabs alone.
  static func content(_ text: String) -> String { escaped(text) }

  private static func escaped(_ text: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output.append(contentsOf: "&amp;".unicodeScalars)
      case "<": output.append(contentsOf: "&lt;".unicodeScalars)
      case ">": output.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": output.append(contentsOf: "&quot;".unicodeScalars)
      case "\u{FFFE}", "\u{FFFF}":
        output.append(contentsOf: "\\u{\(VisibleText.hexadecimal(scalar.value))}".unicodeScalars)
      default: output.append(scalar)
      }
    }
    return String(output)
  }
}
