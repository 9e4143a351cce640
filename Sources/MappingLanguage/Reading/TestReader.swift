import Diagnostics
import MarkedYAML
import Values

/// Reads an item of `tests`.
enum TestReader {
  /// Nil for a test without a name or without bodies, which was reported.
  static func test(_ node: YAMLNode) -> TestDeclaration? {
    guard let view = MapView(node, as: .test), let name = view.text("name"), let body = body(view) else { return nil }
    var test = TestDeclaration(name: name, body: body, span: node.span)
    test.endpoint = view.text("endpoint")
    test.path = view.text("path")
    test.method = view.text("method")?.value.uppercased()
    test.status = view.integer("status")
    test.headers = view.dictionary("headers").compactMap { entry in
      entry.value.plainText.map { (name: entry.key.text, value: $0.value) }
    }
    if let error = view.map("error", as: .expectedError) {
      test.expectsError = true
      test.errorMessage = error.text("message")?.value
      test.errorCode = error.text("code")?.value
    }
    for entry in view.dictionary("expect") { expectation(entry, &test) }
    return test
  }

  private static func body(_ view: MapView) -> TestDeclaration.Body? {
    if view.has("response") { return .files(view.list("response").compactMap(\.plainText)) }
    return view.node("body").map { .inline($0.jsonText) }
  }

  private static func expectation(_ entry: YAMLEntry, _ test: inout TestDeclaration) {
    if entry.isExpectationKey {
      if entry.key.text.isSame(as: "rejects") {
        test.rejects = entry.value.integer
      } else {
        test.requests = entry.value.items.compactMap { $0.plainText?.value }
      }
      return
    }
    var table = TestDeclaration.ExpectedTable(name: Located(entry.key.text, at: entry.keySpan))
    if let view = MapView(entry.value, as: .expectedTable) {
      table.count = view.integer("count")
      table.rows = view.node("rows").map(rows)
      table.isOrdered = view.boolean("ordered") ?? false
    } else {
      table.rows = rows(entry.value)
    }
    test.tables.append(table)
  }

  private static func rows(_ node: YAMLNode) -> [TestDeclaration.ExpectedRow] {
    guard case .sequence(let items) = node.content else { return [] }
    return items.compactMap { item in
      guard case .mapping(let entries) = item.content else { return nil }
      let values = entries.map { (column: Located($0.key.text, at: $0.keySpan), value: value($0.value)) }
      return TestDeclaration.ExpectedRow(values: values, span: item.span)
    }
  }

  /// A scalar as it stands; a list or a map as the JSON text that a column would hold.
  private static func value(_ node: YAMLNode) -> Literal {
    node.scalar?.value.literal ?? .text(node.jsonText)
  }
}
