import JSONReading
import PlanCompiler
import Store

/// Where a rejected record stood: which place of which endpoint it belongs to.
struct RejectPlace {
  var endpoint: Int
  var place: Int
  var position: RecordPosition

  /// Why there is none, for people.
  struct Failure: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  init(of reject: KeptReject, in plan: Plan) throws(Failure) {
    guard let endpoint = plan.endpoints.firstIndex(where: { $0.name.utf8.elementsEqual(reject.endpoint.utf8) }) else {
      throw Failure("the mapping has no endpoint '\(reject.endpoint)'")
    }
    let tokens = Self.tokens(of: reject.pointer)
    let places = plan.endpoints[endpoint].places
    for (index, place) in places.enumerated() where Self.names(of: place, in: plan).has(reject.record) {
      guard let steps = Self.steps(tokens, along: place.path) else { continue }
      self.endpoint = endpoint
      self.place = index
      position = RecordPosition(place: index, steps: steps, ordinal: 0, offset: 0, captures: [])
      return
    }
    let begins = places.contains { Self.steps(Array(tokens.dropLast(1)), along: $0.path) != nil }
    throw Failure(
      begins || !plan.recordNames.contains { $0.utf8.elementsEqual(reject.record.utf8) }
        ? "no key path of the endpoint leads to it"
        : "it is nested in another record, which is not kept with it: load the body again, or replay the archive")
  }

  /// The record's, and those of a choice.
  private static func names(of place: PlacePlan, in plan: Plan) -> [String] {
    [place.record] + place.branches.map { plan.recordNames[plan.rows[$0.row].record] }
  }

  private static func tokens(of pointer: String) -> [[UInt8]] {
    pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map(unescaped)
  }

  private static func unescaped(_ token: Substring.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in token {
      if isEscaped {
        bytes.append(byte == UInt8(ascii: "1") ? UInt8(ascii: "/") : UInt8(ascii: "~"))
        isEscaped = false
      } else if byte == UInt8(ascii: "~") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// The steps of a pointer to a record at the place; nil when it leads elsewhere. An array at the end of a key path is
  /// its elements.
  private static func steps(_ tokens: [[UInt8]], along path: KeyPath) -> [RecordPosition.Step]? {
    guard tokens.count == path.steps.count || tokens.count == path.steps.count + 1 else { return nil }
    if tokens.count > path.steps.count, let last = path.steps.last, last == .eachElement || last == .eachMember {
      return nil
    }
    var steps: [RecordPosition.Step] = []
    for (index, token) in tokens.enumerated() {
      switch index < path.steps.count ? path.steps[index] : .eachElement {
      case .member(let name):
        guard token == name.bytes else { return nil }
        steps.append(.member(name))
      case .eachMember: steps.append(.member(JSONName(bytes: token)))
      case .element, .eachElement:
        guard let number = Int(String(decoding: token, as: UTF8.self)) else { return nil }
        steps.append(.element(number))
      }
    }
    return steps
  }
}

extension [String] {
  fileprivate func has(_ name: String) -> Bool { contains { $0.utf8.elementsEqual(name.utf8) } }
}
