import Fetch
import Testing

struct URLBuilderTests {
  @Test(arguments: [
    ("https://h", "/items", "https://h/items"), ("https://h/", "items", "https://h/items"),
    ("https://h/api/v2/", "/items", "https://h/api/v2/items"), ("https://h/api//", "//items/", "https://h/api/items/"),
    ("https://h/api", "", "https://h/api"), ("https://h", "/", "https://h/"),
    ("https://h/a?k=1", "/b", "https://h/a/b?k=1"), ("https://h/a?k=1", "/b?l=2", "https://h/a/b?k=1&l=2"),
    ("https://h", "/a b/ü/%2F/100%", "https://h/a%20b/%C3%BC/%2F/100%25"), ("https://h#f", "/x#y", "https://h/x%23y"),
    ("https://h/a?", "/b", "https://h/a/b?"),
  ])
  func `one slash joins base and path`(_ base: String, _ path: String, _ expected: String) throws {
    #expect(try URLBuilder.url(base: base, path: path) == expected)
  }

  @Test func `parameters follow the queries of base and path, each encoded`() throws {
    let parameters = [("q", "a=b&c d"), ("tag", "red"), ("tag", "blue"), ("täg", "+%/?:,~"), ("", "")]
    let url = try URLBuilder.url(
      base: "https://h/?k=1", path: "x?l=2", query: parameters.map { (name: $0.0, value: $0.1) })
    #expect(
      url == "https://h/x?k=1&l=2&q=a%3Db%26c%20d&tag=red&tag=blue&t%C3%A4g=%2B%25%2F%3F%3A%2C~&=")
    #expect(
      try URLBuilder.url(base: "https://h", path: "/", query: [(name: "page", value: "2")]) == "https://h/?page=2")
  }

  @Test(arguments: [
    ("a/b c?ü%", "a%2Fb%20c%3F%C3%BC%25"), (".", "%2E"), ("..", "%2E%2E"), ("...", "..."), ("a.b", "a.b"), ("", ""),
    ("../../admin", "..%2F..%2Fadmin"), ("%2e%2e", "%252e%252e"), ("a\r\nb\u{0}", "a%0D%0Ab%00"),
    ("a+b;c", "a%2Bb%3Bc"),
    ("e\u{301}", "e%CC%81"),
  ])
  func `a value in a path is one segment, whatever it holds`(_ value: String, _ expected: String) {
    #expect(PercentEncoding.segment(value) == expected)
    #expect(PercentEncoding.decode(expected.utf8) == Array(value.utf8))
  }

  @Test func `a control character in base or path is refused`() throws {
    #expect(try failure { _ = try URLBuilder.url(base: "https://h", path: "/a\nb") }.code == .badURL)
    #expect(try failure { _ = try URLBuilder.url(base: "https://h\r\n", path: "/") }.code == .badURL)
  }
}
