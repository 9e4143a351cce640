import JSONReading

/// A body that tells what went wrong, and nothing else: `{"ok": false, "error": {"code": …, "message": …}}`.
struct FailureBody {
  /// A rule of `errors` that finds such bodies.
  let rule: DraftNode

  private static let messages = ["message", "msg", "detail", "description", "title", "reason", "text"]
  private static let codes = ["code", "type", "status"]
  private static let flags = ["ok", "success", "succeeded"]

  /// Nil for a body that is something else.
  init?(_ root: ValueShape) {
    guard root.isObject, let (name, failure) = root.members.first(where: { Envelopes.isFailure($0.name.description) })
    else { return nil }
    let others = root.members.filter { !Envelopes.isFailure($0.name.description) }
    guard others.allSatisfy({ $0.shape.isScalar || $0.shape.present == 0 }),
      Envelopes.isOne(valuesNamed: others.map(\.name.description)), failure.present > 0
    else { return nil }
    let path = DraftPath().member(name)
    var entries: [DraftNode.Entry] = []
    let flag = Self.flags.first { flag in
      root.member(flag).map { $0.profile.booleans == $0.count && $0.profile.booleans > 0 } ?? false
    }
    if let flag {
      entries.append(.init("when", .map([.init(flag, .bare("false"))])))
    } else {
      entries.append(.init("status", .text("4xx")))
    }
    let holder = failure.isArray ? failure.element : failure
    let way = failure.isArray ? path.appending(.eachElement) : path
    if let holder, holder.isObject {
      for (key, names) in [("message", Self.messages), ("code", Self.codes)] {
        guard let name = names.first(where: { holder.member($0)?.isScalar ?? false }) else { continue }
        entries.append(.init(key, .text(way.member(JSONName(name)).text)))
      }
    } else {
      entries.append(.init("message", .text(way.text)))
    }
    rule = .map(entries)
  }
}
