import JSONReading

/// A member that is not what it was.
package struct DriftChange: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case new, gone, retyped
    /// It was never null, and now is; or it is always null now.
    case nulls
    /// An object has so many names that its members are compared as one from now on.
    case dictionary
  }

  package var kind: Kind
  /// The member's key path.
  package var member: String
  /// In words: kinds of values, or how many have it.
  package var was: String
  package var now: String

  package var text: String {
    switch kind {
    case .new: "'\(member)' is new: \(now)"
    case .gone: "'\(member)' is gone: \(was), and \(now)"
    case .retyped: "'\(member)' is of another type: \(now), before \(was)"
    case .nulls: "'\(member)' is \(now), before \(was)"
    case .dictionary: "'\(member)' is a dictionary now: \(now), before \(was)"
    }
  }
}

/// Compares what answers hold with what those before held.
struct DriftComparison {
  private(set) var changes: [DriftChange] = []

  /// A member that is absent, or null, is a change when chance explains it in less than one of so many cases.
  private static let certainty = 0.01

  /// Adds what has changed, in the order of names. What is gone, or always null now, is forgotten in `was`, so that it is
  /// said once.
  mutating func compare(_ now: MemberShape, with was: MemberShape) { compare(now, was, at: "") }

  private mutating func compare(_ now: MemberShape, _ was: MemberShape, at path: String) {
    if now.isDictionary, !was.isDictionary, !was.members.isEmpty {
      let names = was.members.count
      changes.append(
        DriftChange(
          kind: .dictionary, member: path.isEmpty ? "." : path, was: names == 1 ? "1 name" : "\(names) names",
          now: "more than \(MemberShape.memberLimit) names, which are compared as one"))
      was.fold()
    }
    if was.isDictionary, !now.isDictionary, !now.members.isEmpty { now.fold() }
    compareKinds(now, was, at: path)
    for name in Set(now.members.keys).union(was.members.keys).sorted(by: Self.precedes) {
      compareMember(name, now, was, at: Self.joined(path, KeyPath.quotedIfNeeded(name.description)))
    }
    if let mine = now.element, let other = was.element { compare(mine, other, at: path + "[*]") }
    compareEntries(now, was, at: Self.joined(path, "*"))
  }

  /// Members whose names are data.
  private mutating func compareEntries(_ now: MemberShape, _ was: MemberShape, at path: String) {
    guard let mine = now.entry, mine.count > 0 else { return }
    if let other = was.entry { return compare(mine, other, at: path) }
    // Beside members that were known by their names, one more is a change as any other.
    guard !was.members.isEmpty else { return }
    changes.append(
      DriftChange(
        kind: .new, member: path, was: "not there", now: "\(mine.spokenKinds), \(mine.count) by names that are data"))
  }

  private static func precedes(_ one: JSONName, _ other: JSONName) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }

  private static func joined(_ path: String, _ name: String) -> String { path.isEmpty ? name : path + "." + name }

  private mutating func compareMember(_ name: JSONName, _ now: MemberShape, _ was: MemberShape, at path: String) {
    switch (now.members[name], was.members[name]) {
    case (let mine?, let other?): compare(mine, other, at: path)
    case (let mine?, nil) where was.objectCount > 0:
      let share = "in \(mine.count) of \(now.objectCount)"
      changes.append(DriftChange(kind: .new, member: path, was: "not there", now: "\(mine.spokenKinds), \(share)"))
    case (nil, let other?) where now.objectCount > 0:
      guard isCertain(1 - Double(other.count) / Double(max(1, was.objectCount)), now.objectCount) else { return }
      changes.append(
        DriftChange(
          kind: .gone, member: path, was: "\(other.count) of \(was.objectCount) had it",
          now: "none of \(now.objectCount) \(now.objectCount == 1 ? "has" : "have") it"))
      was.forget(name)
    default: return
    }
  }

  private mutating func compareKinds(_ now: MemberShape, _ was: MemberShape, at path: String) {
    guard now.count > 0, was.count > 0 else { return }
    let member = path.isEmpty ? "." : path
    let known = Set(was.kinds.keys).subtracting([.null])
    // A number without a fraction is a number too.
    let allowed = known.contains(.number) ? known.union([.integer]) : known
    let fresh = Set(now.kinds.keys).subtracting([.null]).subtracting(allowed)
    if !known.isEmpty, !fresh.isEmpty {
      changes.append(
        DriftChange(kind: .retyped, member: member, was: MemberShape.spoken(known), now: MemberShape.spoken(fresh)))
    }
    compareNulls(now, was, at: member)
  }

  private mutating func compareNulls(_ now: MemberShape, _ was: MemberShape, at member: String) {
    let share = Double(was.nullCount) / Double(was.count)
    if now.nullCount > 0, was.nullCount == 0 {
      changes.append(
        DriftChange(
          kind: .nulls, member: member, was: "never in \(was.count)", now: "null in \(now.nullCount) of \(now.count)"))
    } else if now.nullCount == now.count, was.nullCount < was.count, isCertain(share, now.count) {
      changes.append(
        DriftChange(
          kind: .nulls, member: member, was: "in \(was.nullCount) of \(was.count)", now: "null in all of \(now.count)"))
      was.forgetKinds(for: now)
    }
  }

  /// Is it certain enough that something that happens with this chance does not happen so many times by chance?
  private func isCertain(_ chance: Double, _ times: Int) -> Bool {
    var left = 1.0
    for _ in 0..<times {
      left *= chance
      if left < Self.certainty { return true }
    }
    return false
  }
}

extension MemberShape {
  var spokenKinds: String { Self.spoken(Set(kinds.keys)) }

  /// `integer or null`
  static func spoken(_ kinds: Set<Kind>) -> String {
    let names = Kind.allCases.filter { kinds.contains($0) && $0 != .null }.map(\.rawValue)
    return (names + (kinds.contains(.null) ? ["null"] : [])).joined(separator: " or ")
  }
}
