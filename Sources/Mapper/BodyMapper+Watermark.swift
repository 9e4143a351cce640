package import PlanCompiler
import Records
package import Values

/// The largest value of the column of `incremental` that the bodies of a walk have brought.
package struct Watermark: Sendable {
  package let plan: IncrementalPlan
  package fileprivate(set) var largest: CursorValue?
  /// A number and a text came, which have no order.
  package fileprivate(set) var isMixed = false
  /// By row plan.
  fileprivate let fields: [Int: Int]

  /// `largest`: of the pages before a cut.
  package init(_ plan: IncrementalPlan, largest: CursorValue? = nil) {
    self.plan = plan
    self.largest = largest
    fields = Dictionary(plan.fields.map { ($0.row, $0.field) }, uniquingKeysWith: { first, _ in first })
  }
}

extension BodyMapper {
  /// Notes a top-level record's value, whatever becomes of the record: filtered ones have been received, and rejected
  /// ones are kept whole.
  func noteWatermark(of row: UnsafePointer<MappedRow>, base: Int) throws {
    guard let field = watermark?.fields[row.pointee.index] else { return }
    let fieldPlan = row.pointee.plan.fields[field]
    let found: Found
    switch fieldPlan.source {
    case .paths(let paths): found = paths.count == 1 ? find(paths[0], base: base) : findFirst(paths, base: base)
    case .program(let program): found = try run(program, of: fieldPlan, on: frames[frames.count - 1].value)
    case .constant: return
    }
    guard case .value(let raw) = found,
      case .cell(let cell) = fieldPlan.conversion.convert(raw, into: arena),
      let value = CursorValue(cell, type: fieldPlan.conversion.type)
    else { return }
    guard let largest = watermark?.largest else {
      watermark?.largest = value
      return
    }
    guard let order = CursorValue.order(largest, value) else {
      watermark?.isMixed = true
      return
    }
    if order < 0 { watermark?.largest = value }
  }
}
