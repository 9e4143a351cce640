import Diagnostics
import MappingLanguage
import Values

/// Path patterns: `/repos/:owner/{name}/*`, interpolated.
extension PlanCompiler {
  /// A segment while its template is walked over.
  private struct Draft {
    var bytes: [UInt8] = []
    /// Something of it came from a `${…}`: it is a literal, whatever it looks like.
    var isInterpolated = false
    /// A value that is not known when the plan is made: any segment fits.
    var isOpen = false
  }

  mutating func compilePattern(_ path: Located<Template>) -> PathPattern? {
    guard let drafts = draftSegments(path) else { return nil }
    var segments: [PathPattern.Segment] = []
    for (index, draft) in drafts.enumerated() {
      guard let segment = segment(draft, isLast: index == drafts.count - 1, at: path) else { return nil }
      if case .parameter(let name) = segment, segments.contains(segment), !name.isEmpty {
        report(.badPattern, "the path has two parameters '\(name)'", at: path.span, hint: "give one of them another name")
        return nil
      }
      segments.append(segment)
    }
    let text = "/" + drafts.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/")
    return PathPattern(segments: segments, text: text)
  }

  private mutating func draftSegments(_ path: Located<Template>) -> [Draft]? {
    var drafts = [Draft()]
    for piece in path.value.pieces {
      if case .text(let text) = piece {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
          if index > 0 { drafts.append(Draft()) }
          drafts[drafts.count - 1].bytes += part
        }
        continue
      }
      drafts[drafts.count - 1].isInterpolated = true
      switch scope.text(of: piece) {
      case .text(let text): drafts[drafts.count - 1].bytes += PathPattern.percentEncoded(text)
      case .unresolved:
        drafts[drafts.count - 1].isOpen = true
        drafts[drafts.count - 1].bytes += Array("${…}".utf8)
      case .invalid(let message):
        report(.badInterpolation, message, at: path.span)
        return nil
      }
    }
    if drafts.count > 1, drafts.first.map({ $0.bytes.isEmpty && !$0.isInterpolated }) == true { drafts.removeFirst() }
    if drafts.last.map({ $0.bytes.isEmpty && !$0.isInterpolated }) == true { drafts.removeLast() }
    return drafts
  }

  private mutating func segment(_ draft: Draft, isLast: Bool, at path: Located<Template>) -> PathPattern.Segment? {
    if draft.isOpen { return .parameter("") }
    let text = String(decoding: draft.bytes, as: UTF8.self)
    if draft.isInterpolated { return .literal(PathPattern.percentDecoded(draft.bytes)) }
    if text == "*" {
      if isLast { return .rest }
      report(.badPattern, "'*' stands in the middle of a path", at: path.span, hint: "'*' is the last segment, or none")
      return nil
    }
    guard let name = parameterName(text) else { return .literal(PathPattern.percentDecoded(draft.bytes)) }
    guard name.isEmpty || name.contains(where: { "{}:*".contains($0) }) else { return .parameter(name) }
    report(
      .badPattern, "the segment '\(text)' is no parameter", at: path.span,
      hint: "write ':name' or '{name}' for a whole segment")
    return nil
  }

  /// The name in `:name` or `{name}`; nil for a literal, empty or odd for what looks like a parameter and is none.
  private func parameterName(_ text: String) -> String? {
    if text.hasPrefix(":") { return String(text.dropFirst()) }
    guard text.contains("{") || text.contains("}") else { return nil }
    return text.hasPrefix("{") && text.hasSuffix("}") ? String(text.dropFirst().dropLast()) : text
  }
}
