import Diagnostics
import Foundation
import Testing

struct DiagnosticPrinterTests {
  private func diagnostic(_ text: String, _ start: Int, _ end: Int, hint: String? = nil) -> Diagnostic {
    Diagnostic(.unknownKey, "no key 'x'", at: SourceFile(name: "m.yaml", text: text).span(start, end), hint: hint)
  }

  private func excerpt(_ text: String, _ start: Int, _ end: Int) -> String {
    DiagnosticPrinter.text([diagnostic(text, start, end)], colour: false).split(separator: "\n").dropFirst()
      .joined(separator: "\n")
  }

  @Test func `a finding is printed with its line, the place underlined, and its hint`() {
    let file = SourceFile(name: "m.yaml", text: "records:\n  User:\n    feilds: [id]\n")
    let diagnostics = [
      Diagnostic(.unknownKey, "a record has no key 'feilds'", at: file.span(21, 27), hint: "did you mean 'fields'?"),
      Diagnostic(.unused, "nothing reaches 'User'", at: file.span(11, 15), severity: .warning),
    ]
    #expect(
      DiagnosticPrinter.text(diagnostics, colour: false) == """
        m.yaml:3:5: error[unknown-key]: a record has no key 'feilds'
            feilds: [id]
            ^^^^^^
          hint: did you mean 'fields'?
        m.yaml:2:3: warning[unused]: nothing reaches 'User'
          User:
          ^^^^

        """)
    #expect(DiagnosticPrinter.text([], colour: false) == "")
  }

  @Test(arguments: [
    ("é: ü!", 4, 6, "é: ü!\n   ^"), ("a\tb: c", 2, 3, "a\tb: c\n \t^"), ("a: b\r\nc", 3, 4, "a: b\n   ^"),
    ("id:", 3, 3, "id:\n   ^"), ("a: |\n  b\n  c\n", 3, 12, "a: |\n   ^"), ("a: {b,\n c}", 3, 10, "a: {b,\n   ^^^"),
    ("a\u{1B}[0m: b", 7, 8, "a\\u{1B}[0m: b\n            ^"), ("x\u{1}y", 1, 2, "x\\u{1}y\n ^^^^^"),
    ("\u{202E}a: b", 6, 7, "\\u{202E}a: b\n           ^"),
  ])
  func `carets stand under the place's part on its line`(_ text: String, _ start: Int, _ end: Int, _ shown: String) {
    #expect(excerpt(text, start, end) == shown)
  }

  @Test func `an empty last line, and a place in an empty text, are shown`() {
    #expect(DiagnosticPrinter.text([diagnostic("", 0, 0)], colour: false).hasSuffix("'x'\n\n^\n"))
    #expect(DiagnosticPrinter.text([diagnostic("a\n", 2, 2)], colour: false).hasPrefix("m.yaml:2:1: "))
  }

  @Test func `bytes that are no text are shown by their numbers`() {
    let file = SourceFile(name: "m.yaml", bytes: [0x61, 0xFF, 0x62])
    let text = DiagnosticPrinter.text([Diagnostic(.yamlSyntax, "x", at: file.span(1, 2))], colour: false)
    #expect(text.hasSuffix("a\\xFFb\n ^^^^\n"))
  }

  @Test func `a long line is cut around the place`() {
    let text = String(repeating: "é", count: 1_000) + "xyz" + String(repeating: "b", count: 1_000)
    let lines = excerpt(text, 2_000, 2_003).split(separator: "\n")
    #expect(lines.map(\.count) == [162, 64])
    #expect(lines[0].hasPrefix("…é") && lines[0].hasSuffix("b…"))
    #expect(Array(lines[0])[61..<64] == ["x", "y", "z"])
    #expect(lines[1].hasSuffix(" ^^^"))
    #expect(excerpt(text, 0, 4_000).split(separator: "\n")[1].count == 160)
  }

  @Test func `a place in a very long line is shown as in a shorter one`() {
    let filling = String(repeating: "é", count: 100_000)
    for (before, behind) in [(300, 300), (0, 300), (100, 300), (300, 0), (59, 500), (300, 10)] {
      let (start, end) = (String(filling.prefix(before)), String(filling.prefix(behind)))
      let short = excerpt(start + "xyz" + end, 2 * before, 2 * before + 3)
      if before == 300 { #expect(excerpt(filling + "xyz" + end, 200_000, 200_003) == short) }
      if behind >= 300 { #expect(excerpt(start + "xyz" + filling, 2 * before, 2 * before + 3) == short) }
    }
    let shown = "…" + filling.prefix(147) + "xyz" + filling.prefix(10)
    #expect(excerpt(filling + "xyz" + filling.prefix(10), 200_000, 200_003).hasPrefix(shown + "\n"))
  }

  @Test func `names and messages cannot move the cursor`() {
    let file = SourceFile(name: "a\u{1B}[2J", text: "a")
    let diagnostic = Diagnostic(.badValue, "no '\n\u{9B}'", at: file.span(0, 1), hint: "\u{7}x")
    let text = DiagnosticPrinter.text([diagnostic], colour: false)
    #expect(text.hasPrefix("a\\u{1B}[2J:1:1: error[bad-value]: no '\\u{A}\\u{9B}'\n"))
    #expect(text.hasSuffix("  hint: \\u{7}x\n"))
  }

  @Test func `colours change nothing but the colour`() throws {
    let diagnostics = [diagnostic("\ta: b", 1, 2, hint: "h")]
    let coloured = DiagnosticPrinter.text(diagnostics, colour: true)
    #expect(coloured.contains("\u{1B}[1;31m"))
    let bare = coloured.replacing(try Regex("\u{1B}\\[[0-9;]*m"), with: "")
    #expect(bare == DiagnosticPrinter.text(diagnostics, colour: false))
  }

  @Test func `the JSON form has each member, also without a hint`() {
    let file = SourceFile(name: "m.yaml", text: "a: é b\n")
    let diagnostics = [
      Diagnostic(.badValue, "no '\"\\\n\u{1}é'", at: file.span(6, 7), hint: "x\ty"),
      Diagnostic(.unused, "u", at: file.span(0, 1), severity: .warning),
    ]
    #expect(
      DiagnosticPrinter.json(diagnostics) == #"""
        {"ok": false, "errors": 1, "warnings": 1, "diagnostics": [{"file": "m.yaml", "line": 1, "column": 6, \#
        "severity": "error", "code": "bad-value", "message": "no '\"\\\n\u0001é'", "hint": "x\ty"}, \#
        {"file": "m.yaml", "line": 1, "column": 1, \#
        "severity": "warning", "code": "unused", "message": "u", "hint": null}]}

        """#)
    #expect(
      DiagnosticPrinter.json(Array(diagnostics.suffix(1))).hasPrefix(#"{"ok": true, "errors": 0, "warnings": 1, "#))
    #expect(DiagnosticPrinter.json([]) == #"{"ok": true, "errors": 0, "warnings": 0, "diagnostics": []}"# + "\n")
  }

  @Test func `the JSON form is read back to the same texts`() throws {
    let texts = (0..<0x3000).compactMap { Unicode.Scalar(UInt32($0)) }.map { String($0) }
    let file = SourceFile(name: "m.yaml", text: "a")
    let json = DiagnosticPrinter.json(texts.map { Diagnostic(.badValue, $0, at: file.span(0, 1)) })
    let read = try JSONDecoder().decode(Report.self, from: Data(json.utf8))
    #expect(read.diagnostics.map { Array($0.message.utf8) } == texts.map { Array($0.utf8) })
  }

  private struct Report: Decodable {
    struct Item: Decodable { let message: String }
    let diagnostics: [Item]
  }
}
