/// Completions for zsh: a file `_ingest` of `fpath`, or what `source <(ingest completions zsh)` reads.
package enum ZshCompletion {
  package static var script: String {
    """
    #compdef ingest
    # zsh completion for ingest, made by 'ingest completions zsh'
    _ingest() {
      local -a commands
      commands=(
    \(commands)  )
      local command=${words[2]}
      if (( CURRENT == 2 )) && [[ $command != -* ]]; then
        _describe -t commands 'command' commands
        return
      fi
      if [[ $command == -* ]]; then
        command=run
      else
        shift words
        (( CURRENT-- ))
      fi
      case $command in
    \(CommandTable.commands.map(arguments).joined())  esac
    }
    if [[ $funcstack[1] == _ingest ]]; then
      _ingest "$@"
    else
      compdef _ingest ingest
    fi

    """
  }

  private static var commands: String {
    CommandTable.commands.map { "    \(quoted("\($0.name.rawValue):\($0.summary)"))\n" }.joined()
  }

  private static func arguments(_ command: CommandSpec) -> String {
    let specs = command.options.map(specification) + command.positionals.map(specification)
    let lines = specs.map { "      " + quoted($0) }.joined(separator: " \\\n")
    return "    \(command.name.rawValue)) _arguments -s -S \\\n\(lines) ;;\n"
  }

  private static func specification(_ option: OptionSpec) -> String {
    let star = option.isRepeatable ? "*" : ""
    let text = "[\(escaped(option.summary))]"
    guard let placeholder = option.placeholder else { return star + option.name.rawValue + text }
    return "\(star)\(option.name.rawValue)=\(text):\(escaped(placeholder)):\(action(Offer(option)))"
  }

  private static func specification(_ positional: PositionalSpec) -> String {
    let place = positional.isRepeated ? "*" : positional.isOptional ? ":" : ""
    return "\(place):\(escaped(positional.placeholder)):\(action(Offer(positional)))"
  }

  private static func action(_ offer: Offer) -> String {
    switch offer {
    case .nothing: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
