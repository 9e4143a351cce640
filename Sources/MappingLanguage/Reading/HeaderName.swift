/// What HTTP lets a header be.
package enum HeaderName {
  /// Methods whose answers have no body, or that are no requests for one.
  static let bodilessMethods = ["HEAD", "CONNECT", "TRACE"]

  static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]

  /// A token: letters, digits and a few signs.
  static func isValid(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar))
      }
  }

  /// Headers that tell where a body ends follow from the body.
  static func isReserved(_ name: String) -> Bool {
    ["content-length", "transfer-encoding"].contains { $0.isSame(as: name.lowercased()) }
  }

  /// Why no request can have such a header; nil when one can.
  package static func fault(in name: String) -> String? {
    if !isValid(name) { return "'\(name)' is no name of a header" }
    return isReserved(name) ? "the header '\(name)' cannot be set: it follows from the body" : nil
  }

  /// A value that breaks no line, and has no other control character.
  package static func isValidValue(_ value: String) -> Bool {
    value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }
}
