import Diagnostics
import JSONReading
import MappingLanguage

/// What the bodies that were looked at have where one key path leads.
struct SampleSight {
  let path: Located<KeyPath>
  /// Who reads it, for the message.
  let reader: String
  /// What else is read beside it, from the same origin.
  let others: [[KeyPath.Step]]
  /// A name that holds the other one is near too: `next_cursor` for `cursor`.
  let isLoose: Bool
  /// Some body has it, or something that other checks speak of.
  var isMet = false
  /// The first step that no body has, and what stands there instead.
  private var missingStep = -1
  private var siblings: Set<JSONName> = []
  /// The step of a member's name where a list stood.
  private var listStep: Int?
  /// What such a list would be read as, tried on the bodies.
  private var splitWays: Set<String> = []

  /// Names that are kept: a dictionary may have any number of them.
  private static let mostSiblings = 1000

  init(_ path: Located<KeyPath>, readBy reader: String, beside others: [[KeyPath.Step]], isLoose: Bool) {
    (self.path, self.reader, self.others, self.isLoose) = (path, reader, others, isLoose)
  }

  /// How far a path led.
  enum Step {
    /// To its end, or to something that other checks speak of.
    case end
    /// To an object without the member.
    case absent(JSONValue)
    /// To a list where a member was wanted.
    case list
  }

  mutating func note(_ step: Int, _ found: Step) {
    switch found {
    case .end: isMet = true
    case .list: listStep = listStep ?? step
    case .absent(let object):
      if step > missingStep { (missingStep, siblings) = (step, []) }
      guard step == missingStep, siblings.count < Self.mostSiblings else { return }
      object.forEachMember { name, _ in siblings.insert(JSONName(bytes: name.stringBytes)) }
      if case .member(let name) = path.value.steps[step], let way = Self.split(name, in: object) {
        splitWays.insert(way)
      }
    }
  }

  /// `a/b`, as a JSON pointer has it, where the object has `a`, and that has `b`.
  private static func split(_ name: JSONName, in object: JSONValue) -> String? {
    let parts = name.bytes.split(separator: UInt8(ascii: "/")).map { JSONName(bytes: Array($0)) }
    guard parts.count > 1 else { return nil }
    var value = object
    for part in parts {
      guard value.kind == .object, let member = value.member(named: part) else { return nil }
      value = member
    }
    return parts.map { KeyPath.quotedIfNeeded($0.description) }.joined(separator: ".")
  }

  // MARK: findings

  var finding: Diagnostic? {
    if isMet { return nil }
    if let listStep { return listFinding(at: listStep) }
    guard missingStep >= 0, case .member(let name) = path.value.steps[missingStep] else { return nil }
    let names = unread.map(\.description).sorted()
    let holding = isLoose ? names.first { Self.isHeld(name.description, in: $0) } : nil
    let nearest = NearestName.nearest(to: name.description, among: names)
    guard let suggestion = nearest ?? splitWays.sorted().first ?? holding else { return nil }
    return Diagnostic(
      .unmatchedPath, "no body of 'tests' has '\(name)', which \(reader) reads here", at: path.span,
      hint: "did you mean '\(suggestion)'?", severity: .warning)
  }

  /// One name is a part of the other, whatever their case and their `_`.
  private static func isHeld(_ name: String, in other: String) -> Bool {
    func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
    let (a, b) = (plain(name), plain(other))
    return min(a.utf8.count, b.utf8.count) >= 4 && (a.contains(b) || b.contains(a))
  }

  /// The members that stand there, without those that something else reads there: two columns may well have similar names.
  /// What others only pass through is no column of theirs, and may be meant as long as this path goes on too.
  private var unread: Set<JSONName> {
    let way = path.value.steps[..<missingStep]
    let goesOn = path.value.steps.count > missingStep + 1
    let read = others.compactMap { other -> JSONName? in
      guard other.count > missingStep, other[..<missingStep].elementsEqual(way),
        case .member(let name) = other[missingStep], !goesOn || other.count == missingStep + 1
      else { return nil }
      return name
    }
    return siblings.subtracting(read)
  }

  private func listFinding(at step: Int) -> Diagnostic? {
    let way = KeyPath.text(of: path.value.steps.prefix(step))
    return Diagnostic(
      .unmatchedPath,
      "\(way.isEmpty ? "the value" : "'\(way)'") is a list in the bodies of 'tests', where \(reader) reads a member",
      at: path.span, hint: path.value.suggestion(forListAt: step), severity: .warning)
  }
}
