/// Why a text is no key path.
package struct KeyPathError: Error, Hashable, Sendable {
  /// The fact; it names the whole text.
  package let message: String
  /// What to write instead.
  package let hint: String?
  /// Where in the text it goes wrong, in Unicode scalars from 0.
  package let offset: Int
  /// A context name that the language does not have, `$paernt`: the caller may know a nearer one.
  package let unknownContext: String?

  package init(message: String, hint: String? = nil, offset: Int, unknownContext: String? = nil) {
    self.message = message
    self.hint = hint
    self.offset = offset
    self.unknownContext = unknownContext
  }
}

extension KeyPath {
  /// The names that a first segment may have to read the context of a record.
  package static let contextNames = [
    "$key", "$index", "$parent", "$root", "$route", "$query", "$request", "$response", "$fetched_at", "$run", "$var",
  ]

  /// Reads a key path as it is written in a mapping. Where it may stand, and with what context, is the caller's matter.
  package static func parse(_ text: String) throws(KeyPathError) -> KeyPath {
    var parser = KeyPathParser(text)
    return try parser.keyPath()
  }

  /// The path of one member, whatever its name holds.
  package static func member(named name: String) -> KeyPath {
    KeyPath(origin: .value, steps: [.member(JSONName(name))], text: quotedIfNeeded(name))
  }

