/// Completions for fish 3 or newer.
package enum FishCompletion {
  package static var script: String {
    let commands = CommandTable.commands
    var lines = ["# fish completion for ingest, made by 'ingest completions fish'", "complete -c ingest -f"]
    for command in commands {
      lines.append(line("__fish_use_subcommand", "-a \(command.name.rawValue)", command.summary))
    }
    // Without a command's name the line is one of 'run'.
    for command in commands where command.name == .run {
      lines += command.options.map { line("__fish_use_subcommand", flags($0), $0.summary) }
    }
    lines.append(line("__fish_use_subcommand", "-l version", "the version"))
    for command in commands { lines += self.lines(of: command) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of command: CommandSpec) -> [String] {
    let condition = "__fish_seen_subcommand_from \(command.name.rawValue)"
    let options = command.options.map { line(condition, flags($0), $0.summary) }
    let positionals = command.positionals.compactMap { positional -> String? in
      switch Offer(positional) {
      case .nothing: nil
      case .files: line(condition, "-F", nil)
      case .folders: line(condition, "-a '(__fish_complete_directories)'", nil)
      case .words(let words): line(condition, "-a \(quoted(words.joined(separator: " ")))", nil)
      }
    }
    return options + positionals
  }

  private static func flags(_ option: OptionSpec) -> String {
    let name = option.name.rawValue
    let flag = name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst(1))"
    guard option.placeholder != nil else { return flag }
    switch Offer(option) {
    case .nothing: return flag + " -x"
    case .files: return flag + " -r -F"
    case .folders: return flag + " -x -a '(__fish_complete_directories)'"
    case .words(let words): return flag + " -x -a \(quoted(words.joined(separator: " ")))"
    }
  }

  private static func line(_ condition: String, _ rest: String, _ summary: String?) -> String {
    let description = summary.map { " -d " + quoted($0) } ?? ""
    return "complete -c ingest -n \(quoted(condition)) \(rest)\(description)"
  }

  /// Within single quotes fish reads `\\` and `\'` alone.
  private static func quoted(_ text: String) -> String {
    "'" + String(text.flatMap { "\\'".contains($0) ? ["\\", $0] : [$0] }) + "'"
  }
}
