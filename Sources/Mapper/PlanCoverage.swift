import JSONReading
import PlanCompiler

/// What of a plan the records of bodies have reached: for tests of a mapping.
package final class PlanCoverage {
  package struct Field: Hashable {
    /// Index into `Plan.recordNames`.
    package var record: Int
    package var column: String

    package init(record: Int, column: String) { (self.record, self.column) = (record, column) }
  }

  package struct Case: Hashable {
    /// Index into `Plan.choices`, and into its cases.
    package var choice: Int
    package var number: Int

    package init(choice: Int, number: Int) { (self.choice, self.number) = (choice, number) }
  }

  package struct Place: Hashable {
    /// Index into `Plan.endpoints`, and into its places.
    package var endpoint: Int
    package var number: Int

    package init(endpoint: Int, number: Int) { (self.endpoint, self.number) = (endpoint, number) }
  }

  /// Fields that got a value, or a null.
  package fileprivate(set) var fields: Set<Field> = []
  package fileprivate(set) var cases: Set<Case> = []
  /// Places at which a record stood.
  package fileprivate(set) var places: Set<Place> = []

  package init() {}

  func note(_ taken: Case) { cases.insert(taken) }

  func note(_ place: BodyMapper.Place, of plan: Plan) {
    guard let number = plan.endpoints[place.endpoint].places.firstIndex(where: { $0 === place.plan }) else { return }
    places.insert(Place(endpoint: place.endpoint, number: number))
  }
}

extension BodyMapper {
  /// Notes which fields of the record at hand find something. Their rules have no part in it: what is missing stays
  /// unreached, whatever takes its place.
  func noteCoverage(of row: UnsafePointer<MappedRow>, value: JSONValue, base: Int, keyOnly: Bool) {
    guard let coverage else { return }
    for field in row.pointee.plan.fields where field.isKey || !keyOnly {
      guard finds(field, in: value, base: base) else { continue }
      coverage.fields.insert(PlanCoverage.Field(record: row.pointee.plan.record, column: field.name))
    }
  }

  private func finds(_ field: FieldPlan, in value: JSONValue, base: Int) -> Bool {
    let found: Found?
    switch field.source {
    case .constant: return true
    // What it throws is thrown again when the field is mapped.
    case .program(let program): found = try? run(program, of: field, on: value)
    case .paths(let paths): found = paths.count == 1 ? find(paths[0], base: base) : findFirst(paths, base: base)
    }
    if case .missing = found { return false }
    return found != nil
  }
}
