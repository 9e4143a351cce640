/// The header lines of an answer, as they come: of several blocks (1xx answers come first) the last one counts.
struct HeaderBlock {
  static let lineLimit = 64 << 10
  static let totalLimit = 256 << 10

  private(set) var headers: [HTTPHeader] = []
  private var total = 0
  /// The empty line behind the headers has come.
  private(set) var isComplete = false

  /// Takes one line with its line end.
  mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>) throws(FetchError) {
    total += bytes.count
    guard bytes.count <= HeaderBlock.lineLimit else {
      throw FetchError(.limitHeader, "a header is longer than \(HeaderBlock.lineLimit) bytes")
    }
    guard total <= HeaderBlock.totalLimit else {
      throw FetchError(.limitHeader, "the headers are longer than \(HeaderBlock.totalLimit) bytes together")
    }
    var line = Array(bytes)[...]
    while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
    if line.starts(with: "HTTP/".utf8) {
      headers = []
      isComplete = false
    } else if line.isEmpty {
      isComplete = true
    } else if !isComplete {
      append(line)
    }
  }

  func values(_ name: String) -> [String] { headers.filter { $0.isNamed(name) }.map(\.value) }

  /// The body's last chunk tells where it ends. Any other coding that is last leaves that to the end of the connection.
  var isChunked: Bool {
    let codings = values("Transfer-Encoding").flatMap { $0.utf8.split(separator: 0x2C) }
    return codings.last.map { ASCII.trimmed(Array($0)[...]).lowercased() == Array("chunked".utf8) } ?? false
  }

  /// How long the body must be, if the headers say so.
  ///
  /// Lengths that contradict each other or are no numbers are an error: libcurl takes them, and short data would then
  /// pass for a whole answer.
  func contentLength() throws(FetchError) -> Int? {
    let lengths = values("Content-Length").flatMap { $0.utf8.split(separator: 0x2C) }
      .map { ASCII.trimmed(Array($0)[...]) }
    guard let first = lengths.first, values("Transfer-Encoding").isEmpty else { return nil }
    guard let length = ASCII.number(first), lengths.allSatisfy({ $0 == first }) else {
      throw FetchError(.badAnswer, "the answer's Content-Length is no number, or there are several that differ")
    }
    return length
  }

  private mutating func append(_ line: ArraySlice<UInt8>) {
    if let first = line.first, ASCII.isBlank(first) {
      // A folded line belongs to the header in front of it.
      guard let last = headers.indices.last else { return }
      headers[last].value += " " + HeaderBlock.text(ASCII.trimmed(line))
      return
    }
    guard let colon = line.firstIndex(of: 0x3A) else { return }
    let name = ASCII.trimmed(line[..<colon])
    headers.append(HTTPHeader(String(utf8: name), HeaderBlock.text(ASCII.trimmed(line[(colon + 1)...]))))
  }

  /// UTF-8, or else Latin-1, as older servers send.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
