import Glibc
package import MappingLanguage

/// Values of `${secret.X}`: of a file of `NAME=value` lines, or the environment; the file wins.
package struct Secrets: Sendable {
  private var values: [(name: String, value: String)] = []

  /// The value of a secret that is nowhere, where none is needed: answers come from files.
  package var placeholder: String?

  package init() {}

  /// Lines `NAME=value`; `#` begins a comment line, blank lines are passed over. Nil, with the line's number, for a
  /// line without `=`.
  package enum Reading {
    case secrets(Secrets)
    case badLine(Int)
  }

  package static func read(_ bytes: [UInt8]) -> Reading {
    var secrets = Secrets()
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var line = line
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if isBlank || line.first == UInt8(ascii: "#") { continue }
      guard let mark = line.firstIndex(of: UInt8(ascii: "=")), mark > line.startIndex else {
        return .badLine(index + 1)
      }
      secrets.values.append(
        (String(decoding: line[..<mark], as: UTF8.self), String(decoding: line[(mark + 1)...], as: UTF8.self)))
    }
    return .secrets(secrets)
  }

  package func value(_ name: String) -> String? {
    if let entry = values.last(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return entry.value }
    return getenv(name).map { String(cString: $0) } ?? placeholder
  }

  /// Values of the secrets that a mapping names: what must never be shown.
  package func values(namedIn mapping: Mapping) -> [String] {
    var found: [String] = []
    for name in mapping.secretNames {
      if let value = value(name), !value.isEmpty, value != placeholder, !found.contains(value) { found.append(value) }
    }
    return found
  }
}

extension Mapping {
  /// Names of all secrets in requests, each once.
  package var secretNames: [String] {
    var names: [String] = []
    for piece in requestTemplates.flatMap(\.pieces) {
      if case .secret(let name) = piece, !names.contains(name) { names.append(name) }
    }
    return names
  }

  private var requestTemplates: [Template] {
    var templates = source.headers.map(\.value.value) + source.params.flatMap(\.values).map(\.value)
    if let url = source.baseURL { templates.append(url.value) }
    if let url = store?.url { templates.append(url.value) }
    switch source.auth {
    case nil: break
    case .apiKey(_, _, let value): templates.append(value.value)
    case .basic(let username, let password): templates += [username.value, password.value]
    case .bearer(let token): templates.append(token.value)
    }
    for endpoint in endpoints {
      templates += endpoint.paths.map(\.value) + endpoint.headers.map(\.value.value)
      templates += endpoint.params.flatMap(\.values).map(\.value)
    }
    return templates
  }
}
