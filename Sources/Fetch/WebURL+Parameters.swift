/// One `name=value` of a query, as written.
package struct QueryParameter: Sendable, Hashable {
  package var text: String

  /// Percent-decoded, with `+` as a space.
  package var name: String { String(utf8: QueryParameter.decode(text.utf8.prefix { $0 != 0x3D })) }

  /// Percent-decoded, with `+` as a space; empty where there is no `=`.
  package var value: String { String(utf8: QueryParameter.decode(text.utf8.drop { $0 != 0x3D }.dropFirst())) }

  func isNamed(in names: [String]) -> Bool {
    let own = name
    return names.contains { $0.hasSameBytes(as: own) }
  }

  private static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    PercentEncoding.decode(bytes.map { $0 == 0x2B ? 0x20 : $0 })
  }
}

extension WebURL {
  package var parameters: [QueryParameter] {
    guard let query else { return [] }
    return query.utf8.split(separator: 0x26).map { QueryParameter(text: String(utf8: $0)) }
  }

  /// Without the parameters of these names; the other bytes of the query stay as they are.
  package func removingParameters(named names: [String]) -> WebURL {
    let all = parameters
    let kept = all.filter { !$0.isNamed(in: names) }
    guard kept.count < all.count else { return self }
    var url = self
    url.query = kept.isEmpty ? nil : kept.map(\.text).joined(separator: "&")
    return url
  }
}
