package import Diagnostics
import JSONReading
package import MappingLanguage
import Records
import Values

/// Turns a mapping into a plan, or into findings about it.
///
/// The order is RestKit's: all records, then all relationships, then one response descriptor for every pattern and key
/// path of every endpoint; so records may refer to one another wherever they stand.
package struct PlanCompiler {
  let mapping: Mapping
  let scope: Interpolation
  var diagnostics: [Diagnostic] = []

  var drafts: [TableDraft] = []
  var rows: [RowPlan] = []
  var recordNames: [String] = []
  var choices: [ChoicePlan] = []
  /// The choice of each declaration that is one, by the declaration's index.
  var choiceOf: [Int: Int] = [:]
  var endpoints: [EndpointPlan] = []
  var descriptors: [ResponseDescriptor] = []
  var errors: [ErrorRulePlan] = []

  /// The row plan of each record with a table of its own, by the record's index in the mapping.
  var ownRow: [Int: Int] = [:]
  /// The declaration of each row plan, as an index into the mapping's records.
  var declarationOfRow: [Int] = []
  /// Row plans whose relationships wait to be compiled.
  var pending: [Int] = []
  /// Records that some endpoint or relationship reaches.
  var reached: Set<Int> = []

  init(_ mapping: Mapping, scope: Interpolation) {
    self.mapping = mapping
    self.scope = scope
  }

  /// The plan, when nothing forbids it, and all findings in the order of their places.
  package static func compile(
    _ mapping: Mapping, scope: Interpolation
  ) -> (plan: Plan?, diagnostics: [Diagnostic]) {
    var compiler = PlanCompiler(mapping, scope: scope)
    compiler.compileChoices()
    compiler.compileRecords()
    compiler.compileRelationships()
    compiler.finishTables()
    compiler.noteRejectedParents()
    compiler.compileEndpoints()
    compiler.errors = mapping.errors.map { compiler.compileRule($0) }
    compiler.checkDescriptors()
    compiler.checkReach()
    let diagnostics = compiler.diagnostics.inOrder()
    guard !diagnostics.containsErrors else { return (nil, diagnostics) }
    let plan = Plan(
      source: mapping.source.name.value,
      tables: compiler.drafts.map { TablePlan(shape: $0.shape, record: $0.record) }, rows: compiler.rows,
      recordNames: compiler.recordNames, choices: compiler.choices, endpoints: compiler.endpoints,
      router: Router(descriptors: compiler.descriptors), errors: compiler.errors)
    return (plan, diagnostics)
  }

  mutating func report(
    _ code: DiagnosticCode, _ message: String, at span: SourceSpan, hint: String? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    diagnostics.append(Diagnostic(code, message, at: span, hint: hint, severity: severity))
  }

  /// The index of a record in the mapping. The reader has reported unknown names already.
  func recordIndex(_ name: String) -> Int? {
    mapping.records.firstIndex { $0.name.value.utf8.elementsEqual(name.utf8) }
  }

  /// The index of a record's name among those that are counted.
  mutating func countedName(_ name: String) -> Int {
    if let index = recordNames.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return index }
    recordNames.append(name)
    return recordNames.count - 1
  }

  /// Adds a table, and reports it when another one has its name.
  mutating func addTable(_ draft: TableDraft) -> Int {
    if let other = drafts.first(where: { Identifier.areSame($0.shape.name, draft.shape.name) }) {
      let (first, second) = draft.span.isWritten(before: other.span) ? (draft, other) : (other, draft)
      report(
        .duplicateTable,
        "two records or relationships fill the table '\(second.shape.name)', the first on line "
          + "\(first.span.start.line)", at: second.span, hint: "give one of them another name")
    }
    drafts.append(draft)
    return drafts.count - 1
  }

  func shape(ofRow row: Int) -> TableShape { drafts[rows[row].table].shape }

  func declaration(ofRow row: Int) -> RecordDeclaration { mapping.records[declarationOfRow[row]] }
}

extension RecordDeclaration {
  var isAppended: Bool { write?.value == .append }
  var isChoice: Bool { cases != nil }
  var isReplaced: Bool { write?.value == .replace }
  var hasOwnTable: Bool { !isChoice && (!key.isEmpty || isAppended || isReplaced) }
}
