package import Diagnostics

/// What a command line asks for.
package enum Invocation: Sendable, Hashable {
  case run(RunInvocation)
  case load(LoadInvocation)
  case map(MapInvocation)
  case validate(ValidateInvocation)
  case test(TestInvocation)
  case route(RouteInvocation)
  case plan(PlanInvocation)
  case `try`(TryInvocation)
  case replay(ReplayInvocation)
  case explain(ExplainInvocation)
  case explainValue(ExplainValueInvocation)
  case prune(PruneInvocation)
  case schema(SchemaInvocation)
  case status(StatusInvocation)
  case completions(CompletionsInvocation)
  case infer(InferInvocation)
  case `import`(ImportInvocation)
  /// Help on all commands, or on one.
  case help(CommandName?)
  /// The manual page.
  case manual
  case version(withLibraries: Bool)

  package var logging: LoggingOptions {
    switch self {
    case .run(let run): run.logging
    case .load(let load): load.logging
    case .map(let map): map.logging
    case .validate(let validate): validate.logging
    case .test(let test): test.logging
    case .route(let route): route.logging
    case .plan(let plan): plan.logging
    case .try(let trial): trial.logging
    case .replay(let replay): replay.logging
    case .explain(let explain): explain.logging
    case .explainValue(let explain): explain.logging
    case .prune(let prune): prune.logging
    case .schema(let schema): schema.logging
    case .status(let status): status.logging
    case .completions(let completions): completions.logging
    case .infer(let infer): infer.logging
    case .import(let description): description.logging
    case .help, .manual, .version: LoggingOptions()
    }
  }
}

/// `-q`, `-v`, `--log-format`.
package struct LoggingOptions: Sendable, Hashable {
  package enum Format: String, Sendable { case text, json }
  package enum Verbosity: Sendable { case quiet, normal, verbose }

  package var format = Format.text
  package var verbosity = Verbosity.normal

  package init(format: Format = .text, verbosity: Verbosity = .normal) {
    self.format = format
    self.verbosity = verbosity
  }
}

/// What gives `${…}` their values.
package struct InterpolationOptions: Sendable, Hashable {
  /// `--set name=value`: no name comes twice.
  package struct Setting: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  package var settings: [Setting] = []
  /// A file, or `-` for standard input.
  package var secrets: String?

  package init() {}
}

/// How `load` and `map` route their bodies. At most one of `endpoint` and `path` is there.
package struct RoutingOptions: Sendable, Hashable {
  package var endpoint: String?
  package var path: String?
  /// Only beside `path`, in capitals.
  package var method: String?
  package var status: Int?

  package init() {}
}

/// What the command says of walks: `--full`, `--dry-run`, `--max-pages`, `--deadline`, `--wait`, `--drift`.
package struct FetchingOptions: Sendable, Hashable {
  package var isFull = false
  package var isDry = false
  package var maxPages: Int?
  package var deadline: Duration?
  package var waits = false
  package var looksForDrift = false

  package init() {}
}

package struct RunInvocation: Sendable, Hashable {
  /// At least one, in the order written, whether by `--config` or without it.
  package var mappings: [String]
  package var endpoint: String?
  package var interpolation = InterpolationOptions()
  package var store: String?
  package var recorded: String?
  /// Of `record`: the folder that keeps the answers.
  package var recording: String?
  package var maxRejects: MaxRejects?
  package var allowsLoss = false
  package var fetching = FetchingOptions()
  package var logging = LoggingOptions()

  package init(mappings: [String]) { self.mappings = mappings }
}

package struct LoadInvocation: Sendable, Hashable {
  /// At least one; `-` is standard input, and comes once at most.
  package var files: [String]
  package var mapping: String
  package var routing = RoutingOptions()
  package var interpolation = InterpolationOptions()
  package var store: String?
  package var maxRejects: MaxRejects?
  package var allowsLoss = false
  package var isPartial = false
  package var waits = false
  package var looksForDrift = false
  package var logging = LoggingOptions()

  package init(files: [String], mapping: String) { (self.files, self.mapping) = (files, mapping) }
}

