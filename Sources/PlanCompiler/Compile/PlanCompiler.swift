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
  /// The declaration of each choice.
  var declarationOfChoice: [Int] = []
  var endpoints: [EndpointPlan] = []
  var descriptors: [ResponseDescriptor] = []
  var errors: [ErrorRulePlan] = []

  /// The row plan of each record with a table of its own, by the record's index in the mapping.
  var ownRow: [Int: Int] = [:]
  /// The declaration of each row plan, as an index into the mapping's records.
  var declarationOfRow: [Int] = []
  /// The first record of each name in the mapping, the number of each counted name, and the first table of each name.
  private let recordOfName: [NameKey: Int]
  private let variableNames: Set<NameKey>
  private var countedNames: [NameKey: Int] = [:]
  private var tableOfName: [NameKey: Int] = [:]
  /// The longest chain of `$parent`, once all rows are there.
  var highestParent: Int?
  /// Found with the first place, when all rows are there (`PlaceReach`).
  var lookers: Set<Int>?
  var rootReaders: [PlaceReach.Readers]?
  var bodyReaders: [PlaceReach.Readers]?
  var pageReaders: [PlaceReach.Readers]?
  /// Row plans of children that a relationship sweeps when they lost their last parent.
  var orphanedRows: Set<Int> = []
  /// Row plans whose relationships wait to be compiled.
  var pending: [Int] = []
  /// Records that some endpoint or relationship reaches.
  var reached: Set<Int> = []

  init(_ mapping: Mapping, scope: Interpolation) {
    self.mapping = mapping
    self.scope = scope
    variableNames = Set(mapping.variables.map { NameKey($0.name.value) })
    recordOfName = Dictionary(
      mapping.records.enumerated().map { (NameKey($1.name.value), $0) }, uniquingKeysWith: { first, _ in first })
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
    compiler.noteRejectedRows()
    compiler.compileEndpoints()
    compiler.errors = mapping.errors.map { compiler.compileRule($0) }
    compiler.checkDescriptors()
    compiler.checkReach()
    compiler.checkSoundness()
    compiler.checkCapacity()
    let order = compiler.orderEndpoints()
    let diagnostics = compiler.diagnostics.inOrder()
    guard !diagnostics.containsErrors else { return (nil, diagnostics) }
    let plan = Plan(
      source: mapping.source.name.value,
      tables: compiler.drafts.map { TablePlan(shape: $0.shape, record: $0.record) }, rows: compiler.rows,
      recordNames: compiler.recordNames, choices: compiler.choices, endpoints: compiler.endpoints, order: order,
      router: Router(descriptors: compiler.descriptors), errors: compiler.errors)
    return (plan, diagnostics)
  }

  mutating func report(
    _ code: DiagnosticCode, _ message: String, at span: SourceSpan, hint: String? = nil,
    severity: Diagnostic.Severity = .error
  ) {
    diagnostics.append(Diagnostic(code, message, at: span, hint: hint, severity: severity))
  }

  /// Are all variables declared that a template names? The reader has reported the others already.
  func declares(_ pieces: [Template.Piece]) -> Bool {
    pieces.allSatisfy { piece in
      guard case .variable(let name, _) = piece else { return true }
      return declares(name)
    }
  }

  func declares(_ variable: String) -> Bool { variableNames.contains(NameKey(variable)) }

  /// The index of a record in the mapping. The reader has reported unknown names already.
  func recordIndex(_ name: String) -> Int? { recordOfName[NameKey(name)] }

  /// The index of a record's name among those that are counted.
  mutating func countedName(_ name: String) -> Int {
    let key = NameKey(name)
    if let index = countedNames[key] { return index }
    countedNames[key] = recordNames.count
    recordNames.append(name)
    return recordNames.count - 1
  }

  /// Adds a table, and reports it when another one has its name.
  mutating func addTable(_ draft: TableDraft) -> Int {
    let name = NameKey(folding: draft.shape.name)
    if let number = tableOfName[name] {
      let other = drafts[number]
      let (first, second) = draft.span.isWritten(before: other.span) ? (draft, other) : (other, draft)
      report(
        .duplicateTable,
        "two records or relationships fill the table '\(second.shape.name)', the first on line "
          + "\(first.span.start.line)", at: second.span, hint: "give one of them another name")
    } else {
      tableOfName[name] = drafts.count
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
