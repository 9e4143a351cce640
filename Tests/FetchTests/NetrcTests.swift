import Fetch
import Testing

struct NetrcTests {
  private static let text = """
    # machine commented.example login no password no
    machine api.example.test
      login ada
      account x
      password "a b \\"c\\""
    macdef init
      machine macro.example.test login m password m
      cd /

    machine other.example.test login blake password #hash # a comment
    machine API.example.test login later password later
    machine empty.example.test
    default login anonymous password guest
    machine behind.example.test login b password b
    """

  @Test(arguments: [
    ("api.example.test", "ada", #"a b "c""#), ("API.Example.TEST", "ada", #"a b "c""#),
    ("other.example.test", "blake", "#hash"), ("behind.example.test", "b", "b"),
    ("commented.example", "anonymous", "guest"), ("macro.example.test", "anonymous", "guest"),
  ])
  func `a host has the first entry of its name, else the default`(
    _ host: String, _ login: String, _ password: String
  ) throws {
    let entry = try #require(NetrcFile(Array(Self.text.utf8)).entry(for: host))
    #expect(entry.login == login && entry.password == password)
  }

  @Test func `an entry may lack what it is for`() throws {
    let entry = try #require(NetrcFile(Array(Self.text.utf8)).entry(for: "empty.example.test"))
    #expect(entry.login == nil && entry.password == nil)
  }

  @Test(arguments: ["", "login a", "machine", "machine a.test login", "machine a.test password \"unended", "macdef x"])
  func `a file that breaks off is read as far as it goes`(_ text: String) {
    #expect(NetrcFile(Array(text.utf8)).entry(for: "b.test") == nil)
  }
}
