/// Words that are right in another command, or in another place of this one: what to type.
enum MisplacedWord {
  static func isMapping(_ word: String) -> Bool {
    [".yaml", ".yml"].contains { word.utf8.count > $0.utf8.count && word.lowercased().hasSuffix($0) }
  }

  /// In place of a command.
  static func hint(inPlaceOfCommand word: String) -> String? {
    isMapping(word) ? "to run a mapping, write 'ingest --config \(word)'" : nil
  }

  /// Of a word that the command has no place for.
  static func hint(for word: String, of command: CommandSpec) -> String? {
    guard isMapping(word), command.option(.config) != nil else { return nil }
    return "write 'ingest \(command.name.rawValue) --config \(word)'"
  }

  /// Of an option that the command does not have. `value` is what stands behind it.
  static func hint(forOption name: String, _ value: String?, of command: CommandSpec) -> String? {
    guard let option = OptionName(rawValue: name) else { return nil }
    let value = value ?? "FILE"
    if option == .config, command.positionals.last?.isRepeated == true {
      return "write 'ingest \(command.name.rawValue) \(value)'"
    }
    if option == .recorded, command.option(.config) != nil, [.load, .map].contains(command.name) {
      return "recorded answers are run: write 'ingest --config FILE --recorded \(value)'; '\(command.name.rawValue)' "
        + "takes bodies from files"
    }
    let others = CommandTable.commands.filter { $0.option(option) != nil }.map { "'\($0.name.rawValue)'" }
    return others.isEmpty || others.count > 6 ? nil : "it is an option of \(others.joined(separator: ", "))"
  }
}
