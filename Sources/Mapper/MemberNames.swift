import Glibc
import PlanCompiler

/// A record's `MemberTree` as members are looked up in it: numbers in plain memory, since every member of every record
/// comes by here.
///
/// Most names are short, so they are compared as words of eight bytes: a text's words may reach beyond its end, where a
/// window has bytes that can be read. A name that no key path reads is told by a table of hashes.
struct MemberNames {
  struct Node {
    /// The name's first eight bytes, or all of them and zeros.
    fileprivate let head: UInt64
    /// The name's last eight bytes, where it has more than eight.
    fileprivate let tail: UInt64
    /// The whole of the name.
    fileprivate let text: UnsafePointer<UInt8>
    fileprivate let length: Int
    /// Node indexes; children of one node lie together.
    let children: Range<Int>
    /// By the hash of a name: how many children lie before the only one of that hash, or `none`, or `several`.
    fileprivate let places: UnsafeMutablePointer<UInt8>
  }

  private static let none: UInt8 = 255
  private static let several: UInt8 = 254
  private static let placeCount = 128

  /// Node 0 is the record's value itself.
  let nodes: UnsafeBufferPointer<Node>
  private let text: UnsafeMutablePointer<UInt8>
  private let places: UnsafeMutablePointer<UInt8>

  init(_ tree: MemberTree) {
    let count = tree.nodes.count
    text = .allocate(capacity: tree.names.count + 1)
    text.initialize(from: tree.names, count: tree.names.count)
    places = .allocate(capacity: count * Self.placeCount)
    places.initialize(repeating: Self.none, count: count * Self.placeCount)
    let nodes = UnsafeMutableBufferPointer<Node>.allocate(capacity: count)
    for (index, node) in tree.nodes.enumerated() {
      let places = places + index * Self.placeCount
      nodes.initializeElement(at: index, to: Node(node, text: text + node.name.lowerBound, places: places))
    }
    for node in nodes { for child in node.children { node.place(nodes[child], child) } }
    self.nodes = UnsafeBufferPointer(nodes)
  }

  func deallocate() {
    nodes.deallocate()
    text.deallocate()
    places.deallocate()
  }

  /// The child of a node that has this name; -1 where there is none. Seven bytes behind the text can be read.
  @inline(__always) func child(of node: Node, _ name: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let head = Node.head(name, count)
    let place = node.places[Node.hash(head, count)]
    if place == Self.none { return -1 }
    if place == Self.several {
      for child in node.children where nodes[child].isNamed(name, head, count) { return child }
      return -1
    }
    let child = node.children.lowerBound + Int(place)
    return nodes[child].isNamed(name, head, count) ? child : -1
  }

  /// The same of a text behind which nothing can be read.
  func child(of node: Node, _ name: UnsafeBufferPointer<UInt8>) -> Int {
    node.children.first { nodes[$0].isNamed(name) } ?? -1
  }
}

extension MemberNames.Node {
  fileprivate init(_ node: MemberTree.Node, text: UnsafePointer<UInt8>, places: UnsafeMutablePointer<UInt8>) {
    let length = node.name.count
    var head: UInt64 = 0
    for index in 0..<min(length, 8) { head |= UInt64(text[index]) << (8 * UInt64(index)) }
    (self.head, self.length, self.text) = (head, length, text)
    tail = length > 8 ? Self.word(text + length - 8) : 0
    (children, self.places) = (node.children, places)
  }

  /// Notes a child's place.
  fileprivate func place(_ child: Self, _ index: Int) {
    let hash = Self.hash(child.head, child.length)
    let offset = index - children.lowerBound
    places[hash] =
      places[hash] == MemberNames.none && offset < Int(MemberNames.several) ? UInt8(offset) : MemberNames.several
  }

  /// Is that its name? Seven bytes behind the text can be read.
  @inline(__always) func isNamed(_ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    isNamed(name, Self.head(name, count), count)
  }

  @inline(__always) fileprivate func isNamed(_ name: UnsafePointer<UInt8>, _ head: UInt64, _ count: Int) -> Bool {
    guard count == length, head == self.head else { return false }
    if count <= 8 { return true }
    guard Self.word(name + count - 8) == tail else { return false }
    return count <= 16 || memcmp(name + 8, text + 8, count - 16) == 0
  }

  fileprivate func isNamed(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard name.count == length, let start = name.baseAddress else { return name.count == length }
    return memcmp(start, text, length) == 0
  }

  @inline(__always) fileprivate static func head(_ name: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    count >= 8 ? word(name) : word(name) & ((1 << (8 &* UInt64(count))) &- 1)
  }

  /// Of seven bits.
  @inline(__always) fileprivate static func hash(_ head: UInt64, _ count: Int) -> Int {
    Int(((head ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15) >> 57)
  }

  @inline(__always) private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }
}
