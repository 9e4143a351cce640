import Diagnostics
import JSONReading
import MarkedYAML
import Records
import Values

extension StructureCheck {
  mutating func check(_ scalar: YAMLScalar, at node: YAMLNode, as kind: ValueKind, _ site: Site) {
    let count = diagnostics.count
    read(scalar, at: node, as: kind, site)
    if diagnostics.count > count { noteVariables(in: scalar) }
  }

  /// Of a value at fault: that nothing uses the variables that it names is not said as well.
  mutating func noteVariables(in scalar: YAMLScalar) {
    guard scalar.text.holdsTemplate else { return }
    for piece in (try? TemplateReader.read(scalar.text, core: scalar.literal))?.pieces ?? [] {
      if case .variable(let name, _) = piece { usedVariables.insert(NameKey(name)) }
    }
  }

  private mutating func read(_ scalar: YAMLScalar, at node: YAMLNode, as kind: ValueKind, _ site: Site) {
    if case .word = kind { return word(scalar.isNull ? "null" : scalar.text, at: node.span, site) }
    if case .literal = kind { return literal(scalar, at: node.span) }
    if scalar.isNull { return wrongKind(node, kind, site) }
    let (text, span) = (scalar.text, node.span)
    switch kind {
    case .name: name(text, site.what, at: span)
    case .template: _ = template(scalar, at: span)
    case .url: url(scalar, at: span)
    case .pathPattern: pathPattern(scalar, at: span)
    case .boolean: boolean(scalar, at: span, site)
    case .integer(let range): integer(node, range, site)
    case .duration:
      if Quantity.duration(text) == nil {
        report(.badValue, "'\(text)' is no duration", at: span, hint: "write 250ms, 30s, 2m, 1h or 7d")
      }
    case .size:
      if Quantity.size(text) == nil {
        report(.badValue, "'\(text)' is no size", at: span, hint: "write 64KB, 64MB or 1GB")
      }
    case .share:
      if Quantity.share(text) == nil {
        report(.badValue, "\(site.what) cannot be '\(text)'", at: span, hint: "write a number such as 100, or 20%")
      }
    case .rate:
      if Quantity.rate(text) == nil {
        report(.badValue, "'\(text)' is no rate", at: span, hint: "write 5/s, 5/min, 5/h or 5/d")
      }
    case .pattern:
      if let fault = RegularExpression.fault(in: text) {
        report(.badRegularExpression, "'\(text)' is no regular expression: \(fault.message)", at: span)
      }
    case .keyPath(let use): keyPath(text, use, at: span)
    case .type: type(text, at: span)
    case .record: record(text, at: span)
    case .reference:
      if symbols.reference(Located(text, at: span)) == nil { record(String(text.prefix { $0 != "." }), at: span) }
    case .outcome: outcome(text, at: span)
    case .endpoint:
      if !symbols.hasEndpoint(text) {
        let nearest = symbols.endpoints.nearest(to: text)
        report(
          .unknownEndpoint, "no endpoint is named '\(text)'", at: span, hint: nearest.map { "did you mean '\($0)'?" })
      }
    case .status:
      if StatusSet.range(text) == nil {
        report(.badValue, "'\(text)' is no status", at: span, hint: "write 200, 2xx or 200-299")
      }
    default: return
    }
  }

  private mutating func word(_ text: String, at span: SourceSpan, _ site: Site) {
    guard site.words.contains(where: { $0.isSame(as: text) }) else {
      let nearest = NearestName.meant(by: text, among: site.words)
      return report(
        .badValue, "\(site.what) cannot be '\(text)'", at: span,
        hint: nearest.map { "did you mean '\($0)'?" } ?? "one of: \(site.words.joined(separator: ", "))")
    }
  }

  private mutating func boolean(_ scalar: YAMLScalar, at span: SourceSpan, _ site: Site) {
    if case .boolean = scalar.core { return }
    let word = scalar.text.lowercased()
    let meant = Self.booleanWords[word] ?? NearestName.nearest(to: word, among: ["true", "false"])
    report(
      .badValue, "\(site.what) is true or false, not '\(scalar.text)'", at: span,
      hint: meant.map { "did you mean '\($0)'?" })
  }

  /// Words that YAML 1.1 took for true and false.
  private static let booleanWords = [
    "yes": "true", "y": "true", "on": "true", "1": "true", "no": "false", "n": "false", "off": "false", "0": "false",
  ]

  private mutating func integer(_ node: YAMLNode, _ range: ClosedRange<Int>, _ site: Site) {
    guard let number = node.integer else {
      let text = node.scalar?.value.text ?? ""
      return report(.badValue, "\(site.what) is a whole number, not '\(text)'", at: node.span)
    }
    if range.contains(number) { return }
    let bounds =
      range.upperBound == Int.max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    report(.badValue, "\(site.what) cannot be \(number)", at: node.span, hint: "write \(bounds)")
  }

