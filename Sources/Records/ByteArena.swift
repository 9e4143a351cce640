/// Memory for the bytes that mapping makes: decoded texts, dates, decimals. It is freed as a whole.
///
/// Each converted value asks it for room, so overlapping access to its place and its rest is not checked at run time.
package final class ByteArena {
  @exclusivity(unchecked) private var next: UnsafeMutableRawPointer?
  @exclusivity(unchecked) private var left = 0
  private var blocks: [UnsafeMutableRawPointer] = []
  private static let blockSize = 1 << 16

  package init() {}

  deinit { for block in blocks { block.deallocate() } }

  /// Room for `count` bytes at a fixed address, for as long as the arena lives.
  package func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    if count > left { grow(count) }
    guard let start = next else { preconditionFailure("an arena that has grown has a block") }
    next = start + count
    left -= count
    return start
  }

  /// Gives back the end of the last reservation.
  package func giveBack(_ count: Int) {
    guard let end = next else { return }
    next = end - count
    left += count
  }

  package func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = reserve(max(bytes.count, 1))
    if let from = bytes.baseAddress, bytes.count > 0 { start.copyMemory(from: from, byteCount: bytes.count) }
    return UnsafeRawBufferPointer(start: start, count: bytes.count)
  }

  package func copy(_ text: String) -> UnsafeRawBufferPointer {
    var text = text
    return text.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
  }

  private func grow(_ count: Int) {
    let size = max(Self.blockSize, count)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    blocks.append(fresh)
    next = fresh
    left = size
  }

  /// Forgets everything and keeps one block. Cells that point into the arena are dead afterwards.
  package func reset() {
    for block in blocks.dropFirst() { block.deallocate() }
    blocks = Array(blocks.prefix(1))
    next = blocks.first
    left = blocks.isEmpty ? 0 : Self.blockSize
  }
}
