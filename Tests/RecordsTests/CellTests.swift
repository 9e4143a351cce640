import Records
import Testing

struct CellTests {
  @Test func `a cell is 16 bytes`() {
    #expect(MemoryLayout<Cell>.size <= 16)
    #expect(MemoryLayout<Cell>.stride == 16)
  }

  @Test func `values come back as they went in`() {
    for value in [0, 1, -1, Int64.min, .max, 9_007_199_254_740_993] {
      #expect(Cell.integer(value).integerValue == value)
    }
    for value in [0, -0.0, 1.5, -1.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      #expect(Cell.real(value).realValue.bitPattern == value.bitPattern)
    }
    let arena = ByteArena()
    for text in ["", "a", "naïve\u{0}x", "e\u{301}"] {
      #expect(Array(Cell.text(arena.copy(text)).stringValue.utf8) == Array(text.utf8))
    }
    #expect(Array(Cell.bytes(arena.copy("\u{1}\u{0}")).rawBytes) == [1, 0])
    #expect(Cell.missing.kind == .missing && Cell.null.kind == .null)
    #expect(Cell.integer(1).rule == .write)
  }

  @Test func `missing and null hold no value`() {
    let arena = ByteArena()
    let present: [Cell] = [.integer(0), .real(0), .text(arena.copy("")), .bytes(arena.copy(""))]
    #expect(present.allSatisfy { $0.isPresent })
    #expect(!Cell.missing.isPresent && !Cell.null.isPresent)
  }

  @Test func `cells are the same when their kinds and bytes are`() {
    let arena = ByteArena()
    // Each entry is the same as itself, made anew, and as no other one.
    let make: [() -> Cell] = [
      { .missing }, { .null }, { .integer(1) }, { .integer(-1) }, { .real(1) }, { .real(0) }, { .real(-0.0) },
      { .text(arena.copy("1")) }, { .bytes(arena.copy("1")) }, { .text(arena.copy("")) }, { .bytes(arena.copy("")) },
      { .text(arena.copy("é")) }, { .text(arena.copy("e\u{301}")) }, { .text(arena.copy("É")) },
      { .text(arena.copy("a")) }, { .text(arena.copy("ab")) }, { .text(arena.copy("a ")) },
    ]
    for (first, a) in make.enumerated() {
      for (second, b) in make.enumerated() {
        #expect(a().isSame(as: b()) == (first == second), "entries \(first) and \(second)")
      }
    }
  }

  @Test func `the rule of a cell does not matter for sameness`() {
    var other = Cell.integer(3)
    other.rule = .keepIfEqual
    #expect(Cell.integer(3).isSame(as: other))
  }
}
