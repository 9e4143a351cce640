import Fetch
import Testing

struct WebURLTests {
  @Test(arguments: [
    ("https://api.example.com", "https://api.example.com", "https://api.example.com"),
    ("HTTPS://API.Example.com:443/A?b=C#d", "https://api.example.com/A?b=C", "https://api.example.com"),
    ("http://h:8080/a b/ü?q=x y", "http://h:8080/a%20b/%C3%BC?q=x%20y", "http://h:8080"),
    ("http://[::1]:81/%2F%", "http://[::1]:81/%2F%25", "http://[::1]:81"),
    ("http://h:/x", "http://h/x", "http://h"),
    ("http://h?q", "http://h?q", "http://h"),
  ])
  func `a URL is read, and what it may not hold is encoded`(_ text: String, _ whole: String, _ origin: String) throws {
    let url = try WebURL(text)
    #expect(url.text == whole)
    #expect(url.origin.text == origin)
  }

  @Test(arguments: [
    ("api.example.com/x", "no scheme"), ("ftp://h/x", "'ftp'"), ("file:///etc/passwd", "'file'"), ("http:h", "//"),
    ("http://", "host"), ("http:///x", "host"), ("http://u:p@h/", "user name"), ("http://a%41b/", "host"),
    ("http://h\\@evil/", "user name"), ("http://h\\evil/", "host"), ("http://h:0/", "port"),
    ("http://h:65536/", "port"),
    ("http://h:x/", "port"), ("http://h/\r\nX: 1", "control"), ("http://h/\u{0}", "control"), ("http://[::1/", "host"),
  ])
  func `what is no URL of the web is refused`(_ text: String, _ words: String) throws {
    let error = try failure { _ = try WebURL(text) }
    #expect(error.code == .badURL && error.nothingSent)
    #expect(error.message.contains(words), "\(error.message)")
  }

  /// RFC 3986, section 5.4.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
    ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("http://b/x/../y", "http://b/y"),
    ("HTTPS://B", "https://b"), ("g:h/x", nil), ("ftp://b/x", nil), ("http://u@b/", nil), ("//u:p@b/", nil),
    ("javascript:1", nil), ("%2e%2e/g", "http://a/b/c/%2e%2e/g"), ("//b:99/?t=x%2Fy,z", "http://b:99/?t=x%2Fy,z"),
    (" /g ", "http://a/g"), ("/g\th", nil), ("\\\\b/x", "http://a/b/c/%5C%5Cb/x"),
  ])
  func `a reference is resolved as RFC 3986 says`(_ reference: String, _ expected: String?) throws {
    let base = try WebURL("http://a/b/c/d;p?q")
    if let expected {
      #expect(try base.resolve(reference).text == expected)
    } else {
      #expect(try failure { _ = try base.resolve(reference) }.code == .badURL)
    }
  }

  @Test func `scheme, host and port make an origin`() throws {
    func origin(_ text: String) throws -> Origin { try WebURL(text).origin }
    #expect(try origin("http://A/x") == origin("http://a:80/y"))
    #expect(try origin("http://a") != origin("https://a"))
    #expect(try origin("http://a") != origin("http://a:81"))
    #expect(try origin("http://a") != origin("http://a."))
    #expect(try origin("http://caf\u{E9}") != origin("http://cafe\u{301}"))
  }

  @Test func `parameters are taken out by name and leave the rest as it was`() throws {
    let url = try WebURL("http://h/x?a=%2f&api%2Dkey=S&b=1,2&api-key=T&c")
    #expect(url.removingParameters(named: ["api-key"]).text == "http://h/x?a=%2f&b=1,2&c")
    #expect(try WebURL("http://h/x?k=1").removingParameters(named: ["k"]).text == "http://h/x")
    #expect(url.parameters.map(\.name) == ["a", "api-key", "b", "api-key", "c"])
  }
}
