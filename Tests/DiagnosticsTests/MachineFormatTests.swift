import Diagnostics
import Foundation
import FoundationXML
import Testing

/// SARIF, GitHub's workflow commands, JUnit XML: each read back by a parser that is not ours, or by its rules.
struct MachineFormatTests {
  private static let file = SourceFile(name: "/repo/maps/ä b.yaml", text: "é: {id: integr}\nb:\n  c: 1\n")
  private static let paths = RelativePath(to: "/repo")
  private static let findings = [
    Diagnostic(.unknownType, "no type is named 'integr'", at: file.span(9, 15), hint: "did you mean 'integer'?"),
    Diagnostic(.unused, "50% <of> \"it\",\nand \u{1B} & more", at: file.span(17, 25), severity: .warning),
    Diagnostic(.unused, "again", at: SourceFile(name: "-", text: "").span(0, 0), severity: .warning),
  ]

  private func object(_ value: Any?) throws -> [String: Any] { try #require(value as? [String: Any]) }
  private func objects(_ value: Any?) throws -> [[String: Any]] { try #require(value as? [[String: Any]]) }

  @Test func `SARIF has the places, and each rule once with its help`() throws {
    let text = DiagnosticPrinter.sarif(Self.findings, version: "1.2.3", paths: Self.paths)
    let log = try object(JSONSerialization.jsonObject(with: Data(text.utf8)))
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require(try objects(log["runs"]).first)
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let driver = try object(try object(run["tool"])["driver"])
    #expect(driver["name"] as? String == "ingest" && driver["semanticVersion"] as? String == "1.2.3")
    let rules = try objects(driver["rules"])
    #expect(rules.map { $0["id"] as? String } == ["unknown-type", "unused"])
    for rule in rules {
      let help = try object(rule["help"])
      #expect(
        ((help["text"] as? String)?.count ?? 0) > 40 && ((help["markdown"] as? String)?.contains("```yaml") == true))
    }
    let results = try objects(run["results"])
    #expect(results.map { $0["ruleIndex"] as? Int } == [0, 1, 1])
    #expect(results.map { $0["level"] as? String } == ["error", "warning", "warning"])
    #expect(
      try object(results[0]["message"])["text"] as? String == "no type is named 'integr'\nhint: did you mean 'integer'?"
    )
    #expect(try object(results[1]["message"])["text"] as? String == "50% <of> \"it\",\nand \u{1B} & more")
    let places = try results.map { try object(try #require(try objects($0["locations"]).first)["physicalLocation"]) }
    // é is one column, though two bytes; the second place ends on another line.
    #expect(
      try object(places[0]["region"]) as? [String: Int] == [
        "startLine": 1, "startColumn": 9, "endLine": 1, "endColumn": 15,
      ])
    #expect(
      try object(places[1]["region"]) as? [String: Int] == [
        "startLine": 2, "startColumn": 1, "endLine": 3, "endColumn": 6,
      ])
    let artifacts = try places.map { try object($0["artifactLocation"]) as? [String: String] }
    #expect(artifacts[0] == ["uri": "maps/%C3%A4%20b.yaml", "uriBaseId": "%SRCROOT%"])
    #expect(artifacts[2]?["uri"] == "-")
  }

  @Test func `no finding is a log without results`() throws {
    let text = DiagnosticPrinter.sarif([], version: "1", paths: Self.paths)
    let log = try object(JSONSerialization.jsonObject(with: Data(text.utf8)))
    #expect(try #require(try objects(log["runs"]).first)["results"] as? [Int] == [])
    #expect(DiagnosticPrinter.github([], paths: Self.paths) == "")
  }

