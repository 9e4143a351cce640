import Fetch
import JSONReading
import Mapper
import MappingLanguage
import PlanCompiler
import Values

/// From one page to the next.
extension Pager {
  /// Moves on: `.page`, `.end` where the API names no further page, or what went wrong.
  mutating func advance(records: PageCount, answer: AnswerValues, request: HTTPRequest, saysMore: Bool) -> Next {
    let rules = plan.declaration
    switch kind {
    case .page: return count(by: rules.step ?? 1)
    case .offset:
      let step = rules.step ?? rules.size ?? records.first
      // Where a count bounds the walk, the same offset is asked for again.
      if step == 0, !isCountedOut {
        return .failed("more is to come, but this page is empty: without 'size' or 'step' the next offset is not known")
      }
      noteShort(records, saysMore: saysMore)
      return count(by: step)
    case .cursor:
      noteAbsence(in: answer, records, saysMore)
      return follow(cursor: named(in: answer), saysMore: saysMore)
    case .lastValue: return follow(lastValue: named(in: answer), records: records.all)
    case .nextURL:
      noteAbsence(in: answer, records, saysMore)
      return follow(url: named(in: answer), from: request, saysMore: saysMore)
    case .linkHeader: return follow(linksOf: answer, from: request, saysMore: saysMore)
    }
  }

  /// A page with fewer records than the step may be the last one, unless the API says otherwise.
  private mutating func noteShort(_ records: PageCount, saysMore: Bool) {
    guard let step = plan.declaration.step ?? plan.declaration.size, records.first > 0, records.first < step else {
      return
    }
    shortPage = records.first
    if saysMore { warnOfSkipped(after: records.first) }
  }

  /// Does an answer without records name a page that was not asked for?
  func namesNext(_ answer: AnswerValues) -> Bool {
    switch kind {
    case .page, .offset, .lastValue: return false
    case .cursor, .nextURL:
      guard case .value(let literal) = named(in: answer) else { return false }
      return kind == .nextURL || !seen.contains(Self.mark(.position, BodyDigest(of: literal.plainText)))
    case .linkHeader:
      let targets = try? LinkHeader.targets(of: "next", in: Self.links(answer))
      return targets?.contains { !$0.isEmpty } ?? false
    }
  }

  private static func links(_ answer: AnswerValues) -> [String] {
    answer.context.headers.filter { $0.name.utf8.elementsEqual("link".utf8) }.map(\.value)
  }

  /// A total, or a number of pages, ends the walk however empty its pages are.
  private var isCountedOut: Bool { stand.total != nil || stand.totalPages != nil }

  private mutating func count(by step: Int) -> Next {
    guard case .number(let number) = stand.position else { preconditionFailure("pages and offsets are counted") }
    let (next, isOver) = number.addingReportingOverflow(step)
    guard !isOver else { return .failed("the next \(kind.rawValue) would be larger than \(Int.max)") }
    stand.position = .number(next)
    return .page
  }

  /// What 'from' names.
  private enum Named {
    case nothing
    case value(Literal)
    /// Why it is of no use.
    case unusable(String)
  }

  private func named(in answer: AnswerValues) -> Named {
    guard let path = plan.declaration.from?.value else { preconditionFailure("'from' is there for this kind") }
    switch answer.find(path) {
    case .missing, .null: return .nothing
    case .wrong(let reason): return .unusable("'\(path.text)' cannot be read: \(reason)")
    case .value(let raw):
      switch raw.kind {
      case .text where raw.text.isEmpty: return .nothing
      case .text: return .value(.text(String(decoding: raw.text, as: UTF8.self)))
      case .number: return .value(.number(String(decoding: raw.text, as: UTF8.self)))
      case .null, .boolean, .structure: return .unusable("'\(path.text)' is \(raw.spoken)")
      }
    }
  }

  private mutating func follow(cursor: Named, saysMore: Bool) -> Next {
    switch cursor {
    case .nothing: return end(saysMore, without: "cursor")
    case .unusable(let reason): return .failed("a cursor is a text or a number, and \(reason)")
    case .value(let literal):
      guard note(.position, BodyDigest(of: literal.plainText)) else {
        return .failed("the cursor '\(Redactor.printable(literal.plainText, limit: 200))' came before: \(Self.circle)")
      }
      stand.position = .value(literal)
      return .page
    }
  }

  private mutating func follow(lastValue: Named, records: Int) -> Next {
    let path = plan.declaration.from?.value.text ?? ""
    switch lastValue {
    case .nothing where records == 0 && isCountedOut: return .page
    case .nothing where records == 0:
      return .failed("more is to come, but this page is empty: there is no last value to ask from at '\(path)'")
    case .nothing: return .failed("there is no last value at '\(path)', where the page has records")
    case .unusable(let reason): return .failed("a last value is a text or a number, and \(reason)")
    case .value(let literal):
      guard note(.position, BodyDigest(of: literal.plainText)) else {
        return .failed("the last value at '\(path)' came before: \(Self.circle)")
      }
      stand.position = .value(literal)
      return .page
    }
  }

  private mutating func follow(url: Named, from request: HTTPRequest, saysMore: Bool) -> Next {
    switch url {
    case .nothing: return end(saysMore, without: "next URL")
    case .unusable(let reason): return .failed("a next URL is a text, and \(reason)")
    case .value(.text(let reference)): return go(to: [reference], from: request)
    case .value: return .failed("a next URL is a text, and '\(plan.declaration.from?.value.text ?? "")' is a number")
    }
  }

  private mutating func follow(linksOf answer: AnswerValues, from request: HTTPRequest, saysMore: Bool) -> Next {
    do {
      let targets = try LinkHeader.targets(of: "next", in: Self.links(answer)).filter { !$0.isEmpty }
      return targets.isEmpty ? end(saysMore, without: "link with rel=next") : go(to: targets, from: request)
    } catch {
      return .failed(error.message)
    }
  }

  /// All references must mean the same URL.
  private mutating func go(to references: [String], from request: HTTPRequest) -> Next {
    var found: String?
    for reference in references {
      let url: String
      do {
        url = try request.nextURL(reference)
      } catch {
        return .failed("the next URL cannot be followed: \(error.message)")
      }
      guard found.map({ $0.utf8.elementsEqual(url.utf8) }) ?? true else {
        return .failed("the Link headers name two next URLs that differ")
      }
      found = url
    }
    guard let found else { preconditionFailure("there is a reference") }
    let identity = request.identity(of: found)
    guard note(.position, BodyDigest(of: identity)) else {
      return .failed("the next URL \(Redactor.printable(identity, limit: 300)) came before: \(Self.circle)")
    }
    stand.position = .url(found)
    return .page
  }

  /// The API names no further page.
  private func end(_ saysMore: Bool, without what: String) -> Next {
    // Of a total that was not reached more is said than that.
    let isShort = stand.total.map { stand.received < $0 } ?? false
    return saysMore && !isShort ? .incomplete("the answer says that more is to come, but has no \(what)") : .end
  }
}
