/// A name as a key of a dictionary: by its bytes, or as a database folds it.
package struct NameKey: Hashable, Sendable {
  let bytes: [UInt8]

  package init(_ name: String) { bytes = Array(name.utf8) }

  /// ASCII letters in lower case: two columns or tables with one such key are one to SQLite.
  package init(folding name: String) {
    bytes = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}

extension String {
  /// Equal byte for byte: `==` also holds for canonically equivalent texts.
  package func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
