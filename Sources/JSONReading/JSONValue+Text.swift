import Glibc

extension JSONValue {
  /// Writes a string's value, which is never longer than `stringText`; returns its length.
  package func decodeString(into target: UnsafeMutableRawPointer) -> Int { Escape.decode(stringText, into: target) }

  /// A string's value; the source text of any other value.
  package var stringValue: String {
    guard kind == .string else { return String(decoding: rawText, as: UTF8.self) }
    guard hasEscapes else { return String(decoding: stringText, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: stringText.count) { buffer in
      guard let target = buffer.baseAddress else { return 0 }
      return decodeString(into: target)
    }
  }

  /// A string's value as bytes.
  package var stringBytes: [UInt8] {
    guard hasEscapes else { return Array(stringText) }
    return [UInt8](unsafeUninitializedCapacity: stringText.count) { buffer, count in
      count = buffer.baseAddress.map { decodeString(into: $0) } ?? 0
    }
  }

  /// Is this string, its escapes decoded, equal to these bytes?
  @inlinable package func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let text = stringText
    if hasEscapes { return isEscapedText(bytes) }
    guard text.count == bytes.count else { return false }
    guard let a = text.baseAddress, let b = bytes.baseAddress else { return true }
    return memcmp(a, b, text.count) == 0
  }

  /// Is this string, its escapes decoded, this name?
  @inlinable package func isText(_ name: JSONName) -> Bool { name.bytes.withUnsafeBytes { isText($0) } }

  @usableFromInline func isEscapedText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    stringText.count > bytes.count && stringBytes.elementsEqual(bytes)
  }
}
