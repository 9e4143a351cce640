import Setup

/// The manual page ingest(1), as groff's man macros have it.
package enum ManualPage {
  package static var text: String {
    var lines = [
      ".TH INGEST 1 \"\" \"ingest \(IngestVersion.number)\" \"User Commands\"", ".SH NAME",
      "ingest \\- gets API data into SQL tables, declared in one YAML file", ".SH SYNOPSIS", ".nf",
      ".B ingest \\-\\-config \\fIFILE\\fR\\&... [\\fIoptions\\fR]",
      ".B ingest \\fICOMMAND\\fR [\\fIarguments\\fR] [\\fIoptions\\fR]", ".fi", ".SH COMMANDS",
    ]
    for command in CommandTable.commands { lines += self.lines(of: command) }
    lines.append(".SH EXIT STATUS")
    for (code, meaning) in CommandTable.ofRuns { lines += [".TP", ".B \(code.rawValue)", escaped(meaning)] }
    lines += [
      ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", escaped("when it is set and not empty, nothing is coloured"), ".TP",
      ".B NETRC", escaped("the file that 'auth: {netrc: true}' reads, in place of ~/.netrc"), ".PP",
      escaped("A mapping names others by ${env.NAME} and ${secret.NAME}."),
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of command: CommandSpec) -> [String] {
    let words = command.positionals.map { " \\fI\(escaped($0.usage))\\fR" }.joined()
    var lines = [".SS ingest \(command.name.rawValue)\(words)", escaped(command.summary)]
    for positional in command.positionals {
      lines += [".TP", ".I \(escaped(positional.placeholder))", escaped(positional.summary)]
    }
    for option in command.options {
      let value = option.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
      lines += [".TP", ".B \(escaped(option.name.rawValue))\(value)", escaped(option.summary)]
    }
    return lines + [".PP", "Example:", ".PP", ".nf", ".RS 4", escaped(command.example), ".RE", ".fi"]
  }

  /// A dot or an apostrophe in front would be a request, a hyphen another character than the one that is typed.
  private static func escaped(_ text: String) -> String {
    var output = ""
    for character in text {
      switch character {
      case "\\": output += "\\e"
      case "-": output += "\\-"
      case "…": output += "\\&..."
      case "'": output += "\\(aq"
      default: output.append(character)
      }
    }
    return output.hasPrefix(".") ? "\\&" + output : output
  }
}
