import Diagnostics
import MappingLanguage
import TestSupport
import Testing

struct AllowancesTests {
  /// What is left of the findings about a mapping, and what is said of its comments, each as `line code`.
  private func outcome(_ text: String, areComplete: Bool = true) throws -> (left: [String], faults: [String]) {
    let (mapping, findings) = Reading.text(text)
    let allowances = Allowances(in: mapping?.files ?? [])
    let faults = allowances.faults(given: findings, areComplete: areComplete)
    #expect(faults.allSatisfy { $0.code == .badAllow && $0.severity == .warning })
    return (
      allowances.split(findings).left.map { "\($0.span.start.line) \($0.code.rawValue)" },
      faults.map { "\($0.span.start.line) \($0.message)" }
    )
  }

  private func mapping(_ variables: String) -> String {
    "ingest: 1\nrecords: {User: {key: id, fields: [id]}}\nendpoints: {u: {path: /u, records: {u: User}}}\n"
      + "source: {name: s, base_url: 'http://h.test'}\n" + variables
  }

  @Test(arguments: [
    "variables: {lonely: 5} # ingest: allow unused it is for the next release",
    "# ingest: allow unused kept for now\nvariables: {lonely: 5}",
    "variables:\n  # ingest: allow unused kept for now\n  lonely: 5",
    "variables:\n  # ingest: allow unused kept for now\n  # a word about it\n\t\n  lonely: 5".replacing(
      "\t\n", with: ""),
    "variables: {a: '# x', lonely: 5} #  ingest:  allow  unused  ünter way\nstore: {url: 'sqlite:${a}'}",
    "variables:\r\n  # ingest: allow unused kept\r\n  lonely: 5\r\n",
  ])
  func `a comment on the line of a warning, or above it, silences it`(_ variables: String) throws {
    let (left, faults) = try outcome(mapping(variables))
    #expect(left == [])
    #expect(faults == [])
  }

  @Test(arguments: [
    // Another code, another line, and an end-of-line comment that is not above anything.
    (
      "# ingest: allow secret-in-clear a reason\nvariables: {lonely: 5}",
      "5 this comment silences nothing: line 6 has no"
    ),
    ("variables:\n  # ingest: allow unused a reason\n  id: 5\n  lonely: 5", nil),
    (
      "variables: # ingest: allow unused a reason\n  lonely: 5",
      "5 this comment silences nothing: line 5 has no 'unused'"
    ),
    ("# ingest: allow unused\nvariables: {lonely: 5}", "5 'unused' is allowed without a reason"),
    ("# ingest: allow unused --\nvariables: {lonely: 5}", "5 'unused' is allowed without a reason"),
    ("# ingest: allow unusd a reason\nvariables: {lonely: 5}", "5 no finding has the code 'unusd'"),
    ("# ingest: allow\nvariables: {lonely: 5}", "5 the comment allows nothing"),
    ("# ingest: allows unused a reason\nvariables: {lonely: 5}", "5 a comment cannot say 'allows'"),
    // Prose, and text.
    ("# ingest: 1 is the version\nvariables: {lonely: 5}", nil),
    ("variables: {lonely: '# ingest: allow unused a reason'}", nil),
    ("variables:\n  lonely: |\n    # ingest: allow unused a reason\n    text", nil),
    ("variables: {lonely: a#ingest:allow}", nil),
  ])
  func `any other comment silences nothing, and says so where it can`(_ variables: String, _ fault: String?) throws {
    let (left, faults) = try outcome(mapping(variables))
    #expect(left.last?.hasSuffix(" unused") == true)
    #expect(faults.count == (fault == nil ? 0 : 1), "\(faults)")
    if let fault { #expect(faults.first?.hasPrefix(fault) == true, "\(faults)") }
  }

  @Test func `errors cannot be allowed`() throws {
    let text = mapping("# ingest: allow unknown-key because\nstoer: {url: 'sqlite:a.db'}")
    let (left, faults) = try outcome(text)
    #expect(left == ["6 unknown-key"])
    #expect(faults == ["5 an error cannot be allowed by a comment"])
  }

  @Test func `what a comment silences is not known before all checks are made`() throws {
    let text = mapping("# ingest: allow unused because\nvariables: {a: 5}\nstore: {url: 'sqlite:${a}'}")
    #expect(try outcome(text).faults.count == 1)
    #expect(try outcome(text, areComplete: false).faults == [])
  }
}
