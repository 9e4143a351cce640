import Diagnostics
import MarkedYAML
import Testing

struct SyntaxFindingTests {
  private static let broken: [(text: String, finding: String)] = [
    ("a: \"b\nc: 1\n", "1:4 this quote is not closed"),
    ("a: 'b\nc: 1\n", "1:4 this quote is not closed"),
    ("a: \"b\nc: \"d\"\n", "1:4 the text that begins with this quote ends on line 2, and something follows it there"),
    ("é: [a, b\nc: 1\n", "1:4 this '[' is not closed"),
    ("é: {a: 1, b: 2\nc: {d: 1}\n", "1:4 this '{' is not closed"),
    ("a: {\"b\"\n: c}", "2:1 the ':' of a key must stand on the key's own line"),
    ("a: {é: ${b}}", "1:8 '${' begins a map here, within brackets"),
    ("a: [\n", "1:4 this '[' is not closed"),
    ("a: {b: [c], d: ", "1:4 this '{' is not closed"),
    ("é: [a, b", "1:4 this '[' is not closed"),
    ("é: [\"a\" \"b\"]", "1:9 ',' or ']' is expected here"),
    ("a: 1\nb:2\nc: 3\n", "2:1 a key needs a space behind its colon"),
    ("a: 1\nbcd\ne: 3\n", "2:1 a key with ': ' is expected here"),
    ("a: é: c\n", "1:5 a second ': ' cannot stand in one value"),
    ("a: b\n  é: d\n", "2:3 a key cannot begin here: the line continues the value above it"),
    ("a:\n    b: 1\n  c: 2\n", "3:3 the indentation of this line fits nothing above it"),
    ("a:\n  b: 1\n  - c\n", "3:3 a key with ': ' is expected here, for the map that begins on line 2"),
    ("a:\n  - b\n  c: 1\n", "3:3 '- ' is expected here, for the list that begins on line 2"),
    ("a: 1\n- b\n", "2:1 a key with ': ' is expected here, for the map that begins on line 1"),
    ("  a: 1\nb: 2\n", "2:1 nothing can follow the value of the whole file"),
    ("a: \"é\" c\n", "1:8 the value has ended, and something follows it here"),
    ("a:\n\tb: 1\n", "2:1 a tab cannot indent a line"),
    ("a: b\n\tc: 1\n", "2:1 a tab cannot indent a line"),
    ("a: @b\n", "1:4 a text without quotes cannot begin with '@'"),
    ("a: `b`\n", "1:4 a text without quotes cannot begin with '`'"),
    ("a: %b\n", "1:4 a text without quotes cannot begin with '%'"),
    ("a: - b\n", "1:4 a list with '- ' cannot begin here"),
    ("a: *.json\n", "1:4 '*' begins an alias, whose name has letters, digits, '-' and '_' only"),
    ("a: & b\n", "1:4 '&' begins an anchor, whose name has letters, digits, '-' and '_' only"),
    ("a: \"\\d+\"\n", "1:5 this escape is not known"),
    ("a: \"\\u12\"\n", "1:5 this escape needs hexadecimal digits: \\x two, \\u four, \\U eight"),
    ("a: \"\\ud83d\\ude00\"\n", "1:5 this escape is not a character"),
    ("a: | b\n", "1:6 the text of '|' or '>' begins on the next line"),
    ("a: [b, , c]\n", "1:8 a value is expected here"),
    ("a: ]\n", "1:4 a value is expected here"),
    ("{a:, b: 1}\n", "1:3 a ':' here needs a space behind it, or quotes"),
    ("a: !x!y z\n", "1:4 a tag of this kind is not known"),
    ("%YAML 2.0\n---\na: 1\n", "1:1 the file is written for another version of YAML"),
  ]

  @Test(arguments: broken)
  func `a broken text is told at the place where it helps`(_ text: String, _ finding: String) throws {
    let outline = Outline(text)
    let found = outline.diagnostics.map { "\($0.span.start.line):\($0.span.start.column) \($0.message)" }
    #expect(found == [finding])
    #expect(outline.diagnostics.map(\.code) == [.yamlSyntax])
    #expect(outline.root == nil)
  }
}
