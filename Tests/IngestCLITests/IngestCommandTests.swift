import Foundation
import Glibc
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

  @Test func `with -v the libraries follow, a line each`() throws {
    let lines = try BuiltBinary.run(["--version", "-v"]).stdout.split(separator: "\n").map(String.init)
    #expect(lines.first == "ingest \(IngestVersion.number)")
    let libraries = ["libcurl", "zlib", "zstd", "SQLite", "libyaml", "PCRE2", "simdjson"]
    #expect(lines.dropFirst().map { $0.prefix { $0 != " " } } == libraries.map { $0[...] })
    for line in lines.dropFirst() { #expect(line.contains(/[0-9]+\.[0-9]+/), "\(line)") }
  }

  @Test(.enabled(if: geteuid() == 0)) func `as root a run says so, unless it is wanted`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "m.yaml",
      """
      ingest: 1
      source: {name: m, base_url: "http://127.0.0.1:1", retry: {attempts: 1}}
      records: {Row: {key: id, fields: [id]}}
      endpoints: {rows: {path: /rows, records: {rows: Row}}}
      """)
    let words = "ingest runs as root, and needs none of its rights"
    let place = URL(fileURLWithPath: folder.path)
    let run = try BuiltBinary.run(["run", "m.yaml"], environment: ["INGEST_AS_ROOT": ""], in: place)
    #expect(run.status == 1 && run.stderr.hasPrefix(words))
    #expect(try !BuiltBinary.run(["run", "m.yaml"], in: place).stderr.contains("root"))
    let other = try BuiltBinary.run(["validate", "m.yaml"], environment: ["INGEST_AS_ROOT": ""], in: place)
    #expect(!other.stderr.contains("root"), "what asks no server does not")
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
    #expect(outcome.stderr == "error: cannot write to standard output: \(reason); what is there is not whole\n")
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