  private mutating func type(_ text: String, at span: SourceSpan) {
    if ColumnType(rawValue: text) != nil { return }
    let known = ColumnType.allCases.map(\.rawValue)
    let nearest = NearestName.meant(by: text, among: known)
    report(
      .unknownType, "no type is named '\(text)'", at: span,
      hint: Synonyms.type(text)?.hint ?? nearest.map { "did you mean '\($0)'?" }
        ?? "the types are: \(known.joined(separator: ", "))")
  }

  mutating func record(_ text: String, at span: SourceSpan) {
    if symbols.hasRecord(text) { return }
    let nearest = symbols.records.nearest(to: text)
    report(.unknownRecord, "no record is named '\(text)'", at: span, hint: nearest.map { "did you mean '\($0)'?" })
  }

  private mutating func outcome(_ text: String, at span: SourceSpan) {
    let words = ["skip", "reject"]
    if symbols.hasRecord(text) || words.contains(where: { $0.isSame(as: text) }) { return }
    let nearest = NearestName.nearest(to: text, among: [symbols.records.nearest(to: text)].compactMap(\.self) + words)
    report(
      .unknownRecord, "no record is named '\(text)'", at: span,
      hint: nearest.map { "did you mean '\($0)'?" } ?? "'else' is skip, reject, or a record")
  }

  /// A name of a table, column, record, …: not empty, no NUL, no `${…}`.
  mutating func name(_ text: String, _ what: String, at span: SourceSpan) {
    if text.isEmpty { return report(.badName, "\(what) is empty", at: span) }
    if text.utf8.contains(0) { return report(.badName, "\(what) holds the character U+0000", at: span) }
    guard text.holdsTemplate, let template = try? TemplateReader.read(text, core: .text(text)) else { return }
    if let secret = template.secrets.first {
      report(.badInterpolation, "the secret '\(secret)' cannot stand in a name", at: span)
    } else if !template.isConstant {
      report(.badInterpolation, "a name cannot hold '${…}', as '\(text)' does", at: span)
    }
  }

  mutating func variableName(_ text: String, at span: SourceSpan) {
    if text.unicodeScalars.contains(where: { $0 == "." || $0 == ":" || $0 == "}" || $0.properties.isWhitespace }) {
      report(.badName, "the variable '\(text)' could not be written in '${…}'", at: span)
    } else if ["now", "today"].contains(where: { $0.isSame(as: text) }) {
      report(.reservedName, "'${\(text)}' has a meaning of its own, so no variable can be named '\(text)'", at: span)
    }
  }

  private mutating func route(_ name: String, among known: [String], at span: SourceSpan) {
    if known.contains(where: { $0.isSame(as: name) }) { return }
    report(
      .unknownParameter, "no path of the endpoint has a parameter '\(name)'", at: span,
      hint: known.isEmpty ? nil : "the parameters are \(known.map { "'\($0)'" }.joined(separator: ", "))")
  }

  mutating func keyPath(_ text: String, _ use: ValueKind.PathUse, at span: SourceSpan) {
    do throws(KeyPathError) {
      let path = try KeyPath.parse(text)
      if let problem = use.problem(with: path) { report(.badKeyPath, problem, at: span) }
      if case .route(let name) = path.origin, let known = routeNames, use == .answer || use == .error {
        route(name, among: known, at: span)
      }
      if case .variable(let name) = path.origin { variable(name, at: span) }
    } catch {
      let nearest = error.unknownContext.flatMap { NearestName.nearest(to: $0, among: KeyPath.contextNames) }
      let hint = Synonyms.keyPath(text) ?? nearest.map { "did you mean '\($0)'?" } ?? error.hint
      report(.badKeyPath, error.message, at: span, hint: hint)
    }
  }
}

extension ValueKind.PathUse {
  /// Why a key path cannot stand there; nil when it can.
  func problem(with path: KeyPath) -> String? {
    if path.steps.contains(.eachMember), self != .place, self != .relationship {
      return "'.*' steps through members in places and relationships only, not in '\(path.text)'"
    }
    if path.steps.contains(.eachElement), self == .body || self == .bodyOrHeader {
      return "one value is needed here, and '\(path.text)' names many"
    }
    if allows(path.origin) { return nil }
    return self == .place
      ? "a place is in the body itself: '\(path.text)' cannot begin with a context name"
      : "'\(path.text)' reads a context that there is not here"
  }

  private func allows(_ origin: KeyPath.Origin) -> Bool {
    switch self {
    case .field, .condition: return true
    case .answer:
      switch origin {
      case .key, .index, .parent: return false
      default: return true
      }
    case .place: return origin == .value
    case .body: return origin == .value || origin == .root
    case .relationship:
      if case .parent = origin { return true }
      return origin == .value || origin == .root
    case .bodyOrHeader:
      if case .responseHeader = origin { return true }
      return origin == .value || origin == .root
    case .error:
      switch origin {
      case .value, .root, .responseHeader, .responseStatus, .requestURL, .route, .query: return true
      default: return false
      }
    }
  }
}
