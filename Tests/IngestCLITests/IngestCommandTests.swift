import Foundation
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

  @Test(arguments: ["run", "try"])
  func `recorded answers that are not there are missing input`(_ command: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "m.yaml",
      """
      ingest: 1
      source: {name: demo, base_url: "https://api.example.test"}
      records: {Item: {key: id, fields: [id]}}
      endpoints: {items: {path: /items, records: {items: Item}}}
      """)
    let words = command == "try" ? ["try", "items"] : [command, "--store", "sqlite:\(folder.path("m.db"))"]
    let outcome = try BuiltBinary.run(
      words + ["--config", folder.path("m.yaml"), "--recorded", folder.path("none")])
    #expect(outcome.status == 2)
    #expect(outcome.stderr == "error: there is no folder '\(folder.path("none"))' of recorded answers (--recorded)\n")
    #expect(!FileManager.default.fileExists(atPath: folder.path("m.db")))
  }
}
