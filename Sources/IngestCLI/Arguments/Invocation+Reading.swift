import MappingLanguage

extension LoggingOptions {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    let (quiet, verbose) = (parsed.has(.quiet), parsed.has(.verbose))
    if quiet && verbose { throw UsageError("-q and -v contradict each other", command: parsed.command.name) }
    verbosity = quiet ? .quiet : verbose ? .verbose : .normal
    format = parsed.value(.logFormat).flatMap(Format.init) ?? .text
  }
}

extension InterpolationOptions {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    secrets = parsed.value(.secrets)
    for text in parsed.values(.set) {
      guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals > text.startIndex else {
        throw UsageError("--set takes NAME=VALUE, not '\(text)'", command: parsed.command.name)
      }
      let setting = Setting(name: String(text[..<equals]), value: String(text[text.utf8.index(after: equals)...]))
      if settings.contains(where: { $0.name.utf8.elementsEqual(setting.name.utf8) }) {
        throw UsageError("--set gives '\(setting.name)' two values", command: parsed.command.name)
      }
      settings.append(setting)
    }
  }
}

extension RoutingOptions {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    endpoint = parsed.value(.endpoint)
    path = parsed.value(.path)
    if endpoint != nil && path != nil {
      throw UsageError("--endpoint and --path cannot both say how to route", command: parsed.command.name)
    }
    if let method = parsed.value(.method) {
      if path == nil { throw UsageError("--method needs --path", command: parsed.command.name) }
      self.method = try parsed.method(method, named: "--method")
    }
    if let text = parsed.value(.status) {
      guard let status = Int(text), text.utf8.count == 3, 100...599 ~= status else {
        throw UsageError("--status is a number from 100 to 599, not '\(text)'", command: parsed.command.name)
      }
      self.status = status
    }
  }
}

extension FetchingOptions {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    isFull = parsed.has(.full)
    isDry = parsed.has(.dryRun)
    waits = parsed.has(.wait)
    looksForDrift = parsed.has(.drift)
    if let text = parsed.value(.maxPages) {
      guard let pages = Int(text), pages > 0 else {
        throw UsageError("--max-pages is a number from 1 on, not '\(text)'", command: parsed.command.name)
      }
      maxPages = pages
    }
    if let text = parsed.value(.deadline) {
      guard let time = Duration(mappingText: text), time > .zero else {
        throw UsageError("--deadline is a time such as 30m, not '\(text)'", command: parsed.command.name)
      }
      deadline = time
    }
  }
}

extension RunInvocation {
  /// Of `run`, and of `record`.
  init(_ parsed: ParsedArguments) throws(UsageError) {
    let isRecording = parsed.command.name == .record
    mappings = parsed.items.compactMap { item in
      switch item {
      case .option(.config, let file): file
      case .positional(let file): isRecording ? nil : file
      default: nil
      }
    }
    if isRecording { recording = parsed.positionals[0] }
    if mappings.isEmpty { throw UsageError("run needs --config FILE", command: .run) }
    if recording?.isEmpty ?? false { throw UsageError("DIR is empty", command: .record) }
    try parsed.checkStandardInput(mappings + [parsed.value(.secrets)].compactMap(\.self))
    endpoint = parsed.value(.endpoint)
    interpolation = try InterpolationOptions(parsed)
    store = parsed.value(.store)
    recorded = parsed.value(.recorded)
    maxRejects = try parsed.maxRejects()
    allowsLoss = parsed.has(.allowLoss)
    fetching = try FetchingOptions(parsed)
    logging = try LoggingOptions(parsed)
  }
}

extension LoadInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    files = parsed.positionals
    mapping = try parsed.mapping()
    try parsed.checkStandardInput(files + [mapping] + [parsed.value(.secrets)].compactMap(\.self))
    routing = try RoutingOptions(parsed)
    interpolation = try InterpolationOptions(parsed)
    store = parsed.value(.store)
    maxRejects = try parsed.maxRejects()
    allowsLoss = parsed.has(.allowLoss)
    isPartial = parsed.has(.partial)
    waits = parsed.has(.wait)
    looksForDrift = parsed.has(.drift)
    logging = try LoggingOptions(parsed)
  }
}

extension MapInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    files = parsed.positionals
    mapping = try parsed.mapping()
    try parsed.checkStandardInput(files + [mapping] + [parsed.value(.secrets)].compactMap(\.self))
    routing = try RoutingOptions(parsed)
    interpolation = try InterpolationOptions(parsed)
    format = parsed.value(.format).flatMap(Format.init) ?? .ndjson
    table = parsed.value(.table)
    maxRejects = try parsed.maxRejects()
    isPartial = parsed.has(.partial)
    logging = try LoggingOptions(parsed)
  }
}