  /// A name as a segment: bare where that is possible, otherwise in quotes.
  package static func quotedIfNeeded(_ name: String) -> String {
    let isBare = !name.isEmpty && name.unicodeScalars.allSatisfy { !KeyPathParser.endsBareSegment($0) }
    if isBare && !name.utf8.starts(with: "$".utf8) { return name }
    var quoted = "\""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

/// A cursor over the scalars of one key path. Each loop moves it forward, so a text of n scalars takes n steps.
private struct KeyPathParser {
  private enum Segment {
    case bare(String)
    case quoted(JSONName)
    case eachMember

    var name: JSONName? {
      switch self {
      case .bare(let text): JSONName(text)
      case .quoted(let name): name
      case .eachMember: nil
      }
    }
  }

  private let text: String
  private let scalars: [Unicode.Scalar]
  private var at = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  static func endsBareSegment(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "[", "]", "\"", "*": true
    // Of the white space below U+0080 these are all.
    case _ where scalar.isASCII: scalar == " " || 9...13 ~= scalar.value
    default: scalar.properties.isWhitespace
    }
  }

  mutating func keyPath() throws(KeyPathError) -> KeyPath {
    if scalars.isEmpty { throw problem("a key path is empty", hint: "'.' is the value itself") }
    if text.utf8.elementsEqual(".".utf8) { return KeyPath(origin: .value, steps: [], text: text) }
    var origin = KeyPath.Origin.value
    var steps: [KeyPath.Step] = []
    if scalars.starts(with: [".", "*"]) { at = 1 }
    if peek == "$" {
      origin = try context()
    } else if peek != "[" {
      steps.append(step(try segment()))
    }
    while at < scalars.count {
      if peek == "[" {
        steps.append(try bracket())
      } else {
        try dot()
        steps.append(step(try segment()))
      }
    }
    return KeyPath(origin: origin, steps: steps, text: text)
  }

  private var peek: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private func step(_ segment: Segment) -> KeyPath.Step {
    segment.name.map(KeyPath.Step.member) ?? .eachMember
  }

  private func problem(
    _ message: String, hint: String? = nil, at offset: Int? = nil, unknownContext: String? = nil
  ) -> KeyPathError {
    KeyPathError(message: message, hint: hint, offset: offset ?? at, unknownContext: unknownContext)
  }

  private mutating func dot() throws(KeyPathError) {
    guard peek == "." else { throw problem("'.' or '[' is expected behind a segment of the key path '\(text)'") }
    at += 1
  }

  // MARK: Segments

  private mutating func segment() throws(KeyPathError) -> Segment {
    switch peek {
    case "\"": return .quoted(try quoted())
    case "*":
      at += 1
      return .eachMember
    default: return .bare(try bare())
    }
  }

  private mutating func bare() throws(KeyPathError) -> String {
    let start = at
    while let scalar = peek, !Self.endsBareSegment(scalar) { at += 1 }
    if let scalar = peek, scalar.properties.isWhitespace { throw whiteSpace(from: start) }
    if start == at {
      let hint: String? =
        if start == 0 && scalars.count > 1 {
          "a key path begins with a name, '$', '[' or '.' alone"
        } else if start == scalars.count {
          "leave out the last '.', or name the member behind it"
        } else {
          nil
        }
      throw problem("a segment of the key path '\(text)' is empty", hint: hint)
    }
    if let scalar = peek, scalar == "\"" || scalar == "*" || scalar == "]" {
      throw problem(
        "'\(scalar)' cannot stand within a bare segment of the key path '\(text)'",
        hint: "put the whole segment in quotes: \(Self.yaml(rewritten(segmentAt: start)))")
    }
    return string(start..<at)
  }

  private func whiteSpace(from start: Int) -> KeyPathError {
    problem(
      "a bare segment cannot hold white space, as '\(text)' does",
      hint: "write \(Self.yaml(rewritten(segmentAt: start)))")
  }

  /// The text with the segment that begins at `start` in quotes, up to the next dot or bracket.
  private func rewritten(segmentAt start: Int) -> String {
    var end = start
    while end < scalars.count, scalars[end] != ".", scalars[end] != "[" { end += 1 }
    return string(0..<start) + KeyPath.quotedIfNeeded(string(start..<end)) + string(end..<scalars.count)
  }

  /// As it is written in YAML: a text that holds quotes stands in single ones.
  private static func yaml(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  private func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  private mutating func quoted() throws(KeyPathError) -> JSONName {
    let start = at
    at += 1
    var name = String.UnicodeScalarView()
    while let scalar = peek {
      at += 1
      switch scalar {
      case "\"": return JSONName(String(name))
      case "\\": name.append(try escape())
      default: name.append(scalar)
      }
    }
    throw problem("the quoted segment of the key path '\(text)' is not closed", at: start)
  }

  private mutating func escape() throws(KeyPathError) -> Unicode.Scalar {
    let start = at - 1
    defer { at += 1 }
    switch peek {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let first = try codeUnit(from: start)
      guard UTF16.isLeadSurrogate(first) else {
        if let scalar = Unicode.Scalar(first) { return scalar }
        throw problem("the key path '\(text)' holds half of a surrogate pair", at: start)
      }
      at += 1
      if peek == "\\", at + 1 < scalars.count, scalars[at + 1] == "u" {
        at += 1
        let second = try codeUnit(from: start)
        if UTF16.isTrailSurrogate(second) { return UTF16.decode(UTF16.EncodedScalar([first, second])) }
      }
      throw problem("the key path '\(text)' holds half of a surrogate pair", at: start)
    default:
      throw problem(
        "the key path '\(text)' holds an escape that JSON does not have", hint: "write '\\\\' for a backslash",
        at: start)
    }
  }

  /// The four digits behind `\u`; the cursor is left on the last of them.
  private mutating func codeUnit(from start: Int) throws(KeyPathError) -> UInt16 {
    guard at + 4 < scalars.count, scalars[at + 1...at + 4].allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }),
      let unit = UInt16(string(at + 1..<at + 5), radix: 16)
    else { throw problem("'\\u' needs four hexadecimal digits in the key path '\(text)'", at: start) }
    at += 4
    return unit
  }