  @Test func `a command of GitHub is one line, whatever the message holds`() {
    #expect(
      DiagnosticPrinter.github(Self.findings, paths: Self.paths) == """
        ::error file=maps/ä b.yaml,line=1,col=9,endColumn=15,title=unknown-type::no type is named 'integr'%0Ahint: did \
        you mean 'integer'?
        ::warning file=maps/ä b.yaml,line=2,col=1,title=unused::50%25 <of> "it",\\u{A}and \\u{1B} & more
        ::warning file=-,line=1,col=1,title=unused::again

        """)
    let odd = SourceFile(name: "a:b,c%.yaml", text: "x")
    let line = DiagnosticPrinter.github([Diagnostic(.unused, "m", at: odd.span(0, 1))], paths: RelativePath(to: ""))
    #expect(line.hasPrefix("::error file=a%3Ab%2Cc%25.yaml,line=1,"))
  }

  @Test func `JUnit has a case for the mapping and one for each test`() throws {
    let failing = CheckedMapping.Test(
      name: "a <b> & \"c\" \u{FFFE}\u{1}", findings: [Diagnostic(.failingTest, "x", at: Self.file.span(0, 2))])
    let mappings = [
      CheckedMapping(name: "good.yaml", findings: [], tests: [.init(name: "fine", findings: []), failing]),
      CheckedMapping(
        name: "bad.yaml", findings: Self.findings, tests: [.init(name: "not run", findings: [])], hasRunTests: false),
      CheckedMapping(name: "warned.yaml", findings: [Self.findings[1]]),
    ]
    let cases = try JUnitCases(DiagnosticPrinter.junit(mappings))
    #expect(cases.attributes["testsuites"]?.first?["tests"] == "6")
    #expect(cases.attributes["testsuites"]?.first?["failures"] == "2")
    #expect(cases.attributes["testsuites"]?.first?["skipped"] == "1")
    #expect(cases.attributes["testsuite"]?.map { $0["name"] } == ["good.yaml", "bad.yaml", "warned.yaml"])
    #expect(
      cases.attributes["testcase"]?.map { $0["name"] } == [
        "mapping", "test: fine", "test: a <b> & \"c\" \\u{FFFE}\\u{1}", "mapping", "test: not run", "mapping",
      ])
    #expect(cases.attributes["failure"]?.map { $0["type"] } == ["failing-test", "unknown-type"])
    #expect(cases.texts["failure"]?.last?.contains("/repo/maps/ä b.yaml:1:9: error[unknown-type]") == true)
    #expect(cases.texts["system-out"]?.first?.contains("50% <of>") == true)
    // Denied warnings fail.
    let denied = try JUnitCases(DiagnosticPrinter.junit(mappings, denyingWarnings: true))
    #expect(denied.attributes["failure"]?.map { $0["type"] } == ["failing-test", "unknown-type", "unused"])
    #expect(denied.attributes["testsuites"]?.first?["failures"] == "3")
  }

  @Test func `denied warnings are not ok`() {
    let warning = [Self.findings[1]]
    #expect(DiagnosticPrinter.json(warning).hasPrefix("{\"ok\": true, \"errors\": 0, \"warnings\": 1"))
    #expect(DiagnosticPrinter.json(warning, denyingWarnings: true).hasPrefix("{\"ok\": false, \"errors\": 0"))
    #expect(DiagnosticPrinter.json([], denyingWarnings: true).hasPrefix("{\"ok\": true"))
  }

  @Test(arguments: [
    ("a.yaml", "a.yaml", "a.yaml"), ("./a.yaml", "a.yaml", "a.yaml"), ("b/../a.yaml", "a.yaml", "a.yaml"),
    ("/repo/b/a.yaml", "b/a.yaml", "b/a.yaml"), ("../a.yaml", "/a.yaml", "file:///a.yaml"),
    ("/repository/a.yaml", "/repository/a.yaml", "file:///repository/a.yaml"), ("-", "-", "-"),
    ("c:d#?%.yaml", "c:d#?%.yaml", "c%3Ad%23%3F%25.yaml"), ("/repo", "/repo", "file:///repo"),
  ])
  func `a file is named from the working folder on`(_ path: String, _ name: String, _ reference: String) {
    #expect(Self.paths.name(of: path) == name)
    #expect(Self.paths.reference(to: path) == reference)
  }
}

/// What an XML parser finds: attributes and texts of elements, by their names, in order.
private final class JUnitCases: NSObject, XMLParserDelegate {
  private(set) var attributes: [String: [[String: String]]] = [:]
  private(set) var texts: [String: [String]] = [:]
  private var text = ""

  init(_ xml: String) throws {
    super.init()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = self
    if !parser.parse() { throw parser.parserError ?? CocoaError(.coderReadCorrupt) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes members: [String: String]
  ) {
    attributes[name, default: []].append(members)
    text = ""
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    texts[name, default: []].append(text)
    text = ""
  }
}
