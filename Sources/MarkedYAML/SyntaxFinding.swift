import Diagnostics

/// Says in plain words, and at the place where it helps, why libyaml could not read on.
///
/// libyaml knows two places: where it stuck, and where that began which it was reading. For what is not closed the
/// second one helps, for the rest the first.
struct SyntaxFinding {
  private let problem: ParserProblem
  private let file: SourceFile
  /// Where libyaml stuck, and where that began which it was reading; byte offsets.
  private let stuck: Int
  private let began: Int
  private let lastQuoted: Range<Int>?
  private let openBracket: Int?

  /// What the reading knows besides: the last text in quotes, and where the innermost bracket begins that is open.
  init(_ problem: ParserProblem, _ places: PlaceFinder, lastQuoted: Range<Int>?, openBracket: Int?) {
    self.problem = problem
    self.openBracket = openBracket
    self.lastQuoted = lastQuoted
    file = places.file
    stuck = places.offset(problem.place)
    began = places.offset(problem.contextPlace)
  }

  var diagnostic: Diagnostic {
    if isWithin("quoted scalar"), isAnyOf("found unexpected end of stream", "found unexpected document indicator") {
      return finding("this quote is not closed", at: began)
    }
    switch problem.problem {
    case "could not find expected ':'": return missingColon
    case "mapping values are not allowed in this context": return misplacedColon
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'": return insideBrackets
    case "did not find expected key", "did not find expected '-' indicator", "did not find expected <document start>":
      return unexpectedLine
    case "did not find expected node content": return missingValue
    case "found character that cannot start any token": return strangeCharacter
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      return tab
    default: return other
    }
  }

  // MARK: What each problem mostly is

  private var missingColon: Diagnostic {
    let line = file.position(at: began).line
    let text = file.bytes[began..<end(ofLine: line)]
    let colon = text.indices.first { text[$0] == UInt8(ascii: ":") && $0 + 1 < text.endIndex }
    if let colon, text[colon + 1] != UInt8(ascii: " ") {
      return finding("a key needs a space behind its colon", at: began..<(colon + 1), hint: "write 'key: value'")
    }
    return finding(
      "a key with ': ' is expected here", at: began..<text.endIndex.droppingBlanks(in: file.bytes, from: began))
  }

  private var misplacedColon: Diagnostic {
    let line = file.position(at: stuck).line
    let first = firstCharacter(ofLine: line)
    let before = file.bytes[first..<max(first, stuck)]
    if zip(before, before.dropFirst()).contains(where: { $0 == UInt8(ascii: ":") && $1 == UInt8(ascii: " ") }) {
      return finding("a second ': ' cannot stand in one value", at: stuck, hint: "put the value in quotes")
    }
    return finding(
      "a key cannot begin here: the line continues the value above it", at: first..<max(first, stuck),
      hint: "indent it like the other keys of its map, or end the line above with ':'")
  }

  private var insideBrackets: Diagnostic {
    let isList = problem.problem.utf8.last == UInt8(ascii: "'") && problem.problem.contains("]")
    let (opening, closing) = isList ? ("[", "]") : ("{", "}")
    let line = file.position(at: stuck).line
    let beginsLine = firstCharacter(ofLine: line) == stuck && line > file.position(at: began).line
    if beginsLine, stuck < file.bytes.count, file.bytes[stuck] == UInt8(ascii: ":") {
      return unclosedQuote ?? finding("the ':' of a key must stand on the key's own line", at: stuck)
    }
    if stuck >= lastCharacter || beginsLine || followsBareKey {
      return finding("this '\(opening)' is not closed", at: began, hint: "is a '\(closing)' or a ',' missing?")
    }
    if stuck > 0, stuck < file.bytes.count, file.bytes[stuck - 1] == UInt8(ascii: "$"),
      file.bytes[stuck] == UInt8(ascii: "{")
    {
      return finding(
        "'${' begins a map here, within brackets", at: (stuck - 1)..<(stuck + 1), hint: "put the text in quotes")
    }
    return unclosedQuote
      ?? finding(
        "',' or '\(closing)' is expected here", at: stuck, hint: "texts with ',', ':', '[' or '{' go in quotes")
  }

