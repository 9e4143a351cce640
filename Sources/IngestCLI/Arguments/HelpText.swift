import Setup

/// Help, made from `CommandTable`; no line is longer than 80 columns unless one word is.
package enum HelpText {
  private static let width = 80

  /// The lines that `ingest` alone prints.
  package static let usage = """
    usage: ingest --config FILE… [options]
           ingest COMMAND [arguments] [options]

    """

  /// `ingest help`
  package static var overview: String {
    var text = "ingest \(IngestVersion.number): gets API data into SQL tables, declared in one YAML file\n\n" + usage
    text += "\ncommands:\n" + table(CommandTable.commands.map { ($0.name.rawValue, $0.summary) })
    text += "\noptions:\n"
    text += table([
      ("--config FILE", "without a command: ingest run"), ("--help", "this text; after a command, help on it"),
      ("--version", "the version; with -v, those of the libraries too"),
    ])
    text += "\nexit codes:\n" + table(CommandTable.ofRuns.map { ("\($0.code.rawValue)", $0.meaning) })
    return text + "\n'ingest help COMMAND' says what a command takes.\n"
  }

  /// `ingest help COMMAND`
  package static func help(on name: CommandName) -> String {
    let command = CommandTable.command(name)
    let words = ["ingest", name.rawValue] + command.positionals.map(\.usage)
    let required = command.options.filter(\.isRequired).map(\.usage)
    let optional = command.options.contains { !$0.isRequired } ? ["[options]"] : []
    var text = "ingest \(name.rawValue): \(command.summary)\n"
    text += "\nusage: " + (words + required + optional).joined(separator: " ") + "\n"
    if !command.positionals.isEmpty {
      text += "\narguments:\n" + table(command.positionals.map { ($0.placeholder, $0.summary) })
    }
    if !command.options.isEmpty { text += "\noptions:\n" + table(command.options.map { ($0.usage, $0.meaning) }) }
    text += "\nexample:\n  \(command.example)\n"
    return text + "\nexit codes:\n" + table(command.exitCodes.map { ("\($0.code.rawValue)", $0.meaning) })
  }

  private static func table(_ rows: [(name: String, meaning: String)]) -> String {
    let column = (rows.map(\.name.unicodeScalars.count).max() ?? 0) + 4
    return rows.reduce(into: "") { text, row in
      let name = "  " + row.name
      for (index, line) in wrapped(row.meaning, to: width - column).enumerated() {
        let margin = index == 0 ? name : ""
        text += margin + String(repeating: " ", count: column - margin.unicodeScalars.count) + line + "\n"
      }
    }
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.unicodeScalars.count + 1 + word.unicodeScalars.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}

extension OptionSpec {
  /// As help shows it: `--config FILE`, `-q`.
  fileprivate var usage: String { [name.rawValue, placeholder].compactMap(\.self).joined(separator: " ") }

  fileprivate var meaning: String { isRepeatable ? summary + "; may be repeated" : summary }
}