package struct MapInvocation: Sendable, Hashable {
  package enum Format: String, Sendable { case ndjson, csv, table, sql, none }

  /// At least one; `-` is standard input, and comes once at most.
  package var files: [String]
  package var mapping: String
  package var routing = RoutingOptions()
  package var interpolation = InterpolationOptions()
  package var format = Format.ndjson
  package var table: String?
  package var maxRejects: MaxRejects?
  package var isPartial = false
  package var logging = LoggingOptions()

  package init(files: [String], mapping: String) { (self.files, self.mapping) = (files, mapping) }
}

package struct ValidateInvocation: Sendable, Hashable {
  package enum Format: String, Sendable, CaseIterable { case text, json, sarif, github, junit }

  /// Mappings and folders, at least one; `-` is standard input, and comes once at most.
  package var files: [String]
  package var format = Format.text
  package var deniesWarnings = false
  package var logging = LoggingOptions()

  package init(files: [String]) { self.files = files }
}

package struct TestInvocation: Sendable, Hashable {
  package enum Format: String, Sendable, CaseIterable { case text, json, github, junit }

  /// Mappings and folders, at least one; `-` is standard input, and comes once at most.
  package var files: [String]
  package var format = Format.text
  package var updates = false
  package var shuffles = false
  /// Nil: any.
  package var seed: UInt64?
  package var duplicatesPages = false
  package var cut: Int?
  package var logging = LoggingOptions()

  package init(files: [String]) { self.files = files }
}

package struct RouteInvocation: Sendable, Hashable {
  /// In capitals.
  package var method: String
  package var url: String
  package var mapping: String
  package var logging = LoggingOptions()

  package init(method: String, url: String, mapping: String) {
    (self.method, self.url, self.mapping) = (method, url, mapping)
  }
}

package struct PlanInvocation: Sendable, Hashable {
  package var mapping: String
  package var interpolation = InterpolationOptions()
  package var store: String?
  package var logging = LoggingOptions()
}

package struct ReplayInvocation: Sendable, Hashable {
  package var mapping: String
  package var endpoint: String?
  package var interpolation = InterpolationOptions()
  package var store: String?
  /// The kept rejects, in place of the archive.
  package var takesRejects = false
  package var maxRejects: MaxRejects?
  package var allowsLoss = false
  package var waits = false
  package var logging = LoggingOptions()

  package init(mapping: String) { self.mapping = mapping }
}

package struct InferInvocation: Sendable, Hashable {
  /// At least one; `-` is standard input, and comes once at most.
  package var samples: [String]
  package var logging = LoggingOptions()

  package init(samples: [String]) { self.samples = samples }
}

package struct ImportInvocation: Sendable, Hashable {
  package enum Kind: String, CaseIterable, Sendable { case openapi, airbyte, har }

  package var kind: Kind
  /// `-` is standard input.
  package var file: String
  package var logging = LoggingOptions()

  package init(_ kind: Kind, file: String) { (self.kind, self.file) = (kind, file) }
}

package struct TryInvocation: Sendable, Hashable {
  package var endpoint: String
  package var mapping: String
  package var interpolation = InterpolationOptions()
  /// Where the parents of a `for_each` are.
  package var store: String?
  package var recorded: String?
  package var logging = LoggingOptions()

  package init(endpoint: String, mapping: String) { (self.endpoint, self.mapping) = (endpoint, mapping) }
}

package struct ExplainInvocation: Sendable, Hashable {
  package var code: DiagnosticCode
  package var logging = LoggingOptions()

  package init(code: DiagnosticCode) { self.code = code }
}

package struct CompletionsInvocation: Sendable, Hashable {
  package enum Shell: String, Sendable, CaseIterable { case bash, zsh, fish }

  package var shell: Shell
  package var logging = LoggingOptions()

  package init(shell: Shell) { self.shell = shell }
}
