import Fetch
import Testing

struct AWSSignatureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var method = "GET"
    var url = "https://example.amazonaws.com/"
    var headers: [HTTPHeader] = []
    var body: [UInt8]?
    var isS3 = false
    var signed = "host;x-amz-date"
    var signature: String

    var testDescription: String { name }
  }

  private static let letters = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

  // The published suite of the algorithm, by its names, and the examples of the S3 reference.
  private static let suite = [
    Case(name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Case(
      name: "get-vanilla-without-a-slash", url: "https://example.amazonaws.com",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Case(
      name: "get-relative-normalized", url: "https://example.amazonaws.com/example/..",
      signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    Case(
      name: "get-slash-pointless-dot-normalized", url: "https://example.amazonaws.com/./example",
      signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
    Case(
      name: "get-slashes-normalized", url: "https://example.amazonaws.com//example//",
      signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
    Case(
      name: "get-unreserved", url: "https://example.amazonaws.com/\(letters)",
      signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
    Case(
      name: "get-vanilla-empty-query-key", url: "https://example.amazonaws.com/?Param1=value1",
      signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
    Case(
      name: "get-vanilla-query-order-encoded",
      url: "https://example.amazonaws.com/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
      signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"),
    Case(
      name: "get-vanilla-query-order-key-case", url: "https://example.amazonaws.com/?Param2=value2&Param1=value1",
      signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    Case(
      name: "get-vanilla-query-unreserved", url: "https://example.amazonaws.com/?\(letters)=\(letters)",
      signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
    Case(
      name: "get-vanilla-utf8-query", url: "https://example.amazonaws.com/?ሴ=bar",
      signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
    Case(
      name: "get-header-key-duplicate",
      headers: [
        HTTPHeader("My-Header1", "value2"), HTTPHeader("My-Header1", "value2"), HTTPHeader("My-Header1", "value1"),
      ], signed: "host;my-header1;x-amz-date",
      signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
    Case(
      name: "get-header-value-trim",
      headers: [HTTPHeader("My-Header1", " value1"), HTTPHeader("My-Header2", #" "a   b   c""#)],
      signed: "host;my-header1;my-header2;x-amz-date",
      signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    Case(
      name: "get-vanilla-with-session-token",
      headers: [
        HTTPHeader("X-Amz-Security-Token", "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267")
      ], signed: "host;x-amz-date;x-amz-security-token",
      signature: "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"),
    Case(
      name: "post-vanilla", method: "POST",
      signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    Case(
      name: "post-x-www-form-urlencoded", method: "POST",
      headers: [
        HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Content-Length", "13"),
        HTTPHeader(
          "X-Amz-Content-Sha256", "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"),
      ], body: Array("Param1=value1".utf8), signed: "content-length;content-type;host;x-amz-content-sha256;x-amz-date",
      signature: "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b"),
    Case(
      name: "s3 get object", url: "https://examplebucket.s3.amazonaws.com/test.txt",
      headers: [HTTPHeader("Range", "bytes=0-9")], isS3: true,
      signed: "host;range;x-amz-content-sha256;x-amz-date",
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    Case(
      name: "s3 put object", method: "PUT", url: "https://examplebucket.s3.amazonaws.com/test$file.text",
      headers: [
        HTTPHeader("Date", "Fri, 24 May 2013 00:00:00 GMT"), HTTPHeader("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ], body: Array("Welcome to Amazon S3.".utf8), isS3: true,
      signed: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    Case(
      name: "s3 get lifecycle", url: "https://examplebucket.s3.amazonaws.com/?lifecycle", isS3: true,
      signed: "host;x-amz-content-sha256;x-amz-date",
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    Case(
      name: "s3 list objects", url: "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", isS3: true,
      signed: "host;x-amz-content-sha256;x-amz-date",
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ]

  // By another implementation: what paging and values bring along.
  private static let others = [
    Case(
      name: "a path is encoded once more", url: "https://example.amazonaws.com/example%20space/",
      signature: "446b817944c553435b35e813c261ff4e161fff982d1bacdef1c87f6785dd1662"),
    Case(
      name: "encoded values, in the order of the encoded",
      url: "https://example.amazonaws.com/a?q=a%20b%2Fc&cursor=eyJ4IjoxfQ%3D%3D&q=%FF&flag&Q=%e1%88%b4&q=a%2Bb",
      signature: "a3fdd6c4326ef48e15d281b8eea4454b5738972d1e1189351176838009fff4c5"),
    Case(
      name: "a port", url: "http://127.0.0.1:8080/x",
      signature: "cf7cc307bf486ac28c6a627eeb22575de4c92767d09e638255d70f6c9c48b783"),
    Case(
      name: "s3 keeps dots and slashes", url: "https://examplebucket.s3.amazonaws.com/a//./b%2Fc/..", isS3: true,
      signed: "host;x-amz-content-sha256;x-amz-date",
      signature: "6ef9fff2407a6028e57bb0c8cc2b6b51f42cd6e0f095d14c47d2fa3c5e8a111f"),
  ]

  private func signature(
    of test: Case, service: String = "service"
  ) throws -> (authorization: String, headers: [HTTPHeader]) {
    let moment: Duration = .seconds(test.isS3 ? 1_369_353_600 : 1_440_938_160)
    let signer = AWSSignature(
      accessKey: test.isS3 ? "AKIAIOSFODNN7EXAMPLE" : "AKIDEXAMPLE",
      secretKey: "wJalrXUtnFEMI/K7MDENG\(test.isS3 ? "/" : "+")bPxRfiCYEXAMPLEKEY", region: "us-east-1",
      service: test.isS3 ? "s3" : service, epoch: { moment })
    let request = HTTPRequest(method: test.method, url: test.url, headers: test.headers, body: test.body)
    let headers = signer.headers(for: request, at: try WebURL(test.url))
    let authorization = try #require(headers.last)
    #expect(authorization.isNamed("Authorization") && authorization.isCredential)
    return (authorization.value, headers)
  }

  @Test(arguments: suite + others)
  func `a request is signed as the published algorithm has it`(_ test: Case) throws {
    let (authorization, headers) = try signature(of: test)
    #expect(authorization.hasSuffix(", SignedHeaders=\(test.signed), Signature=\(test.signature)"), "\(authorization)")
    let scope = test.isS3 ? "20130524/us-east-1/s3" : "20150830/us-east-1/service"
    #expect(authorization.contains("EXAMPLE/\(scope)/aws4_request, "))
    #expect(headers.first?.value == (test.isS3 ? "20130524T000000Z" : "20150830T123600Z"))
    #expect(headers.contains { $0.isNamed("x-amz-content-sha256") } == test.isS3)
  }

  @Test func `headers that are made on the way are not signed`() throws {
    let headers = ["User-Agent", "Connection", "Expect", "TE"].map { HTTPHeader($0, "x") }
    let plain = Case(name: "", signature: "")
    var test = plain
    test.headers = headers
    #expect(try signature(of: test).authorization == (try signature(of: plain).authorization))
  }

  @Test func `a redirect on the own origin is signed anew, and none on another`() throws {
    try withServer({ _ in [.answer("{}")] }) { other throws in
      let target = other.url + "/away"
      try withServer({ request in
        request.line == "GET /a" ? [.redirect(302, to: "/b")] : [.redirect(302, to: target)]
      }) { home throws in
        var request = HTTPRequest(url: home.url + "/a")
        request.signer = AWSSignature(
          accessKey: "AKID", secretKey: "kiwi", region: "r", service: "s3", epoch: { .seconds(1_440_938_160) })
        #expect(try live().send(request, limits: FetchLimits()).status == 200)
        let signatures = home.requests.compactMap { $0.header("Authorization")?.split(separator: "Signature=").last }
        #expect(signatures.count == 2 && signatures[0] != signatures[1])
        #expect(home.requests.allSatisfy { $0.header("X-Amz-Date") == "20150830T123600Z" })
        #expect(other.requests.allSatisfy { !$0.has("Authorization") && !$0.has("X-Amz") && !$0.has("AKID") })
        #expect(!home.requests.contains { $0.has("kiwi") })
      }
    }
  }
}
