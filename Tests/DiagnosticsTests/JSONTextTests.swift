import Diagnostics
import Foundation
import Testing

struct JSONTextTests {
  @Test func `a text is quoted so that it reads back, and no control character is left in it`() throws {
    let scalars =
      Array(0..<0x250) + [0x061B, 0x061C, 0x061D, 0x07FF, 0x0800] + Array(0x2000..<0x2080)
      + [0x20A8, 0xE000, 0xFEFE, 0xFEFF, 0xFF00, 0xFFFD, 0x1F600]
    let texts = scalars.compactMap { Unicode.Scalar($0) }.flatMap { scalar in
      ["\(scalar)", "a\(scalar)", "\(scalar)b", "é\(scalar)\u{2028}\(scalar)€"]
    }
    for text in texts + ["", "plain", "\"\\\n\r\t", "caf\u{65}\u{301}"] {
      let quoted = JSONText.quoted(text)
      let back = try JSONSerialization.jsonObject(with: Data(quoted.utf8), options: .fragmentsAllowed) as? String
      #expect(back.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(quoted)")
      #expect(!quoted.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(quoted)")
      let turning: [UInt32] = [0x061C, 0x200E, 0x200F] + (0x2028...0x202E) + (0x2066...0x2069) + [0xFEFF]
      #expect(!quoted.unicodeScalars.contains { turning.contains($0.value) }, "\(quoted)")
    }
  }

  @Test func `what is escaped has its short form, and all else stands as it is`() {
    #expect(JSONText.quoted("a\"b\\c\n\r\t\u{1}\u{7F}\u{85}\u{2028}") == #""a\"b\\c\n\r\t\u0001\u007F\u0085\u2028""#)
    #expect(JSONText.quoted("café £ € 😀") == "\"café £ € 😀\"")
  }
}
