import Fetch
import Testing

struct LinkHeaderTests {
  @Test(arguments: [
    (["</a>; rel=next"], ["/a"]),
    (["</a>; rel=\"next\""], ["/a"]),
    (["</a>;rel=next"], ["/a"]),
    (["  </a>  ;  REL  =  \"NEXT\"  "], ["/a"]),
    (["</a>; rel=\"prev next last\""], ["/a"]),
    (["</a>; rel=\"alternate\tnext\""], ["/a"]),
    (["</a,b;c>; rel=next"], ["/a,b;c"]),
    (["</a>; title=\"x, </b>; rel=next\"; rel=prev, </c>; rel=next"], ["/c"]),
    (["</a>; title=\"say \\\"next\\\", <b>\"; rel=next"], ["/a"]),
    (["</a>; rel=prev; rel=next"], []),
    (["</a>; rel=next; rel=prev"], ["/a"]),
    (["</a>; rel=nextpage", "</b>; rel=\"next-page\""], []),
    (["</a>; rev=next", "</b>"], []),
    (["</a>; title=next; rel"], []),
    (["</a>; rel=next; anchor=\"/other\", </b>; rel=next"], ["/b"]),
    (["</a>; title*=UTF-8''n%c3%a9xt; rel=next"], ["/a"]),
    (["<a>; rel=first", "<b>; rel=next, <c>; rel=last", "<d>; rel=next"], ["b", "d"]),
    ([", ,, </a>; rel=next, ,"], ["/a"]),
    (["</a>; rel=next;"], ["/a"]),
    (["</a>;; rel=next"], ["/a"]),
    (["</a>; title=two words; rel=next"], ["/a"]),
    (["<>; rel=next"], [""]),
    (["<?p=2&s=ü>; rel=next"], ["?p=2&s=ü"]),
    ([""], []), ([], []), ([","], []),
  ])
  func `links are found by their relation`(_ lines: [String], _ targets: [String]) throws {
    #expect(try LinkHeader.targets(of: "next", in: lines) == targets)
  }

  @Test(arguments: [
    "/a; rel=next", "</a; rel=next", "</a> rel=next", "</a>; rel=\"next", "</a>; title=\"\\",
    "</a>; rel=\"next\" x, </b>; rel=prev",
  ])
  func `a header that cannot be read is an error, since a link might be in it`(_ line: String) throws {
    let error = #expect(throws: FetchError.self) { try LinkHeader.targets(of: "next", in: [line]) }
    #expect(error?.code == .badHeader && error?.message.hasPrefix("the Link header cannot be read: ") == true)
  }

  @Test func `any bytes are read or refused, and never for ever`() {
    var random = SeededRandom(seed: 7)
    let pieces = ["<", ">", ";", ",", "\"", "\\", "=", " ", "rel", "next", "a", "é", "\t", "anchor"]
    for _ in 0..<3000 {
      let line = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      _ = try? LinkHeader.targets(of: "next", in: [line.joined()])
    }
  }
}
