/// What a first pass over a body has collected: for each capture, the value that each holder has, and for each place
/// the pruned text of each record that holds another place; both in document order.
struct CollectedTexts {
  /// Texts in one piece of memory.
  struct List {
    private(set) var bytes: [UInt8] = []
    private var starts: [Int] = []

    /// Begins the next text.
    mutating func begin() { starts.append(bytes.count) }
    mutating func write(_ text: UnsafeRawBufferPointer) { bytes.append(contentsOf: text) }
    mutating func write(_ byte: UInt8) { bytes.append(byte) }

    /// Length of the text that was begun last.
    var openLength: Int { bytes.count - (starts.last ?? 0) }

    /// Text number `index`; empty when nothing was written to it, or it is not there.
    subscript(index: Int) -> ArraySlice<UInt8> {
      guard index < starts.count else { return [] }
      return bytes[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : bytes.count)]
    }

    mutating func removeAll() {
      bytes.removeAll(keepingCapacity: true)
      starts.removeAll(keepingCapacity: true)
    }
  }

  var captures: [List]
  var records: [List]
  /// What stands on the way to a capture where it cannot be passed, by the capture's index.
  var wrongShapes: [Int: JSONKind] = [:]

  init(_ tree: PlaceTree) {
    captures = Array(repeating: List(), count: tree.captures.count)
    records = Array(repeating: List(), count: tree.places.count)
  }

  mutating func removeAll() {
    wrongShapes.removeAll()
    for index in captures.indices { captures[index].removeAll() }
    for index in records.indices { records[index].removeAll() }
  }
}
