import Diagnostics
import Foundation
import IngestCLI
import Testing

struct MessageWriterTests {
  @Test func `messages for people are plain lines`() throws {
    let captured = try CapturedConsole()
    captured.console.debug("unsaid")
    captured.console.info("3 files")
    captured.console.warning("odd")
    captured.console.error("broken", hint: "mend it")
    captured.console.log(LogMessage(.error, "unseen", lines: ["a.yaml:1:2: error[x]: y", "  ^"]))
    #expect(
      try captured.errors == """
        3 files
        warning: odd
        error: broken
        hint: mend it
        a.yaml:1:2: error[x]: y
          ^

        """)
    #expect(try captured.output == "")
  }

  @Test(arguments: [
    (LoggingOptions.Verbosity.quiet, "warning: c\nerror: d\n"), (.normal, "b\nwarning: c\nerror: d\n"),
    (.verbose, "a\nb\nwarning: c\nerror: d\n"),
  ])
  func `verbosity decides what is said`(_ verbosity: LoggingOptions.Verbosity, _ text: String) throws {
    let captured = try CapturedConsole(LoggingOptions(verbosity: verbosity))
    captured.console.debug("a")
    captured.console.info("b")
    captured.console.warning("c")
    captured.console.error("d")
    #expect(try captured.errors == text)
  }

  @Test(arguments: [
    ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\r\nb", "a\\u{D}\\u{A}b"), ("a\tb", "a\tb"), ("\u{0}\u{7F}", "\\u{0}\\u{7F}"),
    ("\u{80}\u{9B}2J\u{9F}\u{A1}", "\\u{80}\\u{9B}2J\\u{9F}\u{A1}"), ("\u{202E}abc\u{2066}", "\\u{202E}abc\\u{2066}"),
    ("\u{61C}\u{200F}\u{2028}", "\\u{61C}\\u{200F}\\u{2028}"), ("e\u{301} é 日本 \u{1F600}", "e\u{301} é 日本 \u{1F600}"),
    ("C:\\new", "C:\\new"), ("", ""),
  ])
  func `what could upset a terminal is escaped`(_ text: String, _ safe: String) throws {
    let captured = try CapturedConsole()
    captured.console.error(text, hint: text)
    captured.console.result(text)
    #expect(try captured.errors.utf8.elementsEqual("error: \(safe)\nhint: \(safe)\n".utf8))
    #expect(try captured.output.utf8.elementsEqual("\(safe)\n".utf8))
  }

  @Test func `messages for machines are JSON whatever is said`() throws {
    let captured = try CapturedConsole(LoggingOptions(format: .json))
    let nasty = (0...0x2FFF).compactMap(Unicode.Scalar.init).reduce(into: "") { $0.unicodeScalars.append($1) }
    captured.console.log(
      LogMessage(
        .warning, nasty, hint: "h",
        fields: [("n", .integer(-7)), ("b", .boolean(true)), ("z", .null), (nasty, .text("\u{1F600}"))],
        lines: ["unseen"]))
    captured.console.info("second")
    let lines = try captured.objects
    #expect(lines.count == 2)
    #expect((lines[0]["message"] as? String)?.utf8.elementsEqual(nasty.utf8) == true)
    #expect(lines[0]["level"] as? String == "warning")
    #expect(lines[0]["time"] as? String == "2024-02-29T23:59:59.007Z")
    #expect(lines[0]["hint"] as? String == "h")
    #expect(lines[0]["n"] as? Int == -7)
    #expect(lines[0]["b"] as? Bool == true)
    #expect(lines[0]["z"] is NSNull)
    #expect(lines[0].count == 8)
    #expect(try captured.errors.hasPrefix(#"{"level": "warning", "message": ""#))
  }

  @Test func `findings have their places, for people and for machines`() throws {
    let file = SourceFile(name: "a.yaml", text: "é: strng\n")
    let findings = [
      Diagnostic(.unknownType, "no type is named 'strng'", at: file.span(4, 9), hint: "did you mean 'string'?"),
      Diagnostic(.unknownKey, "no key is named 'é'", at: file.span(0, 2), severity: .warning),
    ]
    let text = try CapturedConsole(LoggingOptions(verbosity: .quiet), isColoured: true)
    text.console.log(findings)
    text.console.result(findings)
    #expect(try text.errors == DiagnosticPrinter.text(findings, colour: true))
    #expect(try text.output == DiagnosticPrinter.text(findings, colour: false))
    let json = try CapturedConsole(LoggingOptions(format: .json))
    json.console.log(findings)
    let objects = try json.objects
    #expect(objects.map { $0["level"] as? String } == ["error", "warning"])
    #expect(objects.map { $0["code"] as? String } == ["unknown-type", "unknown-key"])
    #expect(objects.map { $0["column"] as? Int } == [4, 1])
    #expect(objects.map { $0["file"] as? String } == ["a.yaml", "a.yaml"])
    #expect(objects.map { $0["hint"] as? String } == ["did you mean 'string'?", nil])
    json.console.log([])
    #expect(try json.objects.count == 2)
  }

  @Test func `a secret is taken out of every text`() throws {
    let text = try CapturedConsole()
    let json = try CapturedConsole(LoggingOptions(format: .json))
    for captured in [text, json] {
      captured.console.messages.redaction = { $0.replacingOccurrences(of: "s3cret", with: "***") }
      captured.console.log(LogMessage(.error, "s3cret", hint: "s3cret", fields: [("url", .text("/?k=s3cret"))]))
      captured.console.log(LogMessage(.error, "m", lines: ["s3cret"]))
      captured.console.result("s3cret")
      #expect(try captured.errors.contains("s3cret") == false)
      #expect(try captured.output == "***\n")
    }
    #expect(try json.objects[0]["url"] as? String == "/?k=***")
  }

  @Test func `only the level is coloured, and only when asked for`() throws {
    let captured = try CapturedConsole(isColoured: true)
    captured.console.warning("w")
    captured.console.info("i")
    #expect(try captured.errors == "\u{1B}[1;33mwarning:\u{1B}[0m w\ni\n")
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.999Z"), (951_782_400, "2000-02-29T00:00:00.999Z"),
    (253_402_300_799, "9999-12-31T23:59:59.999Z"),
  ])
  func `times are RFC 3339 in UTC`(_ seconds: Int, _ text: String) {
    #expect(Timestamp.rfc3339((seconds, 999_999_999)) == text)
  }
}
