import Diagnostics
import Fetch
import JSONReading

/// A refresh token as a source remembers it from run to run.
///
/// It is kept with a sum of the one that the mapping named then: when that one is replaced, by a new log-in, the new one
/// counts.
struct SavedToken: Sendable {
  private(set) var token: String
  /// How many have taken the place of the one that the mapping names: the last one is good, and may be the only one.
  private var count = 0
  private let origin: String
  /// A sum of what says whose it is: the token endpoint and the client.
  private let issuer: String

  /// What the mapping names.
  init(named token: String, issuer: String) {
    self.token = token
    origin = Fingerprint.text(of: token)
    self.issuer = Fingerprint.text(of: issuer)
  }

  func replaced(by token: String) -> SavedToken {
    var copy = self
    copy.token = token
    copy.count += 1
    return copy
  }

  /// The newest of this one and what the store has: the source's own, and those of other sources that came from the same
  /// token of the same issuer.
  func newest(own: String?, others: [String]) -> SavedToken {
    var newest = self
    // Of as many, the source's own was kept later: what is at hand was kept when it came.
    if let own = own.flatMap({ read($0, isOwn: true) }), own.count >= newest.count { newest = own }
    for other in others.compactMap({ read($0, isOwn: false) }) where other.count > newest.count { newest = other }
    return newest
  }

  /// Nil for what came from another token, or cannot be read. A source's own stays its own when its token endpoint moves.
  private func read(_ text: String, isOwn: Bool) -> SavedToken? {
    guard let document = try? JSONDocument(Array(text.utf8)) else { return nil }
    func member(_ name: String) -> String? {
      guard let value = document.root.member(named: JSONName(name)), value.kind == .string else { return nil }
      return value.stringValue
    }
    guard let token = member("token"), !token.isEmpty, member("from")?.utf8.elementsEqual(origin.utf8) ?? false,
      isOwn || member("issuer")?.utf8.elementsEqual(issuer.utf8) ?? false
    else { return nil }
    var copy = self
    copy.token = token
    copy.count = member("count").flatMap { Int($0) } ?? 1
    return copy
  }

  var text: String {
    var record = StateRecord()
    (record["from"], record["token"], record["count"], record["issuer"]) = (origin, token, String(count), issuer)
    return record.text
  }
}