extension ValidateInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    files = parsed.positionals
    try parsed.checkStandardInput(files)
    format = parsed.value(.format).flatMap(Format.init) ?? .text
    deniesWarnings = parsed.has(.denyWarnings)
    logging = try LoggingOptions(parsed)
  }
}

extension TestInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    files = parsed.positionals
    try parsed.checkStandardInput(files)
    format = parsed.value(.format).flatMap(Format.init) ?? .text
    updates = parsed.has(.update)
    shuffles = parsed.has(.shuffle)
    duplicatesPages = parsed.has(.duplicatePages)
    if let text = parsed.value(.seed) {
      guard let seed = UInt64(text) else {
        throw UsageError("--seed is a whole number from 0 on, not '\(text)'", command: .test)
      }
      if !shuffles { throw UsageError("--seed needs --shuffle", command: .test) }
      self.seed = seed
    }
    if let text = parsed.value(.cutAt) {
      guard let pages = Int(text), pages > 0 else {
        throw UsageError("--cut-at is a number of pages from 1 on, not '\(text)'", command: .test)
      }
      cut = pages
    }
    if updates, shuffles || duplicatesPages || cut != nil {
      throw UsageError("--update writes what comes in the ordinary way: leave out the other options", command: .test)
    }
    if updates, files.contains("-") { throw UsageError("--update cannot write standard input", command: .test) }
    logging = try LoggingOptions(parsed)
  }
}

extension RouteInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    method = try parsed.method(parsed.positionals[0], named: "METHOD")
    url = parsed.positionals[1]
    if url.isEmpty { throw UsageError("URL is empty", command: .route) }
    mapping = try parsed.mapping()
    logging = try LoggingOptions(parsed)
  }
}

extension PlanInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    mapping = try parsed.mapping()
    interpolation = try InterpolationOptions(parsed)
    store = parsed.value(.store)
    logging = try LoggingOptions(parsed)
  }
}

extension ReplayInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    mapping = try parsed.mapping()
    try parsed.checkStandardInput([mapping] + [parsed.value(.secrets)].compactMap(\.self))
    endpoint = parsed.value(.endpoint)
    interpolation = try InterpolationOptions(parsed)
    store = parsed.value(.store)
    takesRejects = parsed.has(.rejects)
    maxRejects = try parsed.maxRejects()
    allowsLoss = parsed.has(.allowLoss)
    waits = parsed.has(.wait)
    logging = try LoggingOptions(parsed)
  }
}

extension InferInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    samples = parsed.positionals
    try parsed.checkStandardInput(samples)
    logging = try LoggingOptions(parsed)
  }
}

extension ImportInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    let word = parsed.positionals[0]
    guard let kind = Kind(rawValue: word) else {
      throw UsageError.unknown("kind of description", word, among: Kind.allCases.map(\.rawValue), command: .import)
    }
    (self.kind, file) = (kind, parsed.positionals[1])
    if file.isEmpty { throw UsageError("FILE is empty", command: .import) }
    logging = try LoggingOptions(parsed)
  }
}

extension TryInvocation {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    endpoint = parsed.positionals[0]
    mapping = try parsed.mapping()
    try parsed.checkStandardInput([mapping] + [parsed.value(.secrets)].compactMap(\.self))
    interpolation = try InterpolationOptions(parsed)
    store = parsed.value(.store)
    recorded = parsed.value(.recorded)
    logging = try LoggingOptions(parsed)
  }
}

/// Values that several commands read alike.
extension ParsedArguments {
  func mapping() throws(UsageError) -> String {
    guard let mapping = value(.config) else {
      throw UsageError("\(command.name.rawValue) needs --config FILE", command: command.name)
    }
    return mapping
  }

  func maxRejects() throws(UsageError) -> MaxRejects? {
    guard let text = value(.maxRejects) else { return nil }
    guard let limit = MaxRejects(text) else {
      throw UsageError("--max-rejects is a number or a percentage, not '\(text)'", command: command.name)
    }
    return limit
  }

  /// A method in capitals: a token of HTTP, which has no other letters in practice.
  func method(_ text: String, named name: String) throws(UsageError) -> String {
    let isToken = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
    }
    guard isToken, !text.isEmpty else {
      throw UsageError("\(name) is a method as GET, not '\(text)'", command: command.name)
    }
    return text.uppercased()
  }

  /// Standard input can be read once.
  func checkStandardInput(_ names: [String]) throws(UsageError) {
    if names.count(where: { $0 == "-" }) > 1 {
      throw UsageError("- (standard input) is given twice", command: command.name)
    }
  }
}
