import Values

/// Why a text with `${…}` cannot be read.
struct TemplateError: Error {
  let message: String
  let hint: String?
  /// `${kind.name}` with a kind that the language does not have.
  var unknownKind: String?
}

/// Reads `${…}` in scalars. What the names refer to is checked where the names are known.
enum TemplateReader {
  static let kinds = ["env", "secret", "each"]

  static func read(_ text: String, core: Literal) throws(TemplateError) -> Template {
    var pieces: [Template.Piece] = []
    var literal = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.first {
      if rest.starts(with: "$${".unicodeScalars) {
        literal.append(contentsOf: "${".unicodeScalars)
        rest.removeFirst(3)
      } else if rest.starts(with: "${".unicodeScalars) {
        rest.removeFirst(2)
        guard let end = rest.firstIndex(of: "}") else {
          throw TemplateError(
            message: "'${' is not closed by '}' in '\(text)'", hint: "a literal '${' is written '$${'")
        }
        if !literal.isEmpty { pieces.append(.text(String(literal))) }
        literal = String.UnicodeScalarView()
        pieces.append(try piece(String(rest[..<end]), of: text))
        rest = rest[rest.index(after: end)...]
      } else {
        literal.append(scalar)
        rest.removeFirst()
      }
    }
    let isConstant = pieces.isEmpty
    if !literal.isEmpty { pieces.append(.text(String(literal))) }
    guard isConstant, case .text = core else { return Template(pieces: pieces, core: core) }
    return Template(pieces: pieces, core: isConstant ? .text(String(literal)) : core)
  }

  private static func piece(_ inside: String, of text: String) throws(TemplateError) -> Template.Piece {
    let parts = inside.unicodeScalars.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      .map { String($0) }
    let (name, pattern) = (parts[0], parts.count == 2 ? parts[1] : nil)
    if name.isEmpty { throw TemplateError(message: "'${\(inside)}' names nothing", hint: "write '${name}'") }
    if pattern?.isEmpty == true {
      throw TemplateError(message: "'${\(inside)}' has an empty date pattern", hint: "write '${name:yyyy-MM-dd}'")
    }
    if let pattern { try check(pattern, of: inside) }
    if name.isSame(as: "now") { return .now(pattern: pattern) }
    if name.utf8.starts(with: "today".utf8), let offset = try days(name, in: inside) {
      return .today(offset: offset, pattern: pattern)
    }
    guard let dot = name.unicodeScalars.firstIndex(of: ".") else { return .variable(name, pattern: pattern) }
    let kind = String(name.unicodeScalars[..<dot])
    let member = String(name.unicodeScalars[name.unicodeScalars.index(after: dot)...])
    guard kinds.contains(where: { $0.isSame(as: kind) }) else {
      throw TemplateError(
        message: "'${\(inside)}' is of an unknown kind, '\(kind)'",
        hint: "there are ${name}, ${env.NAME}, ${secret.NAME}, ${each.NAME}, ${now} and ${today}", unknownKind: kind)
    }
    if member.isEmpty { throw TemplateError(message: "'${\(inside)}' names nothing", hint: "write '${\(kind).NAME}'") }
    if kind.isSame(as: "each") { return .each(member, pattern: pattern) }
    if pattern != nil {
      throw TemplateError(message: "'${\(inside)}' has a date pattern, but is no date", hint: "write '${\(name)}'")
    }
    return kind.isSame(as: "env") ? .environment(member) : .secret(member)
  }

  /// It writes a date, or a part of one, and a name such as `epoch_ms` is none of a pattern.
  private static func check(_ pattern: String, of inside: String) throws(TemplateError) {
    if DateFormat.names.contains(where: { $0.isSame(as: pattern) }) {
      throw TemplateError(
        message: "'\(pattern)' in '${\(inside)}' is the name of a format, and only a date pattern can stand there",
        hint: "write one such as yyyy-MM-dd")
    }
    do throws(DatePattern.Fault) {
      try DatePattern(pattern).expectSense()
    } catch {
      throw TemplateError(message: error.message, hint: error.hint)
    }
  }

  /// The offset of `today`, `today-7d`, `today+1d`; nil for another name that begins so.
  private static func days(_ name: String, in inside: String) throws(TemplateError) -> Int? {
    let rest = name.unicodeScalars.dropFirst("today".unicodeScalars.count)
    guard let sign = rest.first else { return 0 }
    guard sign == "-" || sign == "+" else { return nil }
    let digits = rest.dropFirst().dropLast()
    guard rest.last == "d", !digits.isEmpty, digits.count <= 6, digits.allSatisfy({ ("0"..."9").contains($0) }),
      let days = Int(String(digits))
    else {
      throw TemplateError(message: "'${\(inside)}' is no day", hint: "write '${today-7d}'")
    }
    return sign == "-" ? -days : days
  }
}

extension Template {
  /// The names of the secrets in it.
  var secrets: [String] {
    pieces.compactMap { if case .secret(let name) = $0 { name } else { nil } }
  }

  /// Its text, if it holds no `${…}`.
  package var constantText: String? {
    var text = ""
    for piece in pieces {
      guard case .text(let part) = piece else { return nil }
      text += part
    }
    return text
  }
}
