/// A whole JSON text in memory, validated: a small body (an error answer, a captured value, an expectation).
///
/// `@unchecked Sendable`: nothing in it changes after `init`, and its memory is freed with it.
package final class JSONDocument: @unchecked Sendable {
  private let window: Window
  private let nodes: UnsafePointer<JSONNode>

  /// Reads UTF-8, with or without a byte order mark. Text that is empty or blank is refused.
  package convenience init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let window = Window(capacity: bytes.count)
    bytes.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { window.bytes.update(from: start, count: source.count) }
    }
    try self.init(
      window, from: hasMark ? 3 : 0, to: bytes.count, limits: limits, isLenient: false, scanner: Stage1(), tape: Tape())
  }

  /// Reads a source of at most `bound` bytes, in any encoding that bodies may have.
  package convenience init(
    _ source: BodySource, format: BodyFormat = BodyFormat(), bound: Int, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    let text = try TextBytes(source, format)
    var window = Window(capacity: 1 << 12)
    var filled = 0
    while true {
      let taken = text.read(into: window.bytes + filled, count: window.capacity - filled)
      filled += taken
      if taken == 0 { break }
      if filled > bound {
        throw JSONError(.limitRecord, "a text of more than \(bound) bytes", offset: bound, line: 1)
      }
      guard filled == window.capacity else { continue }
      let larger = Window(capacity: filled * 2)
      larger.bytes.update(from: window.bytes, count: filled)
      window = larger
    }
    window.pad(from: filled)
    if let fault = text.failure { throw fault.error(in: UnsafePointer(window.bytes), after: filled) }
    try self.init(
      window, from: 0, to: filled, limits: limits, isLenient: format.isLenient, scanner: Stage1(), tape: Tape())
  }

  /// Takes over a window whose text lies at `start..<end`.
  init(
    _ window: Window, from start: Int, to end: Int, limits: JSONLimits, isLenient: Bool, scanner: Stage1, tape: Tape
  ) throws(JSONError) {
    let bytes = window.bytes + start
    do {
      try Self.build(
        bytes, count: end - start, levels: limits.depth, isLenient: isLenient, scanner: scanner, tape: tape)
    } catch {
      throw error.error(in: UnsafePointer(bytes), offset: start, line: 1)
    }
    self.window = window
    self.start = start
    nodes = tape.copy()
  }

  private let start: Int

  deinit { nodes.deallocate() }

  /// The text's value, lent as long as the document lives: keep the document in a variable while the value is used
  /// (`JSONDocument(bytes).root` alone dangles).
  package var root: JSONValue { JSONValue(bytes: UnsafePointer(window.bytes + start), nodes: nodes, index: 0) }

  private static func build(
    _ bytes: UnsafeMutablePointer<UInt8>, count: Int, levels: Int, isLenient: Bool, scanner: Stage1, tape: Tape
  ) throws(TextFault) {
    guard count < Int(UInt32.max) else {
      throw TextFault(.limitRecord, "a text of 4 GiB or more cannot be read as one record", at: 0)
    }
    var fault: TextFault?
    var end = count
    switch scanner.scan(bytes, count: count) {
    case .positions: break
    case .blank: throw TextFault(.syntax, "the text is blank", at: 0)
    case .openString, .broken:
      // What comes before may be wrong too, and is then what the reader wants to see.
      let located = LocatedFault.first(in: bytes, count: count)
      (fault, end) = (located.fault, located.cleanEnd)
      guard scanner.scan(bytes, count: end) == .positions else { throw located.fault }
    }
    let text = ScannedText(
      bytes: bytes, positions: scanner.positions, count: scanner.count, end: end, isFinal: fault == nil,
      isLenient: isLenient)
    let behind = bytes[end]
    if fault != nil { bytes[end] = 0 }
    defer { bytes[end] = behind }
    var (token, backslash) = (0, text.backslash(from: 0))
    let isWhole = try tape.build(text, at: &token, backslash: &backslash, levels: levels, limit: levels)
    if isWhole && token < text.count { try text.stop(at: token, expecting: .end) }
    if let fault { throw fault }
  }
}
