import Glibc

/// One recorded answer: a file `NAME.http` that a person can read and write.
///
///     GET https://api.example.com/items?page=1
///     HTTP/1.1 200 OK
///     Content-Type: application/json
///
///     {"items": [{"id": 1}]}
///
/// The first line is the request, without credentials: its method, and its whole URL. A second line may say which body
/// the request has (`Request-Body: {"q":"nuts"}`, or `Request-Body-Base64`); without it, it may have any. `Redacted-Body: true`
/// says that secrets in the answer's body were replaced by `***`. Then the status line, the headers of the answer, an empty line, and the body's bytes as they are. Lines of the head end with LF or
/// CR LF. A body that is compressed says so in a `Content-Encoding`, and is unpacked under the same limits as a live one.
package struct RecordedAnswer: Sendable {
  /// The head ends within this many bytes.
  static let headLimit = 256 << 10

  package var method: String
  package var url: String
  /// Of the request; nil: any.
  package var requestBody: [UInt8]?
  /// Secrets in the body of the answer were replaced.
  package var isRedacted: Bool
  package var status: Int
  package var headers: [HTTPHeader]
  /// Where the body begins in the file.
  package var bodyOffset: Int
  package var file: String

  /// Reads the head of a recorded answer; the error names the file and the line.
  package init(reading file: String) throws(FetchError) {
    self.file = file
    var lines = HeadLines(try RecordedAnswer.beginning(of: file))
    let request = try RecordedAnswer.words(&lines, file, "a first line such as 'GET https://…' is missing")
    guard request.count == 2 else { throw RecordedAnswer.broken(file, 1, "it must be a method and a URL") }
    (method, url) = (request[0], request[1])
    requestBody = try RecordedAnswer.requestBody(&lines, file)
    isRedacted = RecordedAnswer.takeNote(&lines)
    let answer = try RecordedAnswer.words(&lines, file, "a status line such as 'HTTP/1.1 200' is missing")
    guard answer.count >= 2, answer[0].utf8.starts(with: "HTTP/".utf8), let status = ASCII.number(answer[1].utf8),
      (100...999).contains(status)
    else { throw RecordedAnswer.broken(file, lines.number, "it must be a status line such as 'HTTP/1.1 200'") }
    self.status = status
    headers = []
    // Ends: each turn takes a line.
    while let line = lines.next() {
      if line.isEmpty {
        bodyOffset = lines.offset
        return
      }
      guard let colon = line.firstIndex(of: 0x3A) else {
        throw RecordedAnswer.broken(file, lines.number, "it must be a header such as 'Content-Type: application/json'")
      }
      headers.append(
        HTTPHeader(
          String(utf8: ASCII.trimmed(line[..<colon])), String(utf8: ASCII.trimmed(line[(colon + 1)...]))))
    }
    throw RecordedAnswer.broken(file, lines.number + 1, "an empty line must end the headers, also without a body")
  }

  /// The answer with its body.
  func response(_ limits: FetchLimits, folder: String) throws(FetchError) -> HTTPResponse {
    let descriptor = try RecordedAnswer.open(file)
    defer { close(descriptor) }
    var receiver = BodyReceiver(limits: limits, folder: folder)
    try receiver.begin(encodings: headers.filter { $0.isNamed("Content-Encoding") }.map(\.value))
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
    defer { buffer.deallocate() }
    var offset = bodyOffset
    // Ends: the file does, and the receiver has its limits.
    while true {
      let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      guard got >= 0 else { throw RecordedAnswer.unreadable(file) }
      if got == 0 { break }
      try receiver.receive(UnsafeBufferPointer(rebasing: buffer[..<got]))
      offset += got
    }
    var response = HTTPResponse(status: status, headers: headers, body: try receiver.finish(isFramed: true))
    (response.isRecorded, response.isRedacted) = (true, isRedacted)
    return response
  }

  static let redactedBody = "Redacted-Body"

  /// Takes the line that says so, if it is the next one.
  private static func takeNote(_ lines: inout HeadLines) -> Bool {
    var ahead = lines
    guard let line = ahead.next(), let colon = line.firstIndex(of: 0x3A),
      HTTPHeader(String(utf8: ASCII.trimmed(line[..<colon])), "").isNamed(redactedBody)
    else { return false }
    lines = ahead
    return ASCII.trimmed(line[(colon + 1)...]).lowercased() == Array("true".utf8)
  }

  private static func requestBody(
    _ lines: inout HeadLines, _ file: String
  ) throws(FetchError) -> [UInt8]? {
    var ahead = lines
    guard let line = ahead.next(), let colon = line.firstIndex(of: 0x3A) else { return nil }
    let header = HTTPHeader(String(utf8: ASCII.trimmed(line[..<colon])), "")
    let value = ASCII.trimmed(line[(colon + 1)...])
    if header.isNamed(RecordedRequest.bodyHeader) {
      lines = ahead
      return Array(value)
    }
    guard header.isNamed(RecordedRequest.encodedBodyHeader) else { return nil }
    lines = ahead
    guard let body = Base64.decode(value) else { throw broken(file, lines.number, "the request's body is no base64") }
    return body
  }

  private static func beginning(of file: String) throws(FetchError) -> [UInt8] {
    let descriptor = try open(file)
    defer { close(descriptor) }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: headLimit) { buffer, filled in
      while filled < headLimit {
        count = pread(descriptor, buffer.baseAddress.map { $0 + filled }, headLimit - filled, off_t(filled))
        guard count > 0 else { break }
        filled += count
      }
    }
    guard count >= 0 else { throw unreadable(file) }
    return bytes
  }

  /// It is read at two places, so it has to be a regular file; nobody waits for who is to write into a pipe.
  private static func open(_ file: String) throws(FetchError) -> Int32 {
    let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(file) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FetchError(.badRecording, "\(file) cannot be read: it is no regular file", nothingSent: true)
    }
    return descriptor
  }

  private static func words(
    _ lines: inout HeadLines, _ file: String, _ complaint: String
  ) throws(FetchError) -> [String] {
    guard let line = lines.next(), !line.isEmpty else { throw broken(file, lines.number, complaint) }
    return line.split(separator: 0x20).map { String(utf8: $0) }
  }

  private static func broken(_ file: String, _ line: Int, _ sentence: String) -> FetchError {
    FetchError(.badRecording, "\(file):\(line): the recorded answer cannot be read: \(sentence)", nothingSent: true)
  }

  private static func unreadable(_ file: String) -> FetchError {
    FetchError(.badRecording, "\(file) cannot be read: \(String(cString: strerror(errno)))", nothingSent: true)
  }
}

/// The lines of a head, by LF, each without a CR at its end.
private struct HeadLines {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private(set) var number = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Nil at the end, and for a last line without LF.
  mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[offset...].firstIndex(of: 0x0A) else { return nil }
    let line = bytes[offset..<end]
    offset = end + 1
    number += 1
    return line.last == 0x0D ? line.dropLast() : line
  }
}
