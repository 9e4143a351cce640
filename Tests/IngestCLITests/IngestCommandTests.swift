import IngestCLI
import Setup
import TestSupport
import Testing

/// The program as it is built.
struct IngestCommandTests {
  @Test func `the version is one line`() throws {
    let outcome = try BuiltBinary.run(["--version"])
    #expect(outcome.status == 0)
    #expect(outcome.stdout == "ingest \(IngestVersion.number)\n")
    #expect(outcome.stderr == "")
  }

  @Test func `alone it prints its usage as an error`() throws {
    let outcome = try BuiltBinary.run([])
    #expect(outcome.status == 2)
    #expect(outcome.stdout == "")
    #expect(outcome.stderr == HelpText.usage + "hint: see 'ingest help'\n")
  }

  @Test(arguments: [["help"], ["--help"]])
  func `help goes to standard output`(_ arguments: [String]) throws {
    let outcome = try BuiltBinary.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.stdout == HelpText.overview)
  }

  @Test func `a wrong line is refused, with the nearest name`() throws {
    let outcome = try BuiltBinary.run(["load", "a.json", "--confg", "m\u{1B}.yaml"])
    #expect(outcome.status == 2)
    #expect(outcome.stderr == "error: unknown option '--confg'\nhint: did you mean '--config'?\n")
    let json = try BuiltBinary.run(["load", "--log-format", "json", "--config"])
    #expect(json.status == 2)
    #expect(
      json.stderr.hasPrefix(#"{"level": "error", "message": "--config needs a value: --config FILE", "time": "2"#))
    #expect(json.stderr.hasSuffix(#", "hint": "see 'ingest help load'"}"# + "\n"))
  }

  @Test func `a closed pipe is quiet`() throws {
    let outcome = try BuiltBinary.run(["help"], output: .closedPipe)
    #expect(outcome.status == 141)
    #expect(outcome.stderr == "")
  }

  @Test(arguments: [
    (BuiltBinary.Output.file("/dev/full"), "No space left on device"), (.absent, "Bad file descriptor"),
  ])
  func `a result that cannot be written is no success`(_ output: BuiltBinary.Output, _ reason: String) throws {
    let outcome = try BuiltBinary.run(["--version"], output: output)
    #expect(outcome.status == 1)
    #expect(outcome.stderr == "error: cannot write to standard output: \(reason)\n")
  }
}
