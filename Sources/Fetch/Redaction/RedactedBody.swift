import JSONReading

/// A body without the secrets that it may repeat. One that holds none stays as it is, byte for byte.
///
/// Secrets are looked for in the text: a body in UTF-16 or UTF-32 that holds one becomes UTF-8.
package struct RedactedBody: Sendable {
  package let body: ResponseBody
  /// It is UTF-8 now, whatever the body's charset says.
  package let isConverted: Bool
  /// It held a secret.
  package let isAltered: Bool

  /// `charset` is the one that the content type names; JSON stays JSON. `folder` is where a large body's file is made.
  package init(
    _ body: ResponseBody, charset: String?, isJSON: Bool, by redactor: Redactor, folder: String = "/tmp"
  ) throws(FetchError) {
    guard !redactor.isEmpty, body.count > 0 else {
      (self.body, isConverted, isAltered) = (body, false, false)
      return
    }
    // What is no text of its charset is searched as it is.
    let readable = RedactedBody.isReadable(body.source, charset)
    let charset = readable ? charset : nil
    guard try RedactedBody.holdsSecret(body.source, charset, redactor) else {
      (self.body, isConverted, isAltered) = (body, false, false)
      return
    }
    let text = try RedactedBody.text(body.source, charset)
    var spool = BodySpool(folder: folder)
    var tokens = isJSON ? JSONRedaction(redactor) : nil
    var rest = TextRedaction(redactor)
    try RedactedBody.forEachPart(of: text) { (part) throws(FetchError) in
      try spool.append(rest.add(tokens?.add(part) ?? part))
    }
    try spool.append(rest.add(tokens?.finish() ?? []))
    try spool.append(rest.finish())
    (self.body, isConverted, isAltered) = (spool.finish(), text.isConverted, true)
  }

  private static func isReadable(_ source: BodySource, _ charset: String?) -> Bool {
    guard let text = try? UTF8Text(source, charset: charset) else { return false }
    guard text.isConverted else { return true }
    do {
      try forEachPart(of: text) { _ throws(FetchError) in }
      return true
    } catch {
      return false
    }
  }

  /// Is one there? Parts are looked at together with the end of the one before.
  private static func holdsSecret(
    _ source: BodySource, _ charset: String?, _ redactor: Redactor
  ) throws(FetchError) -> Bool {
    var window: [UInt8] = []
    var isFound = false
    try forEachPart(of: try text(source, charset)) { (part) throws(FetchError) in
      if isFound { return }
      window += part
      isFound = redactor.contains(window)
      window.removeFirst(max(0, window.count - redactor.longestMatch))
    }
    return isFound
  }

  private static func text(_ source: BodySource, _ charset: String?) throws(FetchError) -> UTF8Text {
    do throws(JSONError) {
      return try UTF8Text(source, charset: charset)
    } catch {
      throw FetchError(.other, "the body cannot be read again: \(error.message)")
    }
  }

  private static func forEachPart(
    of text: UTF8Text, _ take: ([UInt8]) throws(FetchError) -> Void
  ) throws(FetchError) {
    while true {
      var failure: JSONError?
      let part = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, filled in
        do throws(JSONError) {
          filled =
            try buffer.baseAddress.map { start throws(JSONError) in try text.read(into: start, count: 1 << 18) } ?? 0
        } catch {
          failure = error
        }
      }
      if let failure { throw FetchError(.other, "the body cannot be read again: \(failure.message)") }
      if part.isEmpty { return }
      try take(part)
    }
  }
}
