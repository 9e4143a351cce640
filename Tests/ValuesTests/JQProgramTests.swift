import Foundation
import Testing

@testable import Values  // what is shown of an error is decided where other targets do not look

struct JQProgramTests {
  private func fault(_ text: String) -> JQProgram.Fault? {
    do throws(JQProgram.Fault) {
      _ = try JQProgram(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("env", "env"), (".a + env.HOME", "env"), ("$ENV", "$ENV"), ("$ENV.PATH", "$ENV"), ("$ # x\n ENV", "$ENV"),
    ("{$ENV}", "$ENV"), ("{a:env}", "env"), ("{a: 1 | env}", "env"), ("{(env): 1}", "env"), ("{a: (1, env)}", "env"),
    ("[1, env]", "env"), (".[env:2]", "env"), ("\"x\\(env)\"", "env"), ("@base64 \"x\\(\"\\(env)\")\"", "env"),
    ("\"\" | env", "env"), ("\"\\\\\" + env", "env"), ("# it's\nenv", "env"), ("# \"\nenv", "env"), ("..|env", "env"),
    ("{a: if . then 1, env else 2 end}", "env"), ("if . then 1 else 2 end | {a, b: 1} | input", "input"),
    ("input", "input"), ("[inputs]", "inputs"), ("input_filename", "input_filename"), ("def f(env): env; 1", "env"),
    ("input_line_number", "input_line_number"), ("halt", "halt"), ("\"x\"|halt_error", "halt_error"),
    ("halt_error(1)", "halt_error"), ("debug", "debug"), ("stderr", "stderr"), ("import \"a\" as a; 1", "import"),
    ("include \"a\"; 1", "include"), ("\"a\"|modulemeta", "modulemeta"), ("$__prog_args", "$__prog_args"),
    ("get_search_list", "get_search_list"), ("module {}; 1", "module"),
  ])
  func `what would look beyond the record is refused by name`(_ text: String, _ name: String) {
    #expect(fault(text)?.message == "'\(name)' may not be used in a jq program", "\(text)")
    #expect(fault(text)?.hint != nil)
  }

  /// One program, since each takes long to compile.
  @Test func `the same names are fine as members, texts, variables and comments`() throws {
    let text = """
      # env, input; $ENV
      .env as $input | {a: .input.halt, env: 1, halt, "debug": "env \\(.env) $ENV", input: "\\"env"}
        | .env | {stderr: ., import: .env?} as {stderr: $env, import: $halt}
        | [.env?, .halt?, ."env"?, $env, $input, @text "env", environment?, .a.inputs?]
      """
      .replacing("environment?", with: "1")
    #expect(fault(text) == nil)
  }

  @Test(arguments: [
    (".tags | join(", "syntax error, unexpected $end"), ("foo", "foo/0 is not defined"),
    (".a\n| foo(1)", "foo/1 is not defined (in line 2)"), ("\"a", "syntax error, unexpected $end, expecting"),
    (".a)", "syntax error, unexpected INVALID_CHARACTER"), ("1/0", "Division by zero?"),
    ("if . then 1", "syntax error"), ("$x", "$x is not defined"),
  ])
  func `a program that does not compile is refused in jq's words`(_ text: String, _ words: String) {
    let message = fault(text)?.message ?? ""
    #expect(message.hasPrefix("the jq program does not compile: \(words)"), "\(message)")
    #expect(!message.contains("\n") && !message.contains("shell") && !message.contains("top-level"))
  }

  /// In a process of its own, whose environment may be changed.
  @Test func `definitions in the home folder change no program`() async {
    await #expect(processExitsWith: .success) {
      let home = FileManager.default.temporaryDirectory.appending(path: "jq-home-\(getpid())")
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      try Data("def mine: 1; def map(f): 2;".utf8).write(to: home.appending(path: ".jq"))
      setenv("HOME", home.path(), 1)
      #expect(throws: JQProgram.Fault.self) { try JQProgram("mine") }
      #expect(ProcessInfo.processInfo.environment["HOME"] == home.path())
    }
  }

  @Test func `texts that are no program are refused`() {
    let table = [
      ("", "the jq program is empty"), (" # only this", "the jq program is empty"),
      (".\0", "the jq program holds a NUL character"),
      (".|" + String(repeating: " ", count: 16_384), "the jq program is longer than 16384 bytes"),
      (String(repeating: "[", count: 300), "the jq program nests deeper than 256 levels"),
      (". # \\\n| 1", "a comment of the jq program ends in a backslash"),
    ]
    for (text, message) in table { #expect(fault(text)?.message == message) }
  }

  @Test func `a number that jq would round is refused`() throws {
    for text in ["9007199254740993", "0.12345678901234567", "1e400", "1.0000000000000001", "100000000000000000000"] {
      #expect(fault(". == \(text)")?.message == "jq would round the number \(text)")
    }
    #expect(fault("[9007199254740992, .5, 5., 1.e3, 1e300, 123456789012.345, .[1:2], \"9007199254740993\"]") == nil)
  }

  @Test func `a failure is told in jq's words and shows no value`() {
    let table = [
      ("string (\"9007199...) and number (1) cannot be added", "jq: string … cannot be added"),
      (
        "object ({\"a\":\"x\",\"b...) cannot be matched, as it is not a string",
        "jq: object … cannot be matched, as it is not a string"
      ),
      ("Cannot index number with \"secret\"", "jq: Cannot index number with"),
      ("Cannot iterate over null", "jq: Cannot iterate over null"),
      ("Cannot iterate over string (\"sec) ret\")", "jq: Cannot iterate over string"),
      ("secret", "jq: the program failed on this value"),
      ("Cannot index secret", "jq: the program failed on this value"),
      (
        "Invalid numeric literal at EOF at line 1, column 6 (while parsing 'secret')",
        "jq: the program failed on this value"
      ),
      ("no price", "jq: no price"),
    ]
    for (message, shown) in table {
      #expect(JQMessage.failure(Array(message.utf8), literals: [Array("no price".utf8)]) == shown)
    }
  }
}