  private mutating func bracket() throws(KeyPathError) -> KeyPath.Step {
    let start = at
    at += 1
    let inside = at
    while let scalar = peek, scalar != "]" { at += 1 }
    guard peek == "]" else { throw problem("'[' is not closed in the key path '\(text)'", at: start) }
    let written = string(inside..<at)
    at += 1
    if written.utf8.elementsEqual("*".utf8) { return .eachElement }
    let digits = written.utf8.first == UInt8(ascii: "-") ? written.utf8.dropFirst() : written.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int(written)
    else {
      throw problem(
        "'[\(written)]' is no element of a list in the key path '\(text)'",
        hint: "write a number or '*'; a member's name stands behind a dot, in quotes where it needs them", at: start)
    }
    return .element(number)
  }

  // MARK: Context

  private mutating func context() throws(KeyPathError) -> KeyPath.Origin {
    let name = try bare()
    let origin: KeyPath.Origin
    switch name {
    case "$parent": return try parent()
    case "$root": return .root
    case "$key": origin = .key(levels: 0)
    case "$index": origin = .index(levels: 0)
    case "$fetched_at": origin = .fetchedAt
    case "$route": origin = .route(try named(name))
    case "$query": origin = .query(try named(name))
    case "$var": origin = .variable(try named(name))
    case "$request": origin = try oneOf(["url": .requestURL], of: name)
    case "$run": origin = try oneOf(["id": .runID], of: name)
    case "$response": origin = try response()
    case "$" where peek == ".":
      throw problem(
        "'$' is no context name in the key path '\(text)'",
        hint: "a key path begins at the record: write '\(string(at + 1..<scalars.count))'", at: 0)
    default:
      throw problem(
        "'\(name)' is no context name in the key path '\(text)'",
        hint:
          "a member of that name is written in quotes: '\(KeyPath.quotedIfNeeded(name))\(string(at..<scalars.count))'",
        at: 0, unknownContext: name)
    }
    return try whole(origin)
  }

  private mutating func response() throws(KeyPathError) -> KeyPath.Origin {
    guard scalars[at...].starts(with: ".headers.".unicodeScalars) else {
      return try oneOf(["status": .responseStatus], of: "$response", also: "$response.headers.NAME")
    }
    at += ".headers".unicodeScalars.count
    return .responseHeader(try named("$response.headers").lowercased())
  }

  private mutating func parent() throws(KeyPathError) -> KeyPath.Origin {
    var levels = 1
    while peek == "." {
      let start = at
      at += 1
      guard peek == "$" else {
        at = start
        break
      }
      switch try bare() {
      case "$parent": levels += 1
      case "$key": return try whole(.key(levels: levels))
      case "$index": return try whole(.index(levels: levels))
      default:
        at = start
        return .parent(levels: levels)
      }
    }
    return .parent(levels: levels)
  }

  /// The one segment behind a context name.
  private mutating func named(_ context: String) throws(KeyPathError) -> String {
    guard peek == "." else {
      throw problem("'\(context)' needs a name in the key path '\(text)'", hint: "write '\(context).NAME'")
    }
    at += 1
    guard let name = try segment().name else {
      throw problem("'\(context)' needs a name, not '*', in the key path '\(text)'")
    }
    return name.description
  }

  private mutating func oneOf(
    _ members: [String: KeyPath.Origin], of context: String, also: String? = nil
  ) throws(KeyPathError) -> KeyPath.Origin {
    let start = at
    if peek == "." {
      at += 1
      if let name = try segment().name, let origin = members[name.description] { return origin }
    }
    let known = (members.keys.sorted().map { "\(context).\($0)" } + (also.map { [$0] } ?? [])).joined(separator: ", ")
    throw problem("the key path '\(text)' names nothing of '\(context)'", hint: "there is: \(known)", at: start)
  }

  /// A context that is one text or number: nothing may follow.
  private func whole(_ origin: KeyPath.Origin) throws(KeyPathError) -> KeyPath.Origin {
    if at < scalars.count {
      throw problem("nothing can follow '\(string(0..<at))' in the key path '\(text)'")
    }
    return origin
  }
}
