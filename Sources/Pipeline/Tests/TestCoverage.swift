package import Diagnostics
package import MappingLanguage
import Mapper
package import PlanCompiler

/// What of a mapping its tests have reached.
package final class TestCoverage {
  let reached = PlanCoverage()
  private var rules: Set<Place> = []

  private struct Place: Hashable {
    let file: ObjectIdentifier
    let offset: Int

    init(_ span: SourceSpan) { (file, offset) = (ObjectIdentifier(span.file), span.start.offset) }
  }

  package init() {}

  func note(rule: SourceSpan) { rules.insert(Place(rule)) }

  /// How many parts of one kind were reached, and which were not.
  package struct Part: Sendable {
    /// In the plural.
    package var name: String
    package var total = 0
    package var gaps: [Gap] = []

    package var reachedCount: Int { total - gaps.reduce(0) { $0 + $1.count } }
  }

  /// A line that nothing reached.
  package struct Gap: Sendable {
    package var span: SourceSpan
    package var text: String
    /// Parts that it stands for.
    package var count = 1
  }

  /// Fields, cases, descriptors and error rules, in this order; of each, the gaps in the order of their lines.
  package func parts(of mapping: Mapping, _ plan: Plan) -> [Part] {
    func rank(_ gap: Gap) -> (Int, Int) {
      (mapping.files.firstIndex { $0 === gap.span.file } ?? 0, gap.span.start.offset)
    }
    let parts = [fields(of: mapping, plan), cases(of: mapping, plan), descriptors(of: plan), errorRules(of: mapping)]
    return parts.map { part in
      var part = part
      part.gaps.sort { rank($0) < rank($1) }
      return part
    }
  }

  private func fields(of mapping: Mapping, _ plan: Plan) -> Part {
    var part = Part(name: "fields")
    for record in mapping.records where record.cases == nil {
      let index = plan.recordNames.firstIndex { $0.isSame(as: record.name.value) }
      let gaps = record.fields.filter { field in
        index.map { !reached.fields.contains(PlanCoverage.Field(record: $0, column: field.column.value)) } ?? true
      }
      part.total += record.fields.count
      if gaps.count == record.fields.count, gaps.count > 1 {
        let text = "record '\(record.name.value)', all of its \(gaps.count) fields"
        part.gaps.append(Gap(span: record.name.span, text: text, count: gaps.count))
      } else {
        part.gaps += gaps.map {
          Gap(span: $0.column.span, text: "field '\($0.column.value)' of '\(record.name.value)'")
        }
      }
    }
    return part
  }

  private func cases(of mapping: Mapping, _ plan: Plan) -> Part {
    var part = Part(name: "cases")
    for record in mapping.records {
      guard let cases = record.cases else { continue }
      let choice = plan.choices.firstIndex { plan.recordNames[$0.record].isSame(as: record.name.value) }
      part.total += cases.count
      for (number, declared) in cases.enumerated() {
        if let choice, reached.cases.contains(PlanCoverage.Case(choice: choice, number: number)) { continue }
        part.gaps.append(Gap(span: declared.span, text: "case \(number + 1) of '\(record.name.value)'"))
      }
    }
    return part
  }

  private func descriptors(of plan: Plan) -> Part {
    var part = Part(name: "descriptors")
    for (index, endpoint) in plan.endpoints.enumerated() {
      part.total += endpoint.places.count
      for (number, place) in endpoint.places.enumerated() {
        if reached.places.contains(PlanCoverage.Place(endpoint: index, number: number)) { continue }
        let declared = endpoint.declaration.places.first { $0.path.value == place.path }
        let text = "descriptor '\(place.path)' → \(place.record) of the endpoint '\(endpoint.name)'"
        part.gaps.append(Gap(span: declared?.path.span ?? endpoint.declaration.span, text: text))
      }
    }
    return part
  }

  private func errorRules(of mapping: Mapping) -> Part {
    var part = Part(name: "error rules")
    let own = mapping.endpoints.map { (rules: $0.errors, owner: " of the endpoint '\($0.name.value)'") }
    for (rules, owner) in own + [(mapping.errors, "")] {
      part.total += rules.count
      for (number, rule) in rules.enumerated() where !self.rules.contains(Place(rule.span)) {
        part.gaps.append(Gap(span: rule.span, text: "error rule \(number + 1)\(owner)"))
      }
    }
    return part
  }
}
