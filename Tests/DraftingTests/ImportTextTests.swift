// What is tested here is not seen outside of the target, save through whole drafts.
@testable import Drafting

import Testing

struct ImportTextTests {
  @Test(arguments: [
    ("config['a']", ["config", "a"]), ("config[\"a b\"].c", ["config", "a b", "c"]),
    ("response.a.b", ["response", "a", "b"]),
    ("response.get('a', {}).get('b')", ["response", "a", "b"]),
    ("last_records[-1]['id']", ["last_records", "-1", "id"]),
  ])
  func `a chain of names is read`(_ expression: String, _ names: [String]) {
    #expect(Jinja.chain(expression) == names)
  }

  @Test(arguments: ["", "a | b", "now_utc()", "a['b'", "a.", "1 + 2", "config['a'] or 'b'"])
  func `other expressions are not`(_ expression: String) { #expect(Jinja.chain(expression) == nil) }

  @Test func `a text is cut at its expressions`() {
    let pieces = Jinja.pieces("a{{ x }}b{{y}}{{")
    #expect(pieces.map(\.text) == ["a", "x", "b", "y", "{{"])
    #expect(pieces.map(\.isExpression) == [false, true, false, true, false])
    #expect(Jinja.expression("{{ x }}") == "x")
    #expect(Jinja.expression("{{ x }} ") == nil)
  }

  @Test(arguments: [
    ("%Y-%m-%dT%H:%M:%SZ", "yyyy-MM-dd'T'HH:mm:ss'Z'"), ("%s", "epoch_s"), ("%ms", "epoch_ms"),
    ("%d/%m/%Y", "dd/MM/yyyy"),
    ("%Y-%m-%dT%H:%M:%S.%f%z", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSxx"), ("%epoch_microseconds", "epoch_us"),
    ("%Y-%m-%dT%H:%M:%S.%_ms%:z", "yyyy-MM-dd'T'HH:mm:ss.SSSxxx"), ("%Y %j", "yyyy DDD"),
  ])
  func `a date is written as a pattern`(_ format: String, _ pattern: String) {
    #expect(ManifestDate.pattern(format) == pattern)
  }

  @Test(arguments: ["%G-%V", "%", "%s_as_float", "%Q", "%m%b"])
  func `what has no pattern has none`(_ format: String) { #expect(ManifestDate.pattern(format) == nil) }

  @Test(arguments: [
    ("/a/{id}/b", "/a/{id}/b", ["id"]), ("a//b/", "/a/b", []), ("/{a b}/{a_b}", "/{a_b}/{a_b_2}", ["a_b", "a_b_2"]),
    ("/x?y=1#z", "/x", []), ("/${x}", "/$${x}", []),
  ])
  func `a path becomes a pattern`(_ path: String, _ pattern: String, _ names: [String]) throws {
    if path.contains("$") { return #expect(PathTemplate.pattern(path) == nil) }
    let found = try #require(PathTemplate.pattern(path))
    #expect(found.pattern == pattern)
    #expect(found.parameters == names)
  }

  @Test(arguments: ["/a.{b}", "/{a}-{b}", "/{a", "/a*", "/a:b"])
  func `a parameter within a segment is none`(_ path: String) { #expect(PathTemplate.pattern(path) == nil) }

  @Test(arguments: [
    ("https://Api.Example.test/v2/users/17?x=1", "/v2/users/{user_id}", "users"),
    ("http://u:p@a.test:8080/items/0b1c2d3e-0000-4000-8000-00000000000a/parts", "/items/{item_id}/parts", "parts"),
    ("https://a.test", "/", "answer"), ("https://a.test/2024-01-01/x", "/{id}/x", "x"),
  ])
  func `ids in a path are parameters`(_ url: String, _ pattern: String, _ stem: String) throws {
    let address = try #require(HARAddress(url))
    #expect(address.pattern == pattern)
    #expect(address.stem == stem)
    #expect(!address.origin.contains("@") && address.origin == address.origin.lowercased())
  }

  @Test(arguments: [("", ""), ("YQ==", "a"), ("YWI=", "ab"), ("YWJj\nZA==", "abcd"), ("w6k", "é")])
  func `base64 is decoded`(_ text: String, _ plain: String) throws {
    #expect(String(decoding: try #require(Base64Text.decoded(text)), as: UTF8.self) == plain)
  }

  @Test func `what is no base64 is none`() { #expect(Base64Text.decoded("a*b") == nil) }
}
