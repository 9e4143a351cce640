import Testing

@testable import Drafting  // what a draft takes for a credential is no part of what other targets call

/// What is taken for a credential, and what is not.
struct LikelySecretTests {
  @Test(arguments: [
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "xoxb-123456789012-abcdefghijkl", "AKIAIOSFODNN7EXAMPLEX", "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5", "d41d8cd98f00b204e9800998ecf8427e", "x7Kp2mQ9vR4tW8zL1nB5",
    "live:x7Kp2mQ9vR4tW8zL1nB5", "key=AKIAIOSFODNN7EXAMPLE",
    "api_key=sk_test_abcdefghijklmnopqrst", "token=hf_abcdefghijklmnopqrstuvwx",
  ])
  func `a token is known by its looks`(_ text: String) { #expect(LikelySecret.isOne(text)) }

  @Test(arguments: [
    "", "name", "customerAddressLine2Number1", "2015-07-04T13:05:09.000Z", "550e8400-e29b-41d4-a716-446655440000",
    "507f1f77bcf86cd799439011", "address_line_1_of_the_2nd_customer", "application/vnd.api+json",
    "12345678901234567890",
    "organizationsAndRepositories", "com.example.shop.v1.Order", "https://docs.example.test/a/long/page/about/things",
    "sk-learn", "line1_line2_line3_line4",
  ])
  func `words, dates and ids are none`(_ text: String) { #expect(!LikelySecret.isOne(text)) }

  @Test(arguments: [
    "token", "X-Api-Key", "apikey", "ApiKey", "access_token", "Authorization", "password", "user_pwd", "X-Auth-Token",
    "sessionToken", "csrf",
  ])
  func `names say that a value is one`(_ name: String) { #expect(LikelySecret.isNamed(name)) }

  @Test(arguments: ["page", "monkey", "author", "keyword", "tokens", "id", "limit"])
  func `other names do not`(_ name: String) { #expect(!LikelySecret.isNamed(name)) }

  @Test(arguments: [
    ("token", "hunter", true), ("password", "x", true), ("sort_key", "created", false), ("sort_key", "x7.9", true),
    ("page", "x7Kp2mQ9vR4tW8zL1nB5", true), ("page", "5", false), ("token", "${secret.X}", false), ("token", "", false),
  ])
  func `name and value decide together`(_ name: String, _ value: String, _ isOne: Bool) {
    #expect(LikelySecret.holds(name, value) == isOne)
  }

  @Test(arguments: [
    ("hunter2", "token", true), ("Hunter", "key", true), ("login", "auth", false), ("accessToken", "auth", false),
    ("T0k3n-secret", "token", true), ("", "token", false), ("v1", "session", false),
    ("{id}", "token", false), ("x7Kp2mQ9vR4tW8zL1nB5", "items", true), ("items", "v1", false),
  ])
  func `a segment of a path is one by its looks, or by the word before it`(
    _ segment: String, _ before: String, _ isOne: Bool
  ) {
    #expect(LikelySecret.isSegment(segment, after: before) == isOne)
  }

  @Test func `text for people is shown without it`() {
    #expect(
      LikelySecret.masked("send 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'. Then go on")
        == "send '\(LikelySecret.mark)'. Then go on")
    #expect(LikelySecret.masked("see https://ada:secret@example.test/a?b") == "see https://example.test/a?b")
    #expect(
      LikelySecret.masked("see https://docs.test/ or https://ada:secret@example.test/ or //bob@b.test")
        == "see https://docs.test/ or https://example.test/ or //b.test")
    #expect(
      LikelySecret.masked("Call it with ?key=AKIAIOSFODNN7EXAMPLE, please")
        == "Call it with ?\(LikelySecret.mark), please")
    #expect(LikelySecret.masked("nothing of that kind, at all") == "nothing of that kind, at all")
  }

  @Test func `a reference is named after its source and itself`() {
    #expect(LikelySecret.reference("SHOP", "X-Api-Key") == "${secret.SHOP_X_API_KEY}")
    #expect(LikelySecret.reference("shöp", "\u{202E}") == "${secret.SHP_VALUE}")
  }

  @Test func `a path has secrets in place of what looks like one`() {
    let url = HARAddress("https://u:p@api.example.test/v1/token/Hunter2/users/7/eyJhbGciOiJIUzI1NiJ9.e30.c2ln?x=1")
    #expect(url?.origin == "https://api.example.test")
    #expect(
      url?.pattern
        == "/v1/token/${secret.API_EXAMPLE_TEST_TOKEN}/users/{user_id}/${secret.API_EXAMPLE_TEST_TOKEN_2}")
    #expect(url?.stem == "users")
    #expect(
      PathTemplate.pattern("/bot/key/Abc1/\u{202E}x/{id}", "BOT")?.pattern
        == "/bot/key/${secret.BOT_KEY}/%E2%80%AEx/{id}")
    #expect(
      PathTemplate.base("https://a.test/v1/x7Kp2mQ9vR4tW8zL1nB5?api_key=hunter&q=1", "A")
        == ("https://a.test/v1/${secret.A_TOKEN}?api_key=${secret.A_API_KEY}&q=1", true))
  }
}
