import Diagnostics
import Fetch
import MappingLanguage
import PlanCompiler
import Records
import Setup

/// A mapping that was read and checked: what an API has, and which tables it becomes.
///
/// A mapping is a YAML file in the language of `docs/mapping-language.md`. It is a value: reading it makes no request and
/// opens no database, and one mapping may serve many runs, also at the same time.
///
/// ```swift
/// let mapping = try Mapping(contentsOfFile: "boats.yaml", variables: ["since": "2015-07-01"])
/// let mapped = try mapping.records(in: .file("boats.json"))
/// ```
public struct Mapping: Sendable {
  private(set) var loaded: LoadedMapping
  private(set) var secrets: Secrets
  /// Keeps the secrets out of all that is said.
  let redactor: Redactor

  /// Warnings, in the order of their places. A mapping with errors cannot be made.
  public let diagnostics: [MappingDiagnostic]

  /// The name of the source, as the mapping's `source` section has it.
  public var source: String { loaded.plan.source }

  /// The names of the endpoints, in the order of the file.
  public var endpoints: [String] { loaded.plan.endpoints.map(\.name) }

  /// The tables that the mapping fills, those of children and links included.
  public let tables: [Table]
  /// In the order of the plan's, with those that no store has.
  let planTables: [Table]

  /// Reads and checks a mapping's file, and the files that it includes.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the current folder. Diagnostics name it as it is given.
  ///   - variables: Values of the mapping's `variables`, each read as the variable's type has it; they go before the
  ///     defaults.
  ///   - secrets: Values of `${secret.NAME}`; what is not among them is looked for in the environment. A secret may lack
  ///     a value until a run needs it.
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/unreadableFile``,
  ///   ``IngestError/Code/invalidMapping`` when the mapping has errors, or ``IngestError/Code/invalidArgument`` when
  ///   one of the variables is not the mapping's, or not of its type.
  public init(
    contentsOfFile path: String, variables: [String: String] = [:], secrets: [String: String] = [:]
  ) throws(IngestError) {
    try self.init(try Self.file(path), variables, secrets)
  }

  /// Reads and checks a mapping that is at hand as text.
  ///
  /// - Parameters:
  ///   - yaml: The text.
  ///   - name: What diagnostics call it. Files that it includes are looked for beside a file of that name.
  ///   - variables: As of ``init(contentsOfFile:variables:secrets:)``.
  ///   - secrets: As of ``init(contentsOfFile:variables:secrets:)``.
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/invalidMapping`` or
  ///   ``IngestError/Code/invalidArgument``.
  public init(
    yaml: String, name: String = "mapping.yaml", variables: [String: String] = [:], secrets: [String: String] = [:]
  ) throws(IngestError) {
    try self.init(SourceFile(name: name, text: yaml), variables, secrets)
  }

  /// All findings about a mapping's file, errors and warnings, as `ingest validate` has them: empty when there is none.
  ///
  /// The mapping's `tests` are run. Variables and secrets need no value.
  ///
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/unreadableFile``.
  public static func diagnostics(ofFile path: String) throws(IngestError) -> [MappingDiagnostic] {
    let file = try file(path)
    do throws(LoadedMapping.Failure) {
      return try MappingCheck.check(file).allFindings.map(MappingDiagnostic.init)
    } catch {
      throw IngestError(.invalidArgument, error.message)
    }
  }

  /// The table of that name.
  ///
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/unknownName``.
  public func table(_ name: String) throws(IngestError) -> Table {
    guard let table = tables.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw .unknown("table", name, among: tables.map(\.name))
    }
    return table
  }

  private init(
    _ file: SourceFile, _ variables: [String: String], _ values: [String: String]
  ) throws(IngestError) {
    let secrets = Secrets(values)
    let settings = variables.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    let outcome: LoadedMapping.Outcome
    do throws(LoadedMapping.Failure) {
      outcome = try LoadedMapping.read(file, for: .running(settings: settings, secrets: secrets))
    } catch {
      throw IngestError(.invalidArgument, error.message)
    }
    diagnostics = outcome.diagnostics.map(MappingDiagnostic.init)
    guard let loaded = outcome.loaded else {
      throw IngestError(.invalidMapping, "the mapping '\(file.name)' has errors", diagnostics: diagnostics)
    }
    self.loaded = loaded
    self.secrets = secrets
    redactor = Redactor(secrets: secrets.values(namedIn: loaded.mapping))
    let planTables = loaded.plan.tables.map { table in
      Table(table.shape, record: table.record.map { loaded.plan.recordNames[$0] })
    }
    self.planTables = planTables
    tables = planTables.indices.filter { loaded.plan.tables[$0].shape.role != .membership }.map { planTables[$0] }
  }

  /// The same with other secrets.
  init(_ other: Mapping, secrets: Secrets) {
    self = other
    self.secrets = secrets
    loaded = other.loaded.replacing { secrets.value($0) }
  }

  private static func file(_ path: String) throws(IngestError) -> SourceFile {
    switch FileText.read(path, limit: MappingReader.mostBytes) {
    case .bytes(let bytes): return SourceFile(name: path, bytes: bytes)
    case .failed(let reason):
      throw IngestError(.unreadableFile, "the mapping '\(path)' cannot be read: \(reason)")
    }
  }
}
