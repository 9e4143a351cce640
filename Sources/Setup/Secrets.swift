import Glibc
package import MappingLanguage

/// Values of `${secret.X}`: of a file of `NAME=value` lines, or the environment; the file wins.
package struct Secrets: Sendable {
  private var values: [(name: String, value: String)] = []

  /// The value of a secret that is nowhere, where none is needed: answers come from files.
  package var placeholder: String?

  /// The names that a file has; nil without a file.
  package private(set) var namesInFile: [String]?

  package init() {}

  package init(_ values: [String: String]) {
    self.values = values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  package enum Reading {
    case secrets(Secrets)
    /// The number of a line that cannot be understood, and why, without its text.
    case badLine(Int, String)
  }

  /// Reads lines `NAME=value`: white space around the name does not count, the value goes to the line's end as it is.
  ///
  /// `#` begins a comment line; blank lines and a byte order mark are passed over. Anything else is an error: so is a
  /// name with white space in it (`export NAME`), a name that stands twice, and a value that is empty.
  package static func read(_ bytes: [UInt8]) -> Reading {
    var secrets = Secrets()
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let content = line.drop(while: isBlank)
      if content.isEmpty || content.first == UInt8(ascii: "#") { continue }
      if let reason = secrets.add(line) { return .badLine(index + 1, reason) }
    }
    secrets.namesInFile = secrets.values.map(\.name)
    return .secrets(secrets)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Why the line is none.
  private mutating func add(_ line: ArraySlice<UInt8>) -> String? {
    guard let mark = line.firstIndex(of: UInt8(ascii: "=")) else {
      return "a line of the secrets file is NAME=value, or a comment that begins with '#'"
    }
    var name = line[..<mark].drop(while: Self.isBlank)
    while name.last.map(Self.isBlank) ?? false { name.removeLast() }
    let value = line[(mark + 1)...]
    if name.isEmpty { return "a secret has no name before its '='" }
    if name.contains(where: Self.isBlank) { return "the name of a secret has white space in it; write NAME=value" }
    guard let nameText = String(validating: name, as: UTF8.self),
      let valueText = String(validating: value, as: UTF8.self), !line.contains(0), !line.contains(UInt8(ascii: "\r"))
    else { return "the line is no text in UTF-8, or holds a control character" }
    if value.isEmpty { return "the secret has no value" }
    if values.contains(where: { $0.name.utf8.elementsEqual(nameText.utf8) }) { return "the secret stands twice" }
    values.append((nameText, valueText))
    return nil
  }

  /// A variable of the environment that is empty holds no secret.
  package func value(_ name: String) -> String? {
    if let entry = values.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) { return entry.value }
    if let text = getenv(name), text.pointee != 0 { return String(cString: text) }
    return placeholder
  }

  /// Values of the secrets that a mapping names: what must never be shown.
  package func values(namedIn mapping: Mapping) -> [String] {
    var found: [String] = []
    for name in mapping.secretNames {
      if let value = value(name), value != placeholder, !found.contains(value) { found.append(value) }
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
    templates += source.auth?.templates ?? []
    templates += source.tls.templates
    if let proxy = source.proxy { templates.append(proxy.value) }
    for endpoint in endpoints {
      templates += endpoint.paths.map(\.value) + endpoint.headers.map(\.value.value)
      templates += endpoint.params.flatMap(\.values).map(\.value) + (endpoint.body?.templates.map(\.value) ?? [])
    }
    return templates
  }
}
