import JSONReading
import Records
import Synchronization

@testable import Values  // the parts that other targets do not see are tested here too

/// One value through one conversion, as a text that a table can hold.
enum Trial {
  /// `json` is the JSON text of one value.
  static func raw(_ json: String, _ arena: ByteArena) throws -> RawValue {
    let document = try JSONDocument(Array(json.utf8))
    documents.withLock { $0.append(document) }
    return RawValue(document.root, arena: arena)
  }

  /// A value points into its document, so that these live as long as the tests do.
  private static let documents = Mutex<[JSONDocument]>([])

  static func text(_ converted: Converted) -> String {
    switch converted {
    case .null: "null"
    case .invalid: "invalid"
    case .cell(let cell):
      switch cell.kind {
      case .missing: "missing"
      case .null: "null"
      case .integer: "\(cell.integerValue)"
      case .real: "real \(cell.realValue)"
      case .text: "'\(cell.stringValue)'"
      case .bytes: "bytes \(Array(cell.rawBytes))"
      }
    }
  }

  static func run(_ spec: ConversionSpec, _ json: String) throws -> String {
    let arena = ByteArena()
    return text(try conversion(spec).convert(raw(json, arena), into: arena))
  }

  /// The reason for which a value is refused.
  static func reason(_ spec: ConversionSpec, _ json: String) throws -> String? {
    let arena = ByteArena()
    guard case .invalid(let reason) = try conversion(spec).convert(raw(json, arena), into: arena) else { return nil }
    return reason
  }

  static func conversion(_ spec: ConversionSpec) throws -> Conversion {
    let (conversion, issues) = Conversion.compile(spec)
    if let issue = issues.first { throw issue }
    guard let conversion else { throw Missing() }
    return conversion
  }

  static func issues(_ spec: ConversionSpec) -> [ConversionIssue] { Conversion.compile(spec).issues }

  struct Missing: Error {}
}
