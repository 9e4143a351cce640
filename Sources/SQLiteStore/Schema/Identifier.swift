#if FAULTS
  import Faults
#endif

/// A name of a table, column or index. All SQL that the store writes gets its names through `quoted`.
enum Identifier {
  /// The name as SQL writes it, whatever is in it.
  static func quoted(_ name: String) -> String {
    #if FAULTS
      if Fault.identifier.isOn { return name }
    #endif
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in name.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }

  static func quoted(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }
}

/// A name as SQLite compares it: ASCII letters fold, nothing else does.
struct FoldedName: Hashable {
  private let bytes: [UInt8]

  init(_ name: String) {
    bytes = name.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 + 32 : $0 }
  }
}
