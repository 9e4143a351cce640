/// The options of all commands, as they are written.
package enum OptionName: String, CaseIterable, Sendable {
  case config = "--config"
  case endpoint = "--endpoint"
  case path = "--path"
  case method = "--method"
  case status = "--status"
  case format = "--format"
  case dialect = "--dialect"
  case table = "--table"
  case set = "--set"
  case secrets = "--secrets"
  case store = "--store"
  case recorded = "--recorded"
  case maxRejects = "--max-rejects"
  case allowLoss = "--allow-loss"
  case denyWarnings = "--deny-warnings"
  case full = "--full"
  case dryRun = "--dry-run"
  case maxPages = "--max-pages"
  case deadline = "--deadline"
  case wait = "--wait"
  case drift = "--drift"
  case partial = "--partial"
  case update = "--update"
  case shuffle = "--shuffle"
  case seed = "--seed"
  case duplicatePages = "--duplicate-pages"
  case cutAt = "--cut-at"
  case rejects = "--rejects"
  case keep = "--keep"
  case man = "--man"
  case logFormat = "--log-format"
  case quiet = "-q"
  case verbose = "-v"
  case help = "--help"
}

/// One option of one command: what the parser takes and what help says.
package struct OptionSpec: Sendable {
  package let name: OptionName
  /// What stands for the value in help; nil for a flag.
  package let placeholder: String?
  package let summary: String
  package private(set) var isRepeatable = false
  package private(set) var isRequired = false
  /// Empty: any value.
  package private(set) var choices: [String] = []

  /// An option with a value.
  package init(_ name: OptionName, _ placeholder: String, _ summary: String) {
    self.name = name
    self.placeholder = placeholder
    self.summary = summary
  }

  /// A flag.
  package init(_ name: OptionName, _ summary: String) {
    self.name = name
    placeholder = nil
    self.summary = summary
  }

  /// One of the named values.
  package init(_ name: OptionName, oneOf choices: [String], _ summary: String) {
    self.init(name, choices.joined(separator: "|"), summary)
    self.choices = choices
  }

  package var repeatable: OptionSpec { with { $0.isRepeatable = true } }
  package var required: OptionSpec { with { $0.isRequired = true } }

  private func with(_ change: (inout OptionSpec) -> Void) -> OptionSpec {
    var copy = self
    change(&copy)
    return copy
  }
}