  /// Stands a key without quotes between the start of a later line and the place?
  private var followsBareKey: Bool {
    let line = file.position(at: stuck).line
    guard line > file.position(at: began).line, stuck < file.bytes.count, file.bytes[stuck] == UInt8(ascii: ":") else {
      return false
    }
    return !file.bytes[firstCharacter(ofLine: line)..<stuck].contains { "\"'[]{},".utf8.contains($0) }
  }

  private var unexpectedLine: Diagnostic {
    if let quote = unclosedQuote { return quote }
    let place = file.position(at: stuck)
    guard firstCharacter(ofLine: place.line) == stuck else {
      return finding(
        "the value has ended, and something follows it here", at: stuck, hint: "put the whole value in quotes")
    }
    if problem.problem == "did not find expected <document start>" {
      return finding(
        "nothing can follow the value of the whole file", at: stuck, hint: "are the lines above indented too far?")
    }
    let start = file.position(at: began)
    let isList = problem.problem == "did not find expected '-' indicator"
    let thing = isList ? "the list that begins on line \(start.line)" : "the map that begins on line \(start.line)"
    if place.column == start.column {
      let wanted = isList ? "'- '" : "a key with ': '"
      return finding("\(wanted) is expected here, for \(thing)", at: stuck)
    }
    return finding(
      "the indentation of this line fits nothing above it", at: stuck,
      hint: "line it up with \(isList ? "the other '- ' of its list" : "the other keys of its map")")
  }

  private var strangeCharacter: Diagnostic {
    guard stuck < file.bytes.count, file.bytes[stuck] != UInt8(ascii: "\t") else { return tab }
    let character = ShortName(String(UnicodeScalar(file.bytes[stuck])))
    return finding("a text without quotes cannot begin with \(character)", at: stuck, hint: "put it in quotes")
  }

  private var tab: Diagnostic {
    finding("a tab cannot indent a line", at: stuck, hint: "indent with spaces")
  }

  /// A text in quotes that runs over lines, and something right behind it: the closing quote is missing further up.
  private var unclosedQuote: Diagnostic? {
    guard let quoted = lastQuoted, quoted.upperBound <= stuck else { return nil }
    let (first, last) = (file.position(at: quoted.lowerBound).line, file.position(at: quoted.upperBound).line)
    guard first < last, last == file.position(at: stuck).line else { return nil }
    return finding(
      "the text that begins with this quote ends on line \(last), and something follows it there",
      at: quoted.lowerBound,
      hint: "is its closing quote missing?")
  }

