/// How the bytes of a file are packed.
package enum Packing: String, Sendable, CaseIterable {
  case gzip = ".gz"
  case zstd = ".zst"

  /// By the end of the file's name.
  package init?(ofFile name: String) {
    guard let packing = Self.allCases.first(where: { name.lowercased().hasSuffix($0.rawValue) }) else { return nil }
    self = packing
  }

  /// By the first bytes, with which no JSON text begins.
  init?(magic bytes: [UInt8]) {
    if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      self = .zstd
    } else {
      return nil
    }
  }

  /// A file's name without what says how it is packed.
  package static func unpackedName(_ name: String) -> String {
    guard let packing = Packing(ofFile: name) else { return name }
    return String(name.dropLast(packing.rawValue.count))
  }

  /// As messages name it.
  var spoken: String {
    switch self {
    case .gzip: "gzip"
    case .zstd: "zstd"
    }
  }
}
