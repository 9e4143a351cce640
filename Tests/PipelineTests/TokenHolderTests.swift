import Fetch
import Foundation
import Synchronization
import Testing

// Several walks at once cannot be made from outside yet, and this is what they will share.
@testable import Pipeline

struct TokenHolderTests {
  private struct Issuer: TokenIssuer {
    let title = "the token endpoint"
    let isRepeatable = true
    let rotates = true
    func request(refreshToken: String?) -> HTTPRequest { HTTPRequest(url: "https://auth.example.test/") }
    func token(in response: HTTPResponse) throws(TokenFault) -> IssuedToken { throw TokenFault("not asked") }
    func advice(code: String?) -> String? { nil }
    func put(_ token: String, on request: inout HTTPRequest) throws(FetchError) {}
  }

  private func inParallel(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count, execute: work)
  }

  @Test func `walks that need a token at once get one, and wait for it`() throws {
    let holder = TokenHolder(Issuer(), named: SavedToken(named: "r0", issuer: "i"))
    let asked = Mutex(0)
    let seen = Mutex<[Token]>([])
    inParallel(8) { _ in
      let token = try? holder.token(now: .zero) { past throws(FetchError) in
        asked.withLock { $0 += 1 }
        Thread.sleep(forTimeInterval: 0.05)
        return IssuedToken(value: "kiwi after \(past.saved?.token ?? "")")
      }
      if let token { seen.withLock { $0.append(token) } }
    }
    #expect(asked.withLock { $0 } == 1)
    #expect(seen.withLock { $0.map(\.value) } == Array(repeating: "kiwi after r0", count: 8))
  }

  @Test func `a token that somebody has replaced is not replaced again`() throws {
    let holder = TokenHolder(Issuer(), named: SavedToken(named: "r0", issuer: "i"))
    let asked = Mutex<[String?]>([])
    let get = { @Sendable (past: inout TokenHolder.Past) throws(FetchError) -> IssuedToken in
      let number = asked.withLock { asked in
        asked.append(past.saved?.token)
        return asked.count
      }
      past.saved = past.saved?.replaced(by: "r\(number)")
      return IssuedToken(value: "kiwi-\(number)")
    }
    let first = try holder.token(now: .zero, get: get)
    inParallel(6) { _ in
      // All were refused with the first token.
      try? holder.renew(first.number, now: .zero, get: get)
    }
    #expect(asked.withLock { $0 } == ["r0", "r1"])
    #expect(try holder.token(now: .zero, get: get).value == "kiwi-2")
    try holder.renew(2, now: .zero, get: get)
    #expect(asked.withLock { $0 } == ["r0", "r1", "r2"])
  }

  @Test func `a token that could not be got is asked for again by the next`() throws {
    let holder = TokenHolder(Issuer())
    #expect(throws: FetchError.self) {
      _ = try holder.token(now: .zero) { _ throws(FetchError) in throw FetchError(.auth, "down") }
    }
    let token = try holder.token(now: .zero) { _ throws(FetchError) in
      IssuedToken(value: "kiwi", lifetime: .seconds(10))
    }
    #expect(token.value == "kiwi" && token.expiry == .seconds(9))
    // What was refused is not sent again, even when there is no other.
    #expect(throws: FetchError.self) {
      try holder.renew(token.number, now: .zero) { _ throws(FetchError) in throw FetchError(.auth, "down") }
    }
    let next = try holder.token(now: .zero) { _ throws(FetchError) in IssuedToken(value: "quince") }
    #expect(next.value == "quince")
  }
}