  private var missingValue: Diagnostic {
    guard stuck >= lastCharacter, let openBracket else { return other }
    return finding("this '\(file.bytes[openBracket] == UInt8(ascii: "[") ? "[" : "{")' is not closed", at: openBracket)
  }

  private var other: Diagnostic {
    guard let entry = Self.entries.first(where: { $0.problem == problem.problem && isWithin($0.context) }) else {
      let context = problem.context.isEmpty ? "" : "\(problem.context) "
      return finding("this is not YAML: \(context)\(problem.problem)", at: stuck)
    }
    return finding(entry.message, at: (entry.atBeginning ? began : stuck) - entry.stepsBack, hint: entry.hint)
  }

  // MARK: Places

  private var lastCharacter: Int { file.bytes.count.droppingBlanks(in: file.bytes, from: 0) }

  private func end(ofLine line: Int) -> Int { file.line(line).endIndex }

  private func firstCharacter(ofLine line: Int) -> Int {
    let bytes = file.line(line)
    return bytes.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? bytes.endIndex
  }

  private func isWithin(_ what: String) -> Bool { what.isEmpty || problem.context.contains(what) }

  private func isAnyOf(_ problems: String...) -> Bool { problems.contains(problem.problem) }

  /// The finding, underlining one character.
  private func finding(_ message: String, at offset: Int, hint: String? = nil) -> Diagnostic {
    var end = min(offset + 1, file.bytes.count)
    while end < file.bytes.count, file.bytes[end] & 0xC0 == 0x80 { end += 1 }
    if offset < file.bytes.count, file.bytes[offset] == UInt8(ascii: "\n") { end = offset }
    return finding(message, at: offset..<max(offset, end), hint: hint)
  }

  private func finding(_ message: String, at range: Range<Int>, hint: String? = nil) -> Diagnostic {
    Diagnostic(.yamlSyntax, message, at: file.span(range.lowerBound, range.upperBound), hint: hint)
  }
}

extension SyntaxFinding {
  private struct Entry {
    let problem: String
    /// Part of what libyaml was doing.
    let context: String
    let message: String
    var hint: String?
    var atBeginning = false
    /// How many bytes before the place in question the thing begins.
    var stepsBack = 0
  }

  private static let quoteIt = "put the text in quotes"
  private static let escapes = "'\\' begins an escape in double quotes; write '\\\\', or use single quotes"

  private static let entries: [Entry] = [
    Entry(
      problem: "block sequence entries are not allowed in this context", context: "",
      message: "a list with '- ' cannot begin here", hint: "begin it on the next line, or write [a, b]"),
    Entry(
      problem: "mapping keys are not allowed in this context", context: "",
      message: "a key with '? ' cannot begin here", hint: quoteIt),
    Entry(
      problem: "did not find expected node content", context: "", message: "a value is expected here", hint: quoteIt),
    Entry(
      problem: "did not find expected alphabetic or numeric character", context: "alias",
      message: "'*' begins an alias, whose name has letters, digits, '-' and '_' only", hint: quoteIt, atBeginning: true
    ),
    Entry(
      problem: "did not find expected alphabetic or numeric character", context: "anchor",
      message: "'&' begins an anchor, whose name has letters, digits, '-' and '_' only", hint: quoteIt,
      atBeginning: true),
    Entry(problem: "found unknown escape character", context: "", message: "this escape is not known", hint: escapes),
    Entry(
      problem: "did not find expected hexdecimal number", context: "",
      message: "this escape needs hexadecimal digits: \\x two, \\u four, \\U eight", hint: escapes, stepsBack: 2),
    Entry(
      problem: "found invalid Unicode character escape code", context: "", message: "this escape is not a character",
      hint: "a character beyond \\uFFFF is written as such, or as \\U with eight digits", stepsBack: 2),
    Entry(
      problem: "did not find expected comment or line break", context: "block scalar",
      message: "the text of '|' or '>' begins on the next line", hint: quoteIt),
    Entry(
      problem: "found an indentation indicator equal to 0", context: "",
      message: "the number behind '|' or '>' is 1 to 9: how far the text is indented"),
    Entry(
      problem: "found undefined tag handle", context: "", message: "a tag of this kind is not known",
      hint: "a text that begins with '!' goes in quotes"),
    Entry(
      problem: "found incompatible YAML document", context: "",
      message: "the file is written for another version of YAML"),
    Entry(problem: "found duplicate %YAML directive", context: "", message: "'%YAML' stands twice"),
    Entry(problem: "found duplicate %TAG directive", context: "", message: "'%TAG' stands twice for one handle"),
    Entry(
      problem: "found unknown directive name", context: "",
      message: "a line that begins with '%' is a directive: %YAML or %TAG",
      hint: quoteIt, atBeginning: true),
    Entry(
      problem: "could not find expected directive name", context: "",
      message: "a line that begins with '%' is a directive: %YAML or %TAG", hint: quoteIt, atBeginning: true),
    Entry(
      problem: "found unexpected ':'", context: "plain scalar",
      message: "a ':' here needs a space behind it, or quotes",
      hint: "write '{key: }' for an empty value"),
  ]
}

extension Int {
  /// The offset, moved back over blanks and line breaks before it.
  fileprivate func droppingBlanks(in bytes: [UInt8], from start: Int) -> Int {
    var end = self
    while end > start, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[end - 1]) { end -= 1 }
    return end
  }
}
