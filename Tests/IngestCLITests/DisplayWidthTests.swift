// A width is seen through the alignment of whole tables alone.
@testable import IngestCLI

import Testing

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("ｆ", 2), ("😀", 2), ("\u{200D}", 0), ("Ж", 1),
    ("ﾊ", 1), ("…", 1), ("\u{1112}\u{1161}", 2),
  ])
  func `a text is as wide as a terminal draws it`(_ text: String, _ width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }
}
