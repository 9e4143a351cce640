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
    if let node = view.node("expect"), case .mapping = node.content { test.expectSpan = node.span }
    for entry in view.dictionary("expect") { expectation(entry, &test) }
    if view.boolean("ordered") ?? false {
      for index in test.tables.indices { test.tables[index].isOrdered = true }
    }
    return test
  }

  private static func body(_ view: MapView) -> TestDeclaration.Body? {
    if view.has("response") { return .files(view.list("response").compactMap(\.plainText)) }
    return view.node("body").map { .inline($0.jsonText) }
  }

  private static func expectation(_ entry: YAMLEntry, _ test: inout TestDeclaration) {
    if entry.isExpectationKey {
      if entry.key.text.isSame(as: "rejects") {
        test.rejects = entry.value.integer.map { Located($0, at: entry.value.span) }
      } else {
        test.requests = TestDeclaration.ExpectedList(
          items: entry.value.items.compactMap(\.plainText), keySpan: entry.keySpan, span: entry.value.span)
      }
      return
    }
    var table = TestDeclaration.ExpectedTable(name: Located(entry.key.text, at: entry.keySpan))
    if let view = MapView(entry.value, as: .expectedTable) {
      table.count = view.node("count").flatMap { node in node.integer.map { Located($0, at: node.span) } }
      table.rows = view.entry("rows").map(rows)
      table.isOrdered = view.boolean("ordered") ?? false
    } else {
      table.rows = rows(entry)
    }
    test.tables.append(table)
  }

  private static func rows(_ entry: YAMLEntry) -> TestDeclaration.ExpectedList<TestDeclaration.ExpectedRow> {
    var list = TestDeclaration.ExpectedList<TestDeclaration.ExpectedRow>(
      items: [], keySpan: entry.keySpan, span: entry.value.span)
    guard case .sequence(let items) = entry.value.content else { return list }
    list.items = items.compactMap { item in
      guard case .mapping(let entries) = item.content else { return nil }
      return TestDeclaration.ExpectedRow(values: entries.map(value), span: item.span)
    }
    return list
  }

  /// A scalar as it stands; a list or a map as the JSON text that a column would hold.
  private static func value(_ entry: YAMLEntry) -> TestDeclaration.ExpectedValue {
    let node = entry.value
    return TestDeclaration.ExpectedValue(
      column: Located(entry.key.text, at: entry.keySpan),
      value: Located(node.scalar?.value.literal ?? .text(node.jsonText), at: node.span),
      isCollection: node.scalar == nil)
  }
}
