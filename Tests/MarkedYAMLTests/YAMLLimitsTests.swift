import Diagnostics
import MarkedYAML
import Testing

struct YAMLLimitsTests {
  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test func `64 levels are read and 65 are not`() {
    #expect(Outline(repeated("[", 64) + repeated("]", 64)).findings == [])
    #expect(Outline(repeated("[", 65) + repeated("]", 65)).findings == ["1:65 yaml-limit"])
    #expect(Outline(repeated("- ", 64) + "a").findings == [])
    #expect(Outline(repeated("- ", 65) + "a").findings == ["1:129 yaml-limit"])
    #expect(Outline(repeated("{a: ", 64) + "1" + repeated("}", 64)).findings == [])
  }

  @Test func `the depth behind an alias counts`() {
    let deep = "a: &a " + repeated("[", 40) + repeated("]", 40) + "\nb: "
    #expect(Outline(deep + repeated("[", 23) + "*a" + repeated("]", 23)).findings == [])
    #expect(Outline(deep + repeated("[", 24) + "*a" + repeated("]", 24)).findings == ["2:28 yaml-limit"])
  }

  @Test func `1,000 aliases are read, the next one is not`() {
    #expect(Outline("a: &a 1\nb: [" + repeated("*a, ", 1_000) + "]").findings == [])
    #expect(Outline("a: &a 1\nb: [" + repeated("*a, ", 1_001) + "]").findings == ["2:4005 yaml-limit"])
  }

  @Test func `aliases may stand for 100,000 values`() {
    let list = "a: &a [" + repeated("1, ", 999) + "]\n"
    #expect(Outline(list + "b: [" + repeated("*a, ", 100) + "]").findings == [])
    #expect(Outline(list + "b: [" + repeated("*a, ", 101) + "]").findings == ["2:405 yaml-limit"])
    var bomb = "a0: &a0 x\n"
    for level in 1...20 { bomb += "a\(level): &a\(level) [" + repeated("*a\(level - 1), ", 9) + "]\n" }
    #expect(Outline(bomb).findings == ["7:10 yaml-limit"])
  }

  @Test func `a file has at most 4 MiB`() {
    let text = "a: 1\n" + repeated("#", 4 << 20 - 5)
    #expect(Outline(text).findings == [])
    #expect(Outline(text + "#").findings == ["1:1 yaml-limit"])
    // The size that is said is the limit: a reader of files stops before the end of a larger one.
    let message = Outline(text + repeated("#", 9 << 20)).diagnostics.first?.message
    #expect(message == "the file has more than the \(4 << 20) bytes that are read")
  }

  @Test func `directives have a limit`() {
    let directives = (0..<200).map { "%TAG !t\($0)! x\n" }.joined()
    #expect(Outline(directives + "---\na: 1\n").findings == ["101:1 yaml-limit"])
  }

  /// What takes time with the square of its length would take minutes or hours here.
  @Test(
    .timeLimit(.minutes(2)),
    arguments: [
      "[", "{", "- ", "? ", "[{", "[é, ", "a: [é,\n", "é: {b: c, ", "\"é", "'\n", "&a ", "!t ", "*a ", "<<: [", "# c",
      ": ",
      "a\n", "- a\n", "|\n", "%TAG ! x\n", "---\n", "é", "\\", "a:\n ", ",", "{a, ", "\u{2028}", "a: b: ", "\"a\": ",
      "[a]: ",
    ])
  func `a long text of one pattern ends soon`(_ pattern: String) {
    let text = repeated(pattern, 60_000 / pattern.utf8.count)
    let outline = Outline(text)
    #expect(outline.root != nil || !outline.findings.isEmpty || pattern == "# c")
  }
}
