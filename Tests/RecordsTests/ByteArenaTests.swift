import Records
import Testing

struct ByteArenaTests {
  private func fill(_ arena: ByteArena, _ count: Int, with byte: UInt8) -> UnsafeRawBufferPointer {
    let start = arena.reserve(count)
    start.initializeMemory(as: UInt8.self, repeating: byte, count: count)
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  @Test func `reservations of any size lie apart and keep their bytes`() {
    let arena = ByteArena()
    // Odd sizes, a whole block, more than a block, and small ones again: nothing moves, nothing overlaps.
    let sizes = [1, 3, 7, 0, 13, 65_536, 5, 65_537, 1 << 20, 2, 64_000, 64_000, 1]
    let places = sizes.enumerated().map { fill(arena, $1, with: UInt8($0 + 1)) }
    for (index, place) in places.enumerated() {
      #expect(place.count == sizes[index])
      #expect(place.allSatisfy { $0 == UInt8(index + 1) }, "reservation \(index)")
    }
  }

  @Test func `the end of a reservation that was given back is used again`() {
    let arena = ByteArena()
    let first = arena.reserve(100)
    arena.giveBack(60)
    #expect(arena.reserve(10) == first + 40)
    arena.giveBack(10)
    arena.giveBack(40)
    #expect(arena.reserve(1) == first)
  }

  @Test func `what is given back of a large block is room as well`() {
    let arena = ByteArena()
    let large = arena.reserve(200_000)
    arena.giveBack(150_000)
    #expect(arena.reserve(150_000) == large + 50_000)
  }

  @Test func `copies are equal to what they are of, and at another place`() {
    let arena = ByteArena()
    for text in ["", "a", "é", "e\u{301}", "naïve \u{0}\u{1F600}", String(repeating: "x", count: 70_000)] {
      let bytes = Array(text.utf8)
      #expect(Array(arena.copy(text)) == bytes)
      let copied = bytes.withUnsafeBytes { source in
        let copy = arena.copy(source)
        #expect(bytes.isEmpty || copy.baseAddress != source.baseAddress)
        return copy
      }
      #expect(Array(copied) == bytes)
      #expect(copied.baseAddress != nil, "an empty text has an address, too")
    }
  }

  @Test func `an arena that was reset begins anew and takes as much as before`() {
    let arena = ByteArena()
    arena.reset()
    let first = arena.reserve(10)
    for _ in 0..<3 {
      _ = fill(arena, 300_000, with: 1)
      _ = fill(arena, 65_536, with: 2)
      arena.reset()
      #expect(arena.reserve(10) == first, "the first block is kept")
      #expect(fill(arena, 65_000, with: 3).allSatisfy { $0 == 3 })
      arena.reset()
    }
  }

  @Test func `a first block that is larger than the default is not taken for more or less than it is`() {
    let arena = ByteArena()
    _ = fill(arena, 200_000, with: 1)
    arena.reset()
    let places = (0..<40).map { fill(arena, 10_000, with: UInt8($0)) }
    for (index, place) in places.enumerated() { #expect(place.allSatisfy { $0 == UInt8(index) }) }
  }
}
