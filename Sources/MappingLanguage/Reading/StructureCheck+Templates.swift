import Diagnostics
import MarkedYAML
import Records
import Values

extension StructureCheck {
  /// A text that may hold `${…}`; nil when it cannot be read.
  mutating func template(_ scalar: YAMLScalar, at span: SourceSpan) -> Template? {
    do throws(TemplateError) {
      let template = try TemplateReader.read(scalar.text, core: scalar.literal)
      for piece in template.pieces { self.piece(piece, at: span) }
      if template.isConstant { bareVariable(scalar.text, at: span) }
      return template
    } catch {
      let nearest = error.unknownKind.flatMap { NearestName.nearest(to: $0, among: TemplateReader.kinds) }
      report(.badInterpolation, error.message, at: span, hint: nearest.map { "did you mean '\($0)'?" } ?? error.hint)
      return nil
    }
  }

  /// `$name` of a variable is a text like any other, and hardly meant.
  private mutating func bareVariable(_ text: String, at span: SourceSpan) {
    guard text.utf8.first == UInt8(ascii: "$"), symbols.hasVariable(String(text.dropFirst())) else { return }
    let name = String(text.dropFirst())
    usedVariables.insert(NameKey(name))
    warn(
      .badInterpolation, "'$\(name)' is a text, not the variable '\(name)'", at: span,
      hint: "did you mean '${\(name)}'?")
  }

  private mutating func piece(_ piece: Template.Piece, at span: SourceSpan) {
    switch piece {
    case .variable(let name, let pattern):
      guard variable(name, at: span), pattern != nil else { return }
      switch symbols.type(ofVariable: name) {
      case .date, .timestamp: return
      case .time:
        report(
          .badInterpolation, "the variable '\(name)' is a time without a day, so it takes no pattern", at: span,
          hint: "write '${\(name)}'")
      default:
        report(
          .badInterpolation, "the variable '\(name)' is no date, so it takes no pattern", at: span,
          hint: "declare it as {type: date, default: …}")
      }
    case .each(let name, _):
      if !isWithinForEach {
        report(.badInterpolation, "'${each.\(name)}' stands where there is no 'for_each'", at: span)
      }
    case .text, .environment, .secret, .now, .today: return
    }
  }

  /// A JSON value whose scalars may hold `${…}`. Depth is bounded by the YAML reader.
  mutating func jsonTemplate(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let scalar): if !scalar.isNull { _ = template(scalar, at: node.span) }
    case .sequence(let items): for item in items { jsonTemplate(item) }
    case .mapping(let entries):
      for entry in entries {
        if JSONTemplate.name(entry.key.text) == nil {
          report(
            .badInterpolation, "the name of a member cannot hold '${…}', as '\(entry.key.text)' does",
            at: entry.keySpan,
            hint: "a literal '${' is written '$${'")
          noteVariables(in: entry.key)
        }
        jsonTemplate(entry.value)
      }
    }
  }

  /// Names in capitals are those of the environment, and of secrets.
  private static func declaration(of name: String) -> String {
    let isShouted = name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    return isShouted
      ? "a secret is written '${secret.\(name)}', the environment '${env.\(name)}'; a variable is declared under 'variables'"
      : "declare it under 'variables'"
  }

  @discardableResult
  mutating func variable(_ name: String, at span: SourceSpan) -> Bool {
    usedVariables.insert(NameKey(name))
    if symbols.hasVariable(name) { return true }
    let nearest = symbols.variables.nearest(to: name)
    report(
      .unknownVariable, "no variable is named '\(name)'", at: span,
      hint: nearest.map { "did you mean '\($0)'?" } ?? Self.declaration(of: name))
    return false
  }

  /// A constant: `${…}` is not filled in there, so it is refused rather than taken as it stands.
  mutating func literal(_ scalar: YAMLScalar, at span: SourceSpan) {
    guard scalar.core == .text, scalar.text.holdsTemplate else { return }
    if let template = try? TemplateReader.read(scalar.text, core: scalar.literal), template.isConstant { return }
    report(
      .badInterpolation, "'${…}' cannot stand in this value", at: span, hint: "a literal '${' is written '$${'")
  }

  mutating func url(_ scalar: YAMLScalar, at span: SourceSpan) {
    let count = diagnostics.count
    guard let template = template(scalar, at: span), case .text(let start) = template.pieces.first else { return }
    // No URL begins so, which is an error below.
    if diagnostics.count > count, start.hasPrefix("$") { diagnostics.removeLast() }
    let lower = start.lowercased()
    let scheme = ["http://", "https://"].first { lower.utf8.starts(with: $0.utf8) }
    let hasHost = scheme.map { template.pieces.count > 1 || start.utf8.count > $0.utf8.count } ?? false
    guard hasHost else {
      let variable = String(start.drop { $0 == "$" || $0 == "{" }.prefix { $0 != "/" && $0 != "}" })
      return report(
        .badURL, "'\(scalar.text)' is no absolute URL", at: span,
        hint: symbols.hasVariable(variable)
          ? "did you mean '${\(variable)}'?"
          : start.contains("://") ? "the scheme is http or https" : "write https://\(scalar.text)")
    }
    if scalar.text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0 == "?" || $0 == "#" }) {
      report(.badURL, "a base URL has no white space, query or fragment, as '\(scalar.text)' does", at: span)
    }
  }

  mutating func pathPattern(_ scalar: YAMLScalar, at span: SourceSpan) {
    guard let template = template(scalar, at: span) else { return }
    do throws(PathPatternError) {
      for case .parameter(let name) in try template.pathSegments() { usedVariables.insert(NameKey(name)) }
    } catch {
      report(.badPattern, error.message, at: span, hint: error.hint)
    }
  }
}
