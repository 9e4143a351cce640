/// Completions for bash 4 or newer; the package bash-completion is not needed.
package enum BashCompletion {
  package static var script: String { reading + offering }

  /// What stands on the line: the command, its options, the word in front, and how many arguments came before.
  private static var reading: String {
    """
    # bash completion for ingest, made by 'ingest completions bash'
    _ingest() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev= command= options= valued= words= paths=
      local -i position=1 i
      COMPREPLY=()
      ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
      # '--format=json' comes in three words.
      if [[ $cur == = ]]; then
        cur=
      elif [[ $prev == = ]] && ((COMP_CWORD > 1)); then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
      fi
      if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then
        COMPREPLY=($(compgen -W "\(commands)" -- "$cur"))
        return
      fi
      command=${COMP_WORDS[1]}
      [[ $command == -* ]] && command=run
      case $command in
    \(cases(options))  esac

    """
  }

  private static var offering: String {
    """
      for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ " $valued " == *" ${COMP_WORDS[i]} "* ]]; then
          i+=1
          [[ ${COMP_WORDS[i]} == = ]] && i+=1
        elif [[ ${COMP_WORDS[i]} != -?* ]]; then
          position+=1
        fi
      done
      if [[ " $valued " == *" $prev "* ]]; then
        case $command:$prev in
    \(cases(values))    esac
      elif [[ $cur == -* ]]; then
        words=$options
        ((COMP_CWORD == 1)) && words+=" --version"
      else
        case $command:$position in
    \(cases(positionals))    esac
      fi
      if [[ -n $paths ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen "$paths" -- "$cur")
      else
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
      fi
    }
    complete -F _ingest ingest

    """
  }

  private static var commands: String { CommandTable.commands.map(\.name.rawValue).joined(separator: " ") }

  private static func cases(_ lines: (CommandSpec) -> [String]) -> String {
    CommandTable.commands.flatMap(lines).map { "      \($0) ;;\n" }.joined()
  }

  private static func options(_ command: CommandSpec) -> [String] {
    let all = command.options.map(\.name.rawValue).joined(separator: " ")
    let valued = command.options.filter { $0.placeholder != nil }.map(\.name.rawValue).joined(separator: " ")
    return ["\(command.name.rawValue)) options=\"\(all)\" valued=\"\(valued)\""]
  }

  private static func values(_ command: CommandSpec) -> [String] {
    command.options.compactMap { option in
      assignment(Offer(option)).map { "\(command.name.rawValue):\(option.name.rawValue)) \($0)" }
    }
  }

  private static func positionals(_ command: CommandSpec) -> [String] {
    command.positionals.enumerated().compactMap { index, positional in
      let place = positional.isRepeated ? "*" : "\(index + 1)"
      return assignment(Offer(positional)).map { "\(command.name.rawValue):\(place)) \($0)" }
    }
  }

  private static func assignment(_ offer: Offer) -> String? {
    switch offer {
    case .nothing: nil
    case .files: "paths=-f"
    case .folders: "paths=-d"
    case .words(let words): "words=\"\(words.joined(separator: " "))\""
    }
  }
}
