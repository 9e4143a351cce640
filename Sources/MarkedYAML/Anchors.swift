import Diagnostics

/// The anchors of a document, and how much its aliases have been expanded to.
struct Anchors {
  private enum State {
    case open
    case closed(BuiltNode)
  }

  private var states: [String: State] = [:]
  private var aliases = 0
  private var expandedNodes = 0

  /// A collection with this anchor begins.
  mutating func open(_ name: String) { states[name] = .open }

  /// The node with this anchor is read; an anchor that is given again names the later node from then on.
  mutating func close(_ name: String, _ node: BuiltNode) { states[name] = .closed(node) }

  /// The node that an alias stands for; throws where the limits on aliases are reached.
  mutating func expand(_ name: String, at span: SourceSpan) throws(YAMLFailure) -> Result<BuiltNode, YAMLFailure> {
    aliases += 1
    guard aliases <= YAMLLimits.aliases else {
      let message = "the file has more than \(YAMLLimits.aliases) aliases"
      throw YAMLFailure(Diagnostic(.yamlLimit, message, at: span))
    }
    switch states[name] {
    case .closed(let node):
      expandedNodes += node.size
      guard expandedNodes <= YAMLLimits.expandedNodes else {
        let message = "the aliases of the file stand for more than \(YAMLLimits.expandedNodes) values"
        throw YAMLFailure(Diagnostic(.yamlLimit, message, at: span))
      }
      return .success(node)
    case .open:
      let message = "the alias \(ShortName("*" + name)) stands within its own anchor \(ShortName("&" + name))"
      return .failure(YAMLFailure(Diagnostic(.unknownAlias, message, at: span)))
    case nil:
      // In a file with more anchors than that, a misspelt one is not looked for: it could take minutes.
      let known = states.count <= YAMLLimits.aliases ? states.keys.sorted() : []
      return .failure(YAMLFailure(.unknownAlias(name, known: known, at: span)))
    }
  }
}

extension Diagnostic {
  fileprivate static func unknownAlias(_ name: String, known: [String], at span: SourceSpan) -> Diagnostic {
    let nearest = NearestName.nearest(to: name, among: known)
    return Diagnostic(
      .unknownAlias, "no anchor above is named \(ShortName(name))", at: span,
      hint: nearest.map { "did you mean '*\($0)'?" } ?? "an anchor is written '&\(ShortName.cut(name))' before a value")
  }
}
