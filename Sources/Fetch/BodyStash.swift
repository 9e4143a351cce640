import JSONReading

/// Keeps bodies until their turn comes: in memory up to 1 MiB, beyond in temporary files that nobody else can open.
///
/// A file takes the bodies of about 8 MiB and goes with the last of them.
package struct BodyStash {
  static let memoryLimit = 1 << 20
  static let fileLimit = 8 << 20

  private let folder: String
  private var file: (TemporaryFile, end: Int)?

  /// `folder` is where the files are made.
  package init(folder: String = "/tmp") { self.folder = folder }

  /// `inMemory`: bytes of bodies that are kept there already.
  package mutating func keep(_ body: ResponseBody, inMemory: Int) throws(FetchError) -> StashedBody {
    // A body that has a file of its own stays in it.
    guard case .memory(let bytes) = body.source else { return StashedBody(place: .body(body), count: body.count) }
    guard inMemory + bytes.count > BodyStash.memoryLimit else {
      return StashedBody(place: .body(body), count: body.count, memory: bytes.count)
    }
    let (open, end) = if let file { file } else { (try TemporaryFile(in: folder), 0) }
    file = nil
    try open.write(bytes)
    let range = end..<end + bytes.count
    if range.upperBound < BodyStash.fileLimit { file = (open, range.upperBound) }
    return StashedBody(place: .file(open, range), count: bytes.count)
  }
}

/// A body that waits for its turn.
package struct StashedBody: Sendable {
  fileprivate enum Place {
    case body(ResponseBody)
    case file(TemporaryFile, Range<Int>)
  }

  fileprivate let place: Place
  package let count: Int
  /// How many of its bytes are in memory.
  package let memory: Int

  fileprivate init(place: Place, count: Int, memory: Int = 0) {
    (self.place, self.count, self.memory) = (place, count, memory)
  }

  /// One that is about to be taken, and stays where it is.
  package init(_ body: ResponseBody) { self.init(place: .body(body), count: body.count) }

  package func body() throws(FetchError) -> ResponseBody {
    switch place {
    case .body(let body): body
    case .file(let file, let range): .bytes(try file.read(range))
    }
  }
}
