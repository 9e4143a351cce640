import Diagnostics
package import MappingLanguage
package import Records
package import Values

/// The values that `${…}` stands for in one run.
package struct Interpolation: Sendable {
  /// A declared variable with its value: of `--set`, or its default.
  package struct Variable: Sendable {
    package var name: String
    package var type: ColumnType?
    /// Nil while nobody has given one: only checks go on without it.
    package var value: Literal?

    package init(name: String, type: ColumnType?, value: Literal?) {
      self.name = name
      self.type = type
      self.value = value
    }
  }

  /// What a template gives.
  package enum Outcome: Sendable {
    case literal(Literal)
    /// A variable, secret or parent value is not known here.
    case unresolved(String)
    case invalid(String)
  }

  package enum TextOutcome: Sendable {
    case text(String)
    case unresolved(String)
    case invalid(String)
  }

  package var variables: [Variable] { didSet { places = Self.places(of: variables) } }
  /// The place of each variable, by its name.
  private var places: [NameKey: Int]
  /// Of the environment and of `--secrets`, by name; nil where secrets may not be read.
  package var secret: (@Sendable (String) -> String?)?
  /// The names that the file of `--secrets` has; nil without such a file.
  package var namesInSecretsFile: [String]?
  package var environment: @Sendable (String) -> String?
  /// What `for_each` binds in the walk at hand, by name: `${each.NAME}`, and path parameters of that name.
  package var each: [(name: String, value: Literal)] = []
  /// The run's beginning: `${now}` is the same in all requests.
  package var now: Instant
  /// The mapping is only checked: what has no value yet is no fault.
  package var isChecking: Bool

  package init(
    variables: [Variable], now: Instant, isChecking: Bool = false, secret: (@Sendable (String) -> String?)? = nil,
    environment: @escaping @Sendable (String) -> String?
  ) {
    self.variables = variables
    places = Self.places(of: variables)
    self.now = now
    self.isChecking = isChecking
    self.secret = secret
    self.environment = environment
  }

  /// A value that is one `${…}` keeps its type; everything else is text, or what its scalar is.
  package func literal(of template: Template) -> Outcome {
    if template.isConstant {
      let isPlainText = if case .text = template.core { true } else { false }
      return .literal(isPlainText ? .text(constantText(template)) : template.core)
    }
    if template.isSingleReference {
      switch template.pieces.first {
      case .variable(let name, pattern: nil)?: return variable(name)?.value.map(Outcome.literal) ?? .unresolved(name)
      case .each(let name, pattern: nil)?: return bound(name).map(Outcome.literal) ?? .unresolved("each.\(name)")
      default: break
      }
    }
    switch text(of: template) {
    case .text(let text): return .literal(.text(text))
    case .unresolved(let name): return .unresolved(name)
    case .invalid(let message): return .invalid(message)
    }
  }

  /// The text of a template, each `${…}` run through `encode`.
  package func text(of template: Template, encode: (String) -> String = { $0 }) -> TextOutcome {
    var result = ""
    for piece in template.pieces {
      if case .text(let text) = piece {
        result += text
        continue
      }
      switch text(of: piece) {
      case .text(let text): result += encode(text)
      case let other: return other
      }
    }
    return .text(result)
  }

  package func text(of piece: Template.Piece) -> TextOutcome {
    switch piece {
    case .text(let text): return .text(text)
    case .variable(let name, let pattern): return variableText(name, pattern: pattern)
    case .environment(let name): return environment(name).map(TextOutcome.text) ?? .unresolved("env.\(name)")
    case .secret(let name): return secret?(name).map(TextOutcome.text) ?? .unresolved("secret.\(name)")
    case .each(let name, let pattern):
      guard let value = bound(name) else { return .unresolved("each.\(name)") }
      return written(value, of: "each.\(name)", pattern: pattern)
    case .now(let pattern): return formatted(now, pattern: pattern) { now.rfc3339 ?? "" }
    case .today(let offset, let pattern):
      let day = now.adding(seconds: Int64(offset) * 86_400)
      return formatted(day, pattern: pattern) { day.civil?.date.text ?? "" }
    }
  }

  private func variableText(_ name: String, pattern: String?) -> TextOutcome {
    guard let variable = variable(name) else { return .invalid("no variable is named '\(name)'") }
    guard let value = variable.value else { return .unresolved(name) }
    return written(value, of: name, pattern: pattern)
  }

  private func written(_ value: Literal, of name: String, pattern: String?) -> TextOutcome {
    guard let pattern else { return .text(value.plainText) }
    guard let instant = Instant(iso: value.plainText) else {
      return .invalid("'\(name)' is no date, so it cannot be written as '\(pattern)'")
    }
    return formatted(instant, pattern: pattern) { value.plainText }
  }

  private func formatted(_ instant: Instant, pattern: String?, otherwise: () -> String) -> TextOutcome {
    guard let pattern else { return .text(otherwise()) }
    do throws(DatePattern.Fault) {
      guard let text = try DatePattern(pattern).format(instant) else {
        return .invalid("the date is out of the calendar's range")
      }
      return .text(text)
    } catch {
      return .invalid("the date pattern '\(pattern)' cannot be used: \(error.message)")
    }
  }

  /// How what has no value gets one, by its name in `${…}`.
  package func remedy(_ name: String) -> String {
    let (secret, environment) = ("secret.", "env.")
    if name.utf8.starts(with: secret.utf8) {
      let bare = String(name.dropFirst(secret.count))
      guard let known = namesInSecretsFile else {
        return "set \(bare) in the environment, or give a file by --secrets"
      }
      let meant = NearestName.nearest(to: bare, among: known).map { "; did you mean its '\($0)'?" } ?? ""
      return "neither the file of --secrets nor the environment has \(bare): add it to one of them\(meant)"
    }
    if name.utf8.starts(with: environment.utf8) {
      return "set \(name.dropFirst(environment.count)) in the environment"
    }
    return "use --set \(name)=…"
  }

  /// A value that `for_each` binds.
  package func bound(_ name: String) -> Literal? {
    each.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  private func variable(_ name: String) -> Variable? {
    places[NameKey(name)].map { variables[$0] }
  }

  private static func places(of variables: [Variable]) -> [NameKey: Int] {
    Dictionary(variables.enumerated().map { (NameKey($1.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func constantText(_ template: Template) -> String {
    template.pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }
}

extension Literal {
  /// As a request or a path shows it; null is empty.
  package var plainText: String {
    switch self {
    case .null: ""
    case .boolean(let value): value ? "true" : "false"
    case .number(let text), .text(let text): text
    }
  }
}
