/// Reads a jq program as jq's scanner does, to find names and numbers outside of strings and comments.
struct JQScanner {
  private let text: [UInt8]
  private var at = 0
  /// Open brackets from the outermost on; a backslash for an interpolation in a string, an i for `if`.
  private var open: [UInt8] = []
  /// The first byte of the token before; 0 at the start.
  private var before: UInt8 = 0
  private var literals: Set<[UInt8]> = []

  /// Brackets may nest so deep: libjq reads them by recursion.
  private static let mostLevels = 256

  /// Refuses what a program must not use; returns the string literals that need no decoding.
  static func check(_ text: [UInt8]) throws(JQProgram.Fault) -> Set<[UInt8]> {
    guard text.count <= JQProgram.mostBytes else {
      throw JQProgram.Fault(message: "the jq program is longer than \(JQProgram.mostBytes) bytes")
    }
    guard !text.contains(0) else { throw JQProgram.Fault(message: "the jq program holds a NUL character") }
    var scanner = JQScanner(text: text)
    while scanner.at < text.count { try scanner.token() }
    guard scanner.before != 0 else {
      throw JQProgram.Fault(message: "the jq program is empty", hint: "'.' gives the record's own value")
    }
    return scanner.literals
  }

  private init(text: [UInt8]) { self.text = text }

  private func byte(_ index: Int) -> UInt8 { index < text.count ? text[index] : 0 }

  private mutating func token() throws(JQProgram.Fault) {
    let first = text[at]
    switch first {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      at += 1
      return
    case UInt8(ascii: "#"):
      return try comment()
    case UInt8(ascii: "\""):
      at += 1
      try string()
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      at += 1
      try push(first)
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      at += 1
      if open.popLast() == UInt8(ascii: "\\") { try string() }
    case UInt8(ascii: "."): try dot()
    case UInt8(ascii: "@"):
      at += 1
      passName()
    case _ where first.isDigit: try number()
    case _ where first.beginsName: try name()
    default: at += 1
    }
    before = first
  }

  private mutating func comment() throws(JQProgram.Fault) {
    while at < text.count, text[at] != UInt8(ascii: "\n") { at += 1 }
    var last = at - 1
    if text[last] == UInt8(ascii: "\r") { last -= 1 }
    guard text[last] != UInt8(ascii: "\\") || at == text.count else {
      throw JQProgram.Fault(
        message: "a comment of the jq program ends in a backslash",
        hint: "some versions of jq take the next line for a part of it")
    }
  }

  private mutating func push(_ bracket: UInt8) throws(JQProgram.Fault) {
    guard open.count < Self.mostLevels else {
      throw JQProgram.Fault(message: "the jq program nests deeper than \(Self.mostLevels) levels")
    }
    open.append(bracket)
  }

  /// A string, from behind its quote or behind an interpolation, up to its end or the next interpolation.
  private mutating func string() throws(JQProgram.Fault) {
    let start = at
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "\""):
        if text[start - 1] == UInt8(ascii: "\"") { literals.insert(Array(text[start..<at])) }
        at += 1
        return
      case UInt8(ascii: "\\"):
        at += 2
        if byte(at - 1) == UInt8(ascii: "(") { return try push(UInt8(ascii: "\\")) }
      default: at += 1
      }
    }
  }

  /// `..`, a member (`.env`), a number (`.5`) or a dot.
  private mutating func dot() throws(JQProgram.Fault) {
    let next = byte(at + 1)
    if next.isDigit { return try number() }
    at += next == UInt8(ascii: ".") ? 2 : 1
    if next.beginsName { passName() }
  }

  /// `a::b` is one name, of a module.
  private mutating func passName() {
    while true {
      while byte(at).beginsName || byte(at).isDigit { at += 1 }
      guard byte(at) == UInt8(ascii: ":"), byte(at + 1) == UInt8(ascii: ":"), byte(at + 2).beginsName else { return }
      at += 2
    }
  }

  private mutating func name() throws(JQProgram.Fault) {
    let start = at
    passName()
    let name = String(decoding: text[start..<at], as: UTF8.self)
    if before == UInt8(ascii: "$") {
      if let reason = JQForbidden.variables[name] { throw JQForbidden.fault("$" + name, reason) }
      return
    }
    // A member's name in braces: {env: 1}, {env}.
    if open.last == UInt8(ascii: "{"), before == UInt8(ascii: "{") || before == UInt8(ascii: ",") { return }
    // Newer versions allow `if` as a member's value, and in it a comma that separates no members.
    if name == "if" { try push(UInt8(ascii: "i")) }
    if name == "end", open.last == UInt8(ascii: "i") { open.removeLast() }
    if let reason = JQForbidden.functions[name] { throw JQForbidden.fault(name, reason) }
  }

  /// `[0-9]+(\.[0-9]*)?|\.[0-9]+`, with an exponent or without.
  private mutating func number() throws(JQProgram.Fault) {
    let start = at
    while byte(at).isDigit { at += 1 }
    if byte(at) == UInt8(ascii: ".") { at += 1 }
    while byte(at).isDigit { at += 1 }
    if byte(at) | 0x20 == UInt8(ascii: "e") {
      let sign = byte(at + 1) == UInt8(ascii: "+") || byte(at + 1) == UInt8(ascii: "-") ? 1 : 0
      if byte(at + 1 + sign).isDigit {
        at += 1 + sign
        while byte(at).isDigit { at += 1 }
      }
    }
    let written = Array(text[start..<at])
    // `Numeral` wants digits on both sides of the point.
    var full: [UInt8] = []
    for (index, byte) in written.enumerated() {
      if byte == UInt8(ascii: "."), index == 0 { full.append(UInt8(ascii: "0")) }
      full.append(byte)
      let next = index + 1 < written.count ? written[index + 1] : 0
      if byte == UInt8(ascii: "."), !next.isDigit { full.append(UInt8(ascii: "0")) }
    }
    guard full.withUnsafeBytes({ Numeral($0)?.survivesJQ ?? true }) else {
      throw JQProgram.Fault(
        message: "jq would round the number \(String(decoding: written, as: UTF8.self))",
        hint: "long numbers of the data reach jq as text: compare with a text")
    }
  }
}

/// What a program must not use, and why.
private enum JQForbidden {
  static let functions: [String: String] = [
    "env": environment, "input": inputs, "inputs": inputs, "input_filename": inputs, "input_line_number": inputs,
    "halt": "it ends the process", "halt_error": "it ends the process",
    "debug": "it prints values", "stderr": "it prints values",
    "import": modules, "include": modules, "module": modules, "modulemeta": modules,
    "get_search_list": modules, "get_jq_origin": modules, "get_prog_origin": modules,
  ]
  static let variables = ["ENV": environment, "__prog_args": environment]

  private static let environment = "it reads the environment of the process; '${NAME}' is for mappings"
  private static let inputs = "a program sees one record and nothing else"
  private static let modules = "a program stands for itself, without modules"

  static func fault(_ name: String, _ reason: String) -> JQProgram.Fault {
    JQProgram.Fault(message: "'\(name)' may not be used in a jq program", hint: reason)
  }
}

extension UInt8 {
  fileprivate var beginsName: Bool { isASCIILetter || self == UInt8(ascii: "_") }
}
