import Diagnostics
import MappingLanguage
import Values

/// Path patterns: `/repos/:owner/{name}/*`, interpolated.
extension PlanCompiler {
  /// Nil when the reader has reported it, or an interpolation cannot be done.
  mutating func compilePattern(_ path: Located<Template>) -> PathPattern? {
    guard let parts = try? path.value.pathSegments(), declares(path.value.pieces) else { return nil }
    var segments: [PathPattern.Segment] = []
    var texts: [String] = []
    for part in parts {
      switch part {
      case .rest:
        segments.append(.rest)
        texts.append("*")
      case .parameter(let name):
        segments.append(.parameter(name))
        texts.append(":\(name)")
      case .literal(let pieces):
        guard let (segment, text) = literal(pieces, at: path.span) else { return nil }
        segments.append(segment)
        texts.append(text)
      }
    }
    return PathPattern(segments: segments, text: "/" + texts.joined(separator: "/"))
  }

  /// A segment with a value that is not known when the plan is made, a secret for one, fits any segment.
  private mutating func literal(
    _ pieces: [Template.Piece], at span: SourceSpan
  ) -> (segment: PathPattern.Segment, text: String)? {
    var bytes: [UInt8] = []
    for piece in pieces {
      if case .text(let text) = piece {
        bytes += PathPattern.percentDecoded(Array(text.utf8))
        continue
      }
      switch scope.text(of: piece) {
      case .text(let text): bytes += Array(text.utf8)
      case .unresolved(let name): return (.parameter(""), "${\(name)}")
      case .invalid(let message):
        report(.badInterpolation, message, at: span)
        return nil
      }
    }
    return (.literal(bytes), String(decoding: PathPattern.percentEncoded(bytes), as: UTF8.self))
  }
}
