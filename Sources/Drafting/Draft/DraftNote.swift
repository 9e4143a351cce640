/// What a draft does not carry over, or is not sure of.
package struct DraftNote: Sendable, Hashable {
  /// Where it is: a key path in the bodies, or a place in a description.
  package let place: String
  package let text: String

  package init(_ place: String, _ text: String) {
    self.place = LikelySecret.masked(place)
    self.text = LikelySecret.masked(text)
  }
}
