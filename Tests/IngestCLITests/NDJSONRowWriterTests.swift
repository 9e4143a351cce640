import Diagnostics
import Foundation
import IngestCLI
import Records
import Testing

struct NDJSONRowWriterTests {
  /// Writes one row with one column.
  private func value(_ cell: Cell) throws -> String {
    let captured = try CapturedConsole()
    NDJSONRowWriter(table: "t", columns: ["c"]).write([cell], to: captured.console.output)
    let line = try captured.output
    let (head, tail) = (#"{"table": "t", "row": {"c": "#, "}}\n")
    #expect(line.hasPrefix(head) && line.hasSuffix(tail))
    return String(line.dropFirst(head.count).dropLast(tail.count))
  }

  @Test func `a row is one line, its columns in order`() throws {
    let captured = try CapturedConsole()
    let writer = NDJSONRowWriter(
      TableShape(
        name: "use\"rs", role: .record,
        columns: [ColumnShape(name: "id", type: .integer), ColumnShape(name: "n\n", type: .real)]))
    let cells: [Cell] = [.integer(1), .null, .integer(-2), .real(0.5)]
    writer.write(cells[0..<2], to: captured.console.output)
    writer.write(cells[2..<4], to: captured.console.output)
    #expect(
      try captured.output == #"""
        {"table": "use\"rs", "row": {"id": 1, "n\n": null}}
        {"table": "use\"rs", "row": {"id": -2, "n\n": 0.5}}

        """#)
  }

  @Test(arguments: [
    (Double(1), "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (.leastNonzeroMagnitude, "5e-324"),
    (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (9007199254740992, "9007199254740992.0"),
  ])
  func `a real is the shortest decimal that JSON takes`(_ number: Double, _ text: String) throws {
    #expect(try value(.real(number)) == text)
    let object = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [Double]
    #expect(object?.first?.bitPattern == number.bitPattern)
  }

  @Test func `integers are exact, missing is null`() throws {
    #expect(try value(.integer(.max)) == "9223372036854775807")
    #expect(try value(.integer(.min)) == "-9223372036854775808")
    #expect(try value(.missing) == "null")
    #expect(try value(.null) == "null")
  }

  @Test(arguments: [
    "", "plain", "\"q\" \\ /", "\u{0}\u{1}\u{8}\t\n\u{C}\r\u{1F}\u{7F}", "é e\u{301} 日本 \u{1F600}\u{202E}",
    "\"", "\\", "end\n",
  ])
  func `text comes back byte for byte`(_ text: String) throws {
    let json = try Array(text.utf8).withUnsafeBytes { try value(.text($0)) }
    let back = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) as? [String]
    #expect(back?.first?.utf8.elementsEqual(text.utf8) == true)
    #expect(json.utf8.allSatisfy { $0 >= 0x20 })
  }

  @Test(arguments: [
    "\u{0}", "\u{1F}", " ", "!", "\"", "#", "[", "\\", "]", "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}", "\u{A2}", "\u{DC}",
    "\u{61B}", "\u{61C}", "\u{200D}", "\u{200E}", "\u{202E}", "\u{202F}", "\u{2065}", "\u{2066}", "\u{2069}",
    "\u{206A}",
    "\u{FEFE}", "\u{FEFF}", "\u{FF00}", "\u{1F600}",
  ])
  func `text comes back wherever in it a character stands`(_ scalar: String) throws {
    for before in 0..<17 {
      for between in 0..<9 {
        let parts = [before, between, 17 - before].map { String(repeating: "x", count: $0) }
        let text = parts.joined(separator: scalar)
        let json = try Array(text.utf8).withUnsafeBytes { try value(.text($0)) }
        let back = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) as? [String]
        #expect(back?.first?.utf8.elementsEqual(text.utf8) == true)
        #expect(!json.unicodeScalars.contains { VisibleText.isInvisible($0) })
      }
    }
  }

  @Test(arguments: Array(0...9) + [300])
  func `bytes are base64`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 250) }
    let json = try bytes.withUnsafeBytes { try value(.bytes($0)) }
    #expect(json == "\"\(Data(bytes).base64EncodedString())\"")
  }
}
