#if FAULTS
  import Faults
#endif

/// What may not go out: libcurl sends a line end within a header, or within the method, as it is.
enum RequestCheck {
  /// Headers that tell where a body ends are the transport's own.
  private static let reserved = ["content-length", "transfer-encoding"]

  static func check(_ request: HTTPRequest) throws(FetchError) {
    guard isToken(request.method) else { throw refusal("the method is not a word of letters") }
    for header in request.headers {
      guard isToken(header.name) else {
        throw refusal("a header's name is empty or holds a space, a colon or the like")
      }
      guard !reserved.contains(where: header.isNamed) else {
        throw refusal("the header '\(header.name)' cannot be set: it follows from the body")
      }
      #if FAULTS
        // Characters in place of bytes: CR LF is one of them, and neither CR nor LF.
        if Fault.header.isOn, !header.value.contains(where: { $0 == "\r" || $0 == "\n" }) { continue }
      #endif
      guard !header.value.utf8.contains(where: ASCII.isControl) else {
        throw refusal("the value of the header '\(header.name)' holds a line end or another control character")
      }
    }
    if let basic = request.basic {
      guard !basic.username.utf8.contains(0x3A) else {
        throw refusal("the user name of basic authentication holds a colon, which ends it")
      }
      guard !(basic.username + basic.password).utf8.contains(where: ASCII.isControl) else {
        throw refusal("user name or password of basic authentication hold a control character")
      }
    }
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }

  private static func refusal(_ sentence: String) -> FetchError { FetchError(.badHeader, sentence, nothingSent: true) }
}
