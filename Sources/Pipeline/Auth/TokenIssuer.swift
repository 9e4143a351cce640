import Fetch
import JSONReading

/// Where tokens come from: the token endpoint of OAuth 2, or a log-in.
protocol TokenIssuer: Sendable {
  /// What it is called in a message: "the token endpoint".
  var title: String { get }

  func request(refreshToken: String?) -> HTTPRequest

  /// May the request be sent again when it is not known whether it was carried out?
  var isRepeatable: Bool { get }

  /// Does its answer bring a refresh token that must not be lost?
  var rotates: Bool { get }

  /// Reads an answer of status 2xx. The fault says what is wrong with it, without a value of it.
  func token(in response: HTTPResponse) throws(TokenFault) -> IssuedToken

  /// What to do when such a request is refused, if there is something to do.
  func advice(code: String?) -> String?

  func put(_ token: String, on request: inout HTTPRequest) throws(FetchError)
}

/// Why an answer gives no token.
struct TokenFault: Error {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

extension TokenIssuer {
  /// A small JSON value.
  func document(of response: HTTPResponse) throws(TokenFault) -> JSONDocument {
    if response.body.count == 0 { throw TokenFault("the body is empty") }
    if let document = try? JSONDocument(response.body.source, bound: 1 << 20) { return document }
    let type = response.header("Content-Type").map { ", but '\(Redactor.printable($0, limit: 60))'" } ?? ""
    throw TokenFault("the body is no JSON\(type)")
  }

  /// The value that must be a token.
  func tokenText(_ value: JSONValue?, named name: String) throws(TokenFault) -> String {
    guard let value, !value.isNull else { throw TokenFault("it has no '\(name)'") }
    guard value.kind == .string || value.kind == .number else { throw TokenFault("its '\(name)' is no text") }
    let text = value.kind == .string ? value.stringValue : String(decoding: value.rawText, as: UTF8.self)
    guard !text.isEmpty else { throw TokenFault("its '\(name)' is empty") }
    guard text.utf8.allSatisfy({ $0 > 0x1F && $0 != 0x7F }) else {
      throw TokenFault("its '\(name)' holds a control character")
    }
    return text
  }
}
