/// A file of user names and passwords by host, as `ftp` and `curl` read it.
package struct NetrcFile: Sendable {
  package struct Entry: Sendable {
    /// Nil for `default`.
    package var machine: String?
    package var login: String?
    package var password: String?
  }

  package private(set) var entries: [Entry] = []

  /// Words are parted by white space; one in double quotes may hold some, with `\` before a quote. `#` in front of a word
  /// begins a comment, and the lines of a `macdef` are passed over up to an empty one. What is not understood is, too.
  package init(_ bytes: [UInt8]) {
    var words = NetrcWords(bytes)
    // Ends: each turn takes a word.
    while let word = words.next() {
      switch word {
      case "machine": if let name = words.next() { entries.append(Entry(machine: name)) }
      case "default": entries.append(Entry())
      case "macdef": words.skipMacro()
      case "login": set(\.login, words.next())
      case "password": set(\.password, words.next())
      case "account": _ = words.next()
      default: if word.utf8.first == UInt8(ascii: "#") { words.skipLine() }
      }
    }
  }

  private mutating func set(_ part: WritableKeyPath<Entry, String?>, _ value: String?) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1][keyPath: part] = value
  }

  /// The first entry of the host, in any letter case, else the `default`.
  package func entry(for host: String) -> Entry? {
    let wanted = host.utf8.lowercased()
    return entries.first { $0.machine?.utf8.lowercased() == wanted } ?? entries.first { $0.machine == nil }
  }
}

private struct NetrcWords {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static func isSpace(_ byte: UInt8) -> Bool { ASCII.isBlank(byte) || byte == 0x0A || byte == 0x0D }

  mutating func next() -> String? {
    while index < bytes.count, NetrcWords.isSpace(bytes[index]) { index += 1 }
    guard index < bytes.count else { return nil }
    if bytes[index] == 0x22 { return quoted() }
    let word = bytes[index...].prefix { !NetrcWords.isSpace($0) }
    index = word.endIndex
    return String(utf8: word)
  }

  private mutating func quoted() -> String {
    var word: [UInt8] = []
    index += 1
    while index < bytes.count, bytes[index] != 0x22 {
      if bytes[index] == 0x5C, index + 1 < bytes.count { index += 1 }
      word.append(bytes[index])
      index += 1
    }
    index += 1
    return String(utf8: word)
  }

  mutating func skipLine() {
    while index < bytes.count, bytes[index] != 0x0A { index += 1 }
  }

  /// Passes over the name and the lines of a macro.
  mutating func skipMacro() {
    var isLineEmpty = false
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == 0x0A, isLineEmpty { return }
      if byte == 0x0A { isLineEmpty = true } else if byte != 0x0D { isLineEmpty = false }
    }
  }
}
