import Diagnostics
import PlanCompiler
import Records
import TestSupport
import Testing

struct TableShapeTests {
  @Test(arguments: try Fixture.all(in: "shapes", golden: ["shape"]))
  func `records and relationships become the tables of the golden file`(_ fixture: Fixture) throws {
    let (plan, diagnostics, _) = Compiling.of(try fixture.text, named: fixture.fileName)
    #expect(diagnostics.isEmpty, "\(DiagnosticPrinter.text(diagnostics, colour: false))")
    try fixture.expectGolden(ShapeOutline(plan: try #require(plan)).text, suffix: "shape")
  }

  /// What every plan must hold, whatever its mapping is.
  @Test(arguments: try Fixture.all(in: "shapes", golden: ["shape"]))
  func `a plan's parts fit together`(_ fixture: Fixture) throws {
    let plan = try Compiling.plan(try fixture.text)
    let shapes = plan.shapes
    for shape in shapes {
      for key in shape.foreignKeys {
        let target = try #require(shapes.first { $0.name == key.table })
        #expect(key.referenced == target.primaryKey.map { target.columns[$0].name })
        let types = key.columns.map { shape.columns[$0].type }
        #expect(types == target.primaryKey.map { target.columns[$0].type }, "a key has the type that it refers to")
      }
      #expect(shape.parentKey == Array(shape.parentKey.indices), "the parent's key comes first")
      #expect(Set(shape.columns.map { $0.name.lowercased() }).count == shape.columns.count)
    }
    for row in plan.rows {
      let shape = shapes[row.table]
      #expect(row.columnCount == shape.columns.count)
      #expect(row.identity == shape.primaryKey)
      #expect(row.parentKeyCount == shape.parentKey.count)
      for branch in row.relationships.flatMap(\.branches) {
        let child = shapes[plan.rows[branch.child].table]
        if case .columns(let columns) = branch.storage {
          #expect(columns.count == plan.rows[branch.child].key.count)
        }
        if case .onlyChild = branch.storage { #expect(child.role == .onlyChild) }
        if case .listChild = branch.storage { #expect(child.role == .listChild) }
        if case .link(let table) = branch.storage { #expect(shapes[table].role == .link) }
      }
    }
  }

  @Test func `a key is in the order in which it is written, not that of the fields`() throws {
    let plan = try Compiling.plan(
      records: "Item: {key: [b, a], fields: [a, b]}", endpoints: "e: {path: /e, fetch: false, records: {.: Item}}")
    #expect(plan.shapes[0].primaryKey == [1, 0])
  }
}
