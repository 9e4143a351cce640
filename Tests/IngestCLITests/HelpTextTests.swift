import IngestCLI
import TestSupport
import Testing

struct HelpTextTests {
  @Test func `help lists all commands`() throws {
    try Fixture("help/overview.txt").expectGolden(HelpText.overview, suffix: "txt")
  }

  @Test(arguments: CommandName.allCases)
  func `each command has help of its own`(_ command: CommandName) throws {
    let text = HelpText.help(on: command)
    try Fixture("help/\(command.rawValue).txt").expectGolden(text, suffix: "txt")
    let options = CommandTable.command(command).options.map(\.name.rawValue)
    #expect(options.filter { !text.contains($0) } == [])
  }

  @Test func `no line is wider than a terminal`() {
    let texts = [HelpText.overview] + CommandName.allCases.map(HelpText.help(on:))
    #expect(texts.flatMap { $0.split(separator: "\n") }.filter { $0.count > 80 } == [])
  }
}
