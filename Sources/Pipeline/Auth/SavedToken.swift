import Diagnostics
import Fetch
import JSONReading

/// A refresh token as a source remembers it from run to run.
///
/// It is kept with a sum of the one that the mapping named then: when that one is replaced, by a new log-in, the new one
/// counts.
struct SavedToken: Sendable {
  var token: String
  private let origin: String

  /// What the mapping names.
  init(named token: String) {
    self.token = token
    origin = Fingerprint.text(of: token)
  }

  /// What was saved, if it came from the token that the mapping names.
  init?(reading text: String, named token: String) {
    guard let document = try? JSONDocument(Array(text.utf8)),
      let saved = document.root.member(named: JSONName("token"))?.stringValue,
      let origin = document.root.member(named: JSONName("from"))?.stringValue, !saved.isEmpty,
      origin.utf8.elementsEqual(Fingerprint.text(of: token).utf8)
    else { return nil }
    (self.token, self.origin) = (saved, origin)
  }

  func replaced(by token: String) -> SavedToken {
    var copy = self
    copy.token = token
    return copy
  }

  var text: String { "{\"from\":\(JSONText.quoted(origin)),\"token\":\(JSONText.quoted(token))}" }
}
