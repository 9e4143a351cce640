/// The arguments of one command, each option known and with the value that it needs.
struct ParsedArguments {
  enum Item {
    case option(OptionName, String)
    case flag(OptionName)
    case positional(String)
  }

  let command: CommandSpec
  /// In the order written.
  private(set) var items: [Item] = []
  private(set) var asksForHelp = false

  /// Reads up to a `--help`, or to the end. Bare: without a command's name in front.
  init(_ arguments: ArraySlice<String>, of command: CommandSpec, bare: Bool = false) throws(UsageError) {
    self.command = command
    var rest = arguments
    var optionsEnded = false
    while let argument = rest.popFirst() {
      if optionsEnded || !argument.isOption {
        items.append(.positional(argument))
      } else if argument == "--" {
        optionsEnded = true
      } else if argument == "-h" || argument == OptionName.help.rawValue {
        asksForHelp = true
        return
      } else {
        try takeOption(argument, &rest, bare: bare)
      }
    }
    try checkPositionals()
    try checkRequired()
  }

  private mutating func takeOption(_ argument: String, _ rest: inout ArraySlice<String>, bare: Bool) throws(UsageError)
  {
    let (name, attached) = argument.splitAtEquals
    guard let option = OptionName(rawValue: name).flatMap(command.option) else {
      let known = command.options.map(\.name.rawValue) + (bare ? ["--version"] : [])
      var error = UsageError.unknown("option", name, among: known, command: command.name)
      let value = attached ?? rest.first.flatMap { $0.isOption ? nil : $0 }
      if let hint = MisplacedWord.hint(forOption: name, value, of: command) { error.hint = hint }
      throw error
    }
    guard option.placeholder != nil else {
      if attached != nil { throw UsageError("\(name) takes no value", command: command.name) }
      items.append(.flag(option.name))
      return
    }
    if !option.isRepeatable, value(option.name) != nil {
      throw UsageError("\(name) is given twice", command: command.name)
    }
    let value = if let attached { attached } else { try following(option, &rest) }
    guard !value.isEmpty else { throw UsageError("\(name) has an empty value", command: command.name) }
    try check(value, of: option)
    items.append(.option(option.name, value))
  }

  /// The next argument; one that looks like an option is not taken for a value.
  private func following(_ option: OptionSpec, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    let name = option.name.rawValue
    let missing = "\(name) needs a value: \(name) \(option.placeholder ?? "")"
    guard let next = rest.first else { throw UsageError(missing, command: command.name) }
    if next.isOption {
      throw UsageError(missing, hint: "a value that starts with '-' is written \(name)=VALUE", command: command.name)
    }
    rest.removeFirst()
    return next
  }

  private func check(_ value: String, of option: OptionSpec) throws(UsageError) {
    guard !option.choices.isEmpty, !option.choices.contains(value) else { return }
    let known = option.choices.joined(separator: " or ")
    throw UsageError("\(option.name.rawValue) is \(known), not '\(value)'", command: command.name)
  }

  private func checkPositionals() throws(UsageError) {
    let given = positionals
    let specs = command.positionals
    if let missing = specs.dropFirst(given.count).first(where: { !$0.isOptional }) {
      throw UsageError("\(command.name.rawValue) needs \(missing.placeholder)", command: command.name)
    }
    if given.count > specs.count, specs.last?.isRepeated != true {
      let word = given[specs.count]
      throw UsageError(
        "unexpected argument '\(word)'", hint: MisplacedWord.hint(for: word, of: command), command: command.name)
    }
  }

  private func checkRequired() throws(UsageError) {
    for option in command.options where option.isRequired && value(option.name) == nil {
      let needed = "\(option.name.rawValue) \(option.placeholder ?? "")"
      throw UsageError("\(command.name.rawValue) needs \(needed)", command: command.name)
    }
  }
}

/// What was found.
extension ParsedArguments {
  var positionals: [String] {
    items.compactMap { item in
      if case .positional(let text) = item { text } else { nil }
    }
  }

  func values(_ name: OptionName) -> [String] {
    items.compactMap { item in
      if case .option(name, let value) = item { value } else { nil }
    }
  }

  func value(_ name: OptionName) -> String? { values(name).first }

  func has(_ name: OptionName) -> Bool {
    items.contains { item in
      if case .flag(name) = item { true } else { false }
    }
  }
}

extension String {
  /// Starts with `-` and is more than that: `-` alone is standard input.
  fileprivate var isOption: Bool { utf8.first == UInt8(ascii: "-") && utf8.count > 1 }

  /// `--name=value` in two; all else is a name.
  fileprivate var splitAtEquals: (name: String, value: String?) {
    guard utf8.starts(with: "--".utf8), let equals = utf8.firstIndex(of: UInt8(ascii: "=")) else { return (self, nil) }
    return (String(self[..<equals]), String(self[utf8.index(after: equals)...]))
  }
}
