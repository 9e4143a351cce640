package import Diagnostics
import MarkedYAML

/// The comments `# ingest: allow CODE reason` of a mapping's files, each of which silences warnings of one code on one
/// line: its own, or, where the comment has the line to itself, the next one that is no comment.
package struct Allowances: Sendable {
  private struct Comment {
    let span: SourceSpan
    /// The line that it speaks of.
    let line: Int
    let code: DiagnosticCode
  }

  private struct Place: Hashable {
    let file: ObjectIdentifier
    let line: Int
    let code: DiagnosticCode
  }

  private let comments: [Comment]
  private let places: Set<Place>
  /// Comments that say nothing that could be obeyed.
  private let unreadable: [Diagnostic]

  package init(in files: [SourceFile]) {
    var (comments, unreadable): ([Comment], [Diagnostic]) = ([], [])
    for file in files where CommentScanner.mayFind(in: file.bytes) {
      let scanner = CommentScanner(file)
      for found in scanner.comments {
        switch Self.read(found.text) {
        case .nothing: continue
        case .fault(let message, let hint):
          unreadable.append(Diagnostic(.badAllow, message, at: found.span, hint: hint, severity: .warning))
        case .allow(let code): comments.append(Comment(span: found.span, line: found.line, code: code))
        }
      }
    }
    (self.comments, self.unreadable) = (comments, unreadable)
    places = Set(comments.map { Place(file: ObjectIdentifier($0.span.file), line: $0.line, code: $0.code) })
  }

  /// The findings that stay, and those that a comment allows.
  package func split(_ findings: [Diagnostic]) -> (left: [Diagnostic], allowed: [Diagnostic]) {
    guard !places.isEmpty else { return (findings, []) }
    var (left, allowed): ([Diagnostic], [Diagnostic]) = ([], [])
    for finding in findings {
      if canBeAllowed(finding), places.contains(place(of: finding)) {
        allowed.append(finding)
      } else {
        left.append(finding)
      }
    }
    return (left, allowed)
  }

  /// What is wrong with the comments themselves. `findings` are all that there were, `areComplete` when nothing kept a
  /// check from being made: only then is it known what a comment silences.
  package func faults(given findings: [Diagnostic], areComplete: Bool) -> [Diagnostic] {
    var met: [Place: Bool] = [:]
    for finding in findings {
      let place = place(of: finding)
      met[place] = (met[place] ?? false) || canBeAllowed(finding)
    }
    return unreadable
      + comments.compactMap { comment in
        let place = Place(file: ObjectIdentifier(comment.span.file), line: comment.line, code: comment.code)
        switch met[place] {
        case true?: return nil
        case false?:
          let what = comment.code == .insecure ? "'insecure'" : "an error"
          return Diagnostic(
            .badAllow, "\(what) cannot be allowed by a comment", at: comment.span, hint: "take the comment away",
            severity: .warning)
        case nil:
          guard areComplete else { return nil }
          return Diagnostic(
            .badAllow, "this comment silences nothing: line \(comment.line) has no '\(comment.code.rawValue)'",
            at: comment.span, hint: "take it away, or put it above the line of the finding", severity: .warning)
        }
      }
  }

  private func place(of finding: Diagnostic) -> Place {
    Place(file: ObjectIdentifier(finding.span.file), line: finding.span.start.line, code: finding.code)
  }

  /// That nothing is verified is said on every run.
  private func canBeAllowed(_ finding: Diagnostic) -> Bool {
    finding.severity == .warning && finding.code != .insecure && finding.code != .badAllow
  }

  // MARK: the text

  private enum Reading {
    /// Prose that begins alike.
    case nothing
    case fault(String, hint: String)
    case allow(DiagnosticCode)
  }

  /// The text behind `#`.
  private static func read(_ text: String) -> Reading {
    let words = text.split(separator: " ", omittingEmptySubsequences: true).flatMap { $0.split(separator: "\t") }
    guard let first = words.first, first == "ingest:", words.count > 1 else { return .nothing }
    let verb = String(words[1])
    guard verb.isSame(as: "allow") else {
      guard NearestName.nearest(to: verb, among: ["allow"]) != nil else { return .nothing }
      return .fault("a comment cannot say '\(verb)'", hint: "write '# ingest: allow CODE reason'")
    }
    guard words.count > 2 else {
      return .fault("the comment allows nothing", hint: "write '# ingest: allow CODE reason'")
    }
    let name = String(words[2])
    guard let code = DiagnosticCode(rawValue: name) else {
      let nearest = NearestName.nearest(to: name, among: DiagnosticCode.allCases.map(\.rawValue))
      return .fault(
        "no finding has the code '\(name)'",
        hint: nearest.map { "did you mean '\($0)'?" } ?? "the code stands in brackets behind 'warning'")
    }
    let reason = words.dropFirst(3).joined()
    guard reason.unicodeScalars.contains(where: \.properties.isAlphabetic) else {
      return .fault(
        "'\(name)' is allowed without a reason", hint: "write it behind the code, for those who read it later")
    }
    return .allow(code)
  }
}
