import Diagnostics
import Testing

struct SourceFileTests {
  private func place(_ text: String, _ offset: Int) -> String {
    let position = SourceFile(name: "m", text: text).position(at: offset)
    return "\(position.line):\(position.column)@\(position.offset)"
  }

  @Test(arguments: [
    ("", 0, "1:1@0"), ("", 7, "1:1@0"), ("ab", 1, "1:2@1"), ("ab", 9, "1:3@2"), ("ab", -3, "1:1@0"),
    ("é😀x", 2, "1:2@2"), ("é😀x", 6, "1:3@6"), ("e\u{301}x", 3, "1:3@3"), ("a\nb", 1, "1:2@1"), ("a\nb", 2, "2:1@2"),
    ("a\r\nü b\r\n", 5, "2:2@5"), ("a\r\nü b\r\n", 9, "3:1@9"), ("\n\n", 2, "3:1@2"),
    ("\u{FEFF}ab", 0, "1:1@3"), ("\u{FEFF}ab", 4, "1:2@4"), ("\u{FEFF}a\nb", 5, "2:1@5"),
  ])
  func `a byte offset has its line and its column in scalars`(_ text: String, _ offset: Int, _ expected: String) {
    #expect(place(text, offset) == expected)
  }

  @Test func `positions are right beyond the strides in which scalars are counted`() {
    let text = String(repeating: "éa", count: 400) + "\n" + String(repeating: "😀", count: 300)
    let file = SourceFile(name: "m", text: text)
    var (line, column, offset, number) = (1, 1, 0, 0)
    for scalar in text.unicodeScalars {
      #expect(file.position(at: offset) == SourcePosition(line: line, column: column, offset: offset))
      #expect(file.offset(ofScalar: number) == offset)
      #expect(file.scalars(before: offset) == number)
      offset += String(scalar).utf8.count
      number += 1
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
    #expect(file.offset(ofScalar: number) == offset)
    #expect(file.offset(ofScalar: number + 5) == offset)
  }

  @Test func `a line comes without its line break`() {
    let file = SourceFile(name: "m", text: "\u{FEFF}é\r\nb\n\nc")
    #expect((0...5).map { String(decoding: file.line($0), as: UTF8.self) } == ["", "é", "b", "", "c", ""])
    #expect(file.lineCount == 4)
    #expect(SourceFile(name: "m", text: "a\n").lineCount == 2)
  }

  @Test func `a span never ends before it starts`() {
    let span = SourceFile(name: "m", text: "abc").span(2, 1)
    #expect(span.start == span.end)
  }

  @Test func `diagnostics are put in the order of files, then of places`() {
    let (a, b) = (SourceFile(name: "a", text: "abc"), SourceFile(name: "b", text: "abc"))
    let places = [(b, 1), (a, 2), (a, 0), (b, 0), (a, 0)]
    let diagnostics = places.enumerated().map { index, place in
      Diagnostic(.badValue, "\(index)", at: place.0.span(place.1, place.1))
    }
    #expect(diagnostics.inOrder().map(\.message) == ["3", "0", "2", "4", "1"])
  }
}
