import Fetch
import Testing

/// Where next URLs lead, and what goes along.
struct NextURLTests {
  private let request = HTTPRequest(
    url: "https://api.example.test/v1/items?size=2&key=k%2Fiwi+1&s=plum-7",
    headers: [HTTPHeader("X-Key", "hdr-kiwi", isCredential: true), HTTPHeader("Authorization", "Bearer token-kiwi")],
    credentialParams: ["key", "s"])

  @Test(arguments: [
    ("?page=2", "https://api.example.test/v1/items?page=2"),
    ("/other?page=2#top", "https://api.example.test/other?page=2"),
    ("more", "https://api.example.test/v1/more"),
    ("https://api.example.test:443/x", "https://api.example.test/x"),
    // What repeats a credential is marked, however it is encoded; other values of such a name stay.
    ("?key=k/iwi%201&page=2", "https://api.example.test/v1/items?key=%2A%2A%2A&page=2"),
    ("?key=k%2fiwi+1&&s=plum-7&s=x", "https://api.example.test/v1/items?key=%2A%2A%2A&&s=%2A%2A%2A&s=x"),
    ("?key=another", "https://api.example.test/v1/items?key=another"),
    // Elsewhere no credential parameter goes, whatever its value.
    ("https://other.test/x?key=k%2Fiwi+1&a=b&s=1", "https://other.test/x?a=b"),
    ("//other.test/x", "https://other.test/x"),
    ("https://api.example.test:8443/x?key=1", "https://api.example.test:8443/x"),
  ])
  func `a next URL is seen from the request, without credentials`(_ reference: String, _ url: String) throws {
    #expect(try request.nextURL(reference) == url)
  }

  @Test(arguments: [
    ("http://api.example.test/v1/items?page=2", "it leads from https to http"),
    ("http://other.test/", "it leads from https to http"),
    ("https://other.test/?a=hdr-kiwi", "it leads to another origin, https://other.test, with a credential in it"),
    ("https://other.test/token-kiwi", "with a credential in it"), ("https://other.test/?q=plum-7", "with a credential"),
    ("ftp://other.test/", "'ftp'"), ("https://ada:secret@other.test/", "user name"), ("https://", "host"),
    ("/x\u{1}", "control"),
  ])
  func `where it may not lead is an error`(_ reference: String, _ words: String) throws {
    let error = try failure { _ = try request.nextURL(reference) }
    #expect(error.message.contains(words), "\(error.message)")
    #expect(!error.message.contains("kiwi") && !error.message.contains("plum"))
  }

  @Test func `a request in the clear may lead to https`() throws {
    let request = HTTPRequest(url: "http://api.example.test/v1")
    #expect(try request.nextURL("https://api.example.test/v1?p=2") == "https://api.example.test/v1?p=2")
  }

  @Test(arguments: [
    ("https://h/x?a=b", "https://h/x?a=b&key=k%2F1"), ("https://h/x", "https://h/x?key=k%2F1"),
    ("https://h/x?key=%2A%2A%2A&a=b", "https://h/x?key=k%2F1&a=b"),
    ("https://h/x?k%65y=***", "https://h/x?k%65y=k%2F1"),
    ("https://h/x?key=mine&a=***", "https://h/x?key=mine&a=***"),
    ("https://h/x?s=***&&q", "https://h/x?s=plum&&q&key=k%2F1"),
  ])
  func `credentials are put back, each once`(_ url: String, _ whole: String) throws {
    #expect(try WebURL(url).filling([("s", "plum")], required: [("key", "k/1")]).text == whole)
  }

  @Test func `pages are told apart without credentials`() {
    #expect(request.identity(of: request.url) == "https://api.example.test/v1/items?size=2")
    #expect(request.identity(of: "no URL") == "no URL")
  }

  @Test func `what may not go elsewhere is taken away`() {
    var request = request
    request.headers += [HTTPHeader("Host", "api.example.test"), HTTPHeader("X-Plain", "a"), HTTPHeader("cookie", "b")]
    request.basic = ("ada", "kiwi")
    request.removeCredentials()
    #expect(request.headers == [HTTPHeader("X-Plain", "a")])
    #expect(request.basic == nil && request.credentialParams == ["key", "s"])
  }
}
