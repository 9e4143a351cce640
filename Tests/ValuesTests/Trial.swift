import Records

@testable import Values  // the parts that other targets do not see are tested here too

/// One value through one conversion, as a text that a table can hold.
enum Trial {
  /// `json` is the JSON text of one value.
  static func raw(_ json: String, _ arena: ByteArena) -> RawValue {
    let source = arena.copy(json)
    switch json.utf8.first {
    case UInt8(ascii: "\""):
      let inner = UnsafeRawBufferPointer(rebasing: source[1..<source.count - 1])
      return RawValue(kind: .text, text: JSONEscapes.decode(inner, into: arena), source: source)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return RawValue(kind: .structure, text: source, source: source)
    case UInt8(ascii: "t"): return RawValue(kind: .boolean, flag: true, source: source)
    case UInt8(ascii: "f"): return RawValue(kind: .boolean, source: source)
    case UInt8(ascii: "n"): return RawValue(kind: .null, source: source)
    default:
      let whole = json.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
      return RawValue(kind: .number, flag: whole, text: source, source: source)
    }
  }

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
