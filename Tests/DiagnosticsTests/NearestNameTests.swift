import Diagnostics
import Testing

struct NearestNameTests {
  private static let known = [
    "table", "tables", "required", "fields", "field", "base_url", "paginate", "param", "cursor", "integer", "User",
    "on_null", "id", "größe",
  ]

  @Test(arguments: [
    ("tabel", "table"), ("requird", "required"), ("feilds", "fields"), ("base_ulr", "base_url"),
    ("paginat", "paginate"), ("parm", "param"), ("curser", "cursor"), ("integr", "integer"), ("usr", "User"),
    ("Usr", "User"), ("user", "User"), ("ID", "id"), ("onnull", "on_null"), ("grösse", "größe"), ("tablse", "table"),
  ])
  func `a misspelt name finds the nearest known one`(_ name: String, _ nearest: String) {
    #expect(NearestName.nearest(to: name, among: Self.known) == nearest)
  }

  @Test(arguments: ["", "xy", "ix", "colour", "interrogate", "tbl", "table", String(repeating: "a", count: 101)])
  func `a name that is far from all, or known, finds none`(_ name: String) {
    #expect(NearestName.nearest(to: name, among: name == "table" ? ["table"] : Self.known) == nil)
  }

  @Test func `of equally near names the first is taken, of names that differ in case the one with the same letters`() {
    #expect(NearestName.nearest(to: "abcd", among: ["abce", "abcf"]) == "abce")
    #expect(NearestName.nearest(to: "abcd", among: ["abcf", "abce", "zzz"]) == "abcf")
    #expect(NearestName.nearest(to: "abcd", among: ["abxd", "ABCD", "abCD", "abcD"]) == "abcD")
    #expect(NearestName.nearest(to: "abc", among: [String]()) == nil)
  }

  @Test(arguments: [
    ("upper", ["lowercase", "uppercase"], "uppercase"), ("children", ["link", "child"], "child"),
    ("primary_key", ["key", "keys_of"], "key"), ("tabel", ["table"], "table"),
    // Several are related, or the part is too short to tell.
    ("updated", ["updated_at", "updated_by"], nil), ("int", ["integer"], nil), ("of_it", ["of", "it"], nil),
    ("URL", ["url"], "url"), ("link", ["link"], nil),
  ])
  func `a name that is far may be a part of a known one, or hold it as a word`(
    _ name: String, _ known: [String], _ meant: String?
  ) {
    #expect(NearestName.meant(by: name, among: known) == meant)
  }
}
