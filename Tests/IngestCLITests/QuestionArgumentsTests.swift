import IngestCLI
import Testing

/// Command lines of the commands that answer questions about a store.
struct QuestionArgumentsTests {
  private func parsed(_ line: String) throws -> Invocation {
    try ArgumentParser.parse(line.split(separator: " ").map(String.init))
  }

  @Test func `a question means what its words say`() throws {
    var status = StatusInvocation(mapping: "m")
    #expect(try parsed("status --config m") == .status(status))
    (status.store, status.format) = ("sqlite:x.db", .json)
    #expect(try parsed("status --config m --store sqlite:x.db --format json") == .status(status))
    var schema = SchemaInvocation(mapping: "m")
    #expect(try parsed("schema --config m") == .schema(schema))
    schema.dialect = .postgres
    #expect(try parsed("schema --config m --dialect postgres") == .schema(schema))
    var prune = PruneInvocation(mapping: "m", keep: .seconds(90 * 60))
    prune.waits = true
    #expect(try parsed("prune --keep 90m --config m --wait") == .prune(prune))
    let value = ExplainValueInvocation(column: "a.b.c", key: ["7", "-x"], mapping: "m")
    #expect(try parsed("explain a.b.c 7 --config m -- -x") == .explainValue(value))
  }

  @Test(arguments: [
    ("status", "status needs --config FILE"), ("status x --config m", "unexpected argument 'x'"),
    ("status --config m --format svg", "--format is text or json, not 'svg'"),
    ("schema --config m --format dot --dialect sqlite", "--dialect is of --format sql"),
    ("prune --config m", "prune needs --keep TIME"),
    ("prune --config m --keep 30", "--keep is a time such as 30d, not '30'"),
    ("prune --config m --keep 0d", "--keep is a time such as 30d, not '0d'"),
    ("explain a.b --config m", "explain a.b needs the row's key"), ("explain a.b 7", "explain needs --config FILE"),
  ])
  func `a question that cannot be understood is refused`(_ line: String, _ message: String) {
    let error = #expect(throws: UsageError.self) { try parsed(line) }
    #expect(error?.message == message)
  }
}
