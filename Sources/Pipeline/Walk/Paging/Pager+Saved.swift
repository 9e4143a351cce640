import Diagnostics
import JSONReading
import MappingLanguage
import PlanCompiler
import Values

/// How a walk is written down between two pages, and goes on from there.
extension Pager {
  /// One JSON object: where the walk is, and for pages and offsets where it was one page earlier.
  ///
  /// Credentials of requests are not in it. A cursor or URL of the API's may hold another secret: who keeps it asks the
  /// redactor, and does without when one is in it.
  var saved: String {
    var parts = ["\"kind\":\(JSONText.quoted(kind.rawValue))", "\"next\":\(stand.json)"]
    if let before { parts.append("\"before\":\(before.json)") }
    parts.append("\"attempts\":[\(attempts.map(String.init).joined(separator: ","))]")
    return "{\(parts.joined(separator: ","))}"
  }

  /// The pager of a walk that was cut after the page that `saved` was written behind; `marks` are those of all its pages, in
  /// any order. Pages and offsets go on one page earlier, if `isOneEarlier`. Nil when something cannot be read, or is of
  /// another kind of pages.
  init?(
    _ plan: PaginatePlan, limit: Int, maxPages: Int? = nil, resuming saved: String, marks: [String],
    isOneEarlier: Bool = true
  ) {
    guard let document = try? JSONDocument(Array(saved.utf8)) else { return nil }
    // What is read from it is lent by it.
    defer { withExtendedLifetime(document) {} }
    let root = document.root
    guard let kind = root.member(named: JSONName("kind")),
      kind.stringValue.utf8.elementsEqual(plan.declaration.by.rawValue.utf8),
      let next = root.member(named: JSONName("next")).flatMap(Stand.init), let attempts = root.numbers("attempts"),
      attempts.first == 1
    else { return nil }
    self.init(plan, limit: limit, maxPages: maxPages)
    stand = next
    if isOneEarlier, self.kind.isCounted, let before = root.member(named: JSONName("before")) {
      guard let before = Stand(before) else { return nil }
      stand = before
    }
    guard stand.position.suits(self.kind) else { return nil }
    self.attempts = attempts + [stand.pages + 1]
    for text in marks {
      guard let mark = Mark(text) else { return nil }
      if mark.page <= stand.pages, mark.attempt == attempt(of: mark.page) { seen.insert(mark.text) }
    }
  }

  /// Pages of the walk that are stored, and records that they had; nil when it cannot be read.
  static func stored(_ saved: String) -> (pages: Int, received: Int)? {
    guard let document = try? JSONDocument(Array(saved.utf8)) else { return nil }
    defer { withExtendedLifetime(document) {} }
    return document.root.member(named: JSONName("next")).flatMap(Stand.init).map { ($0.pages, $0.received) }
  }

  /// The number of the run whose page of that number counts: the last one that asked for it.
  private func attempt(of page: Int) -> Int { (attempts.lastIndex { $0 <= page } ?? 0) + 1 }

  /// `3.1.b0123…`: page, run, and what was seen.
  private struct Mark {
    var page: Int
    var attempt: Int
    var text: String

    init?(_ saved: String) {
      let parts = saved.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map {
        String(Substring($0))
      }
      guard parts.count == 3, let page = Int(parts[0]), let attempt = Int(parts[1]),
        let kind = parts[2].first, Pager.MarkKind(rawValue: String(kind)) != nil
      else { return nil }
      (self.page, self.attempt, text) = (page, attempt, parts[2])
    }
  }
}

extension Pager.Stand {
  fileprivate var json: String {
    var parts = [
      "\"at\":\(position.json)", "\"pages\":\(pages)", "\"received\":\(received)", "\"empty\":\(emptyPages)",
    ]
    if let total { parts.append("\"total\":\(total)") }
    if let totalPages { parts.append("\"total_pages\":\(totalPages)") }
    return "{\(parts.joined(separator: ","))}"
  }

  fileprivate init?(_ value: JSONValue) {
    guard let position = value.member(named: JSONName("at")).flatMap(Pager.Position.init),
      let pages = value.number("pages"), let received = value.number("received"), let empty = value.number("empty")
    else { return nil }
    self.init(position: position, pages: pages, received: received, emptyPages: empty)
    total = value.number("total")
    totalPages = value.number("total_pages")
  }
}

extension Pager.Position {
  fileprivate var json: String {
    switch self {
    case .first: "\"first\""
    case .number(let number): "{\"number\":\(number)}"
    case .value(.number(let text)): "{\"digits\":\(JSONText.quoted(text))}"
    case .value(let literal): "{\"text\":\(JSONText.quoted(literal.plainText))}"
    case .url(let url): "{\"url\":\(JSONText.quoted(url))}"
    }
  }

  fileprivate init?(_ value: JSONValue) {
    if value.kind == .string {
      self = .first
    } else if let number = value.number("number") {
      self = .number(number)
    } else if let digits = value.text("digits") {
      self = .value(.number(digits))
    } else if let text = value.text("text") {
      self = .value(.text(text))
    } else if let url = value.text("url") {
      self = .url(url)
    } else {
      return nil
    }
  }

  fileprivate func suits(_ kind: PaginateDeclaration.Kind) -> Bool {
    switch self {
    case .first: !kind.isCounted
    case .number: kind.isCounted
    case .value: !kind.isCounted && !kind.followsURLs
    case .url: kind.followsURLs
    }
  }
}

extension JSONValue {
  /// A whole number that is not negative.
  fileprivate func number(_ name: String) -> Int? { member(named: JSONName(name))?.wholeNumber }

  fileprivate func numbers(_ name: String) -> [Int]? {
    guard let list = member(named: JSONName(name)), list.kind == .array else { return nil }
    var numbers: [Int] = []
    var isWhole = true
    list.forEachElement { element in
      guard let number = element.wholeNumber else { return isWhole = false }
      numbers.append(number)
    }
    return isWhole ? numbers : nil
  }

  fileprivate func text(_ name: String) -> String? {
    guard let value = member(named: JSONName(name)), value.kind == .string else { return nil }
    return value.stringValue
  }

  private var wholeNumber: Int? {
    guard isInteger, let number = Int(String(decoding: rawText, as: UTF8.self)), number >= 0 else { return nil }
    return number
  }
}
