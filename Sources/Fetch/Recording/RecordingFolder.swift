import Glibc

#if FAULTS
  import Faults
#endif

/// A folder into which answers are recorded, a file each.
///
/// The first answer to a request takes the place of all files that answer it from before; further answers to it come
/// behind, in order, save that what follows a 401 takes its place: it was sent again with other credentials, and who asks
/// for recorded answers has none. Files that answer other requests stay. A file is there whole or not at all, and only its owner can
/// read it.
package final class RecordingFolder {
  private let path: String
  private let redactor: Redactor
  private let spoolFolder: String
  /// Files that were there before, by what they answer.
  private var former: [RecordedKey: [String]] = [:]
  /// Answers kept so far, and the status of the last one.
  private var kept: [RecordedKey: (count: Int, status: Int)] = [:]
  /// Names that are taken, and the beginnings of names of this recording.
  private var stems: [String: RecordedKey] = [:]

  /// Makes the folder, unless it is there. A recorded answer in it that cannot be read is an error.
  package init(path: String, redactor: Redactor, spoolFolder: String = "/tmp") throws(FetchError) {
    self.path = path
    self.redactor = redactor
    self.spoolFolder = spoolFolder
    if mkdir(path, 0o777) != 0, errno != EEXIST { throw RecordingFolder.failure("made", path) }
    for name in try RecordedTransport.files(in: path) {
      let key = RecordedKey(try RecordedAnswer(reading: path + "/" + name))
      former[key, default: []].append(name)
      if let stem = RecordingName.stem(of: name) { stems[stem] = key }
    }
    guard access(path, W_OK | X_OK) == 0 else { throw RecordingFolder.failure("written", path) }
  }

  /// Keeps an answer without what is secret in it.
  func keep(_ response: HTTPResponse, to request: HTTPRequest) throws(FetchError) {
    let recorded = try RecordedRequest(request, redactor: redactor)
    let key = recorded.keptKey
    let before = kept[key] ?? (0, 0)
    let number = before.status == 401 ? before.count : before.count + 1
    let name = RecordingName.file(stem(for: recorded), number)
    try write(name, recorded, try RecordableResponse(response, redactor: redactor, folder: spoolFolder))
    kept[key] = (number, response.status)
    for file in former.removeValue(forKey: key) ?? [] where file != name { unlink(path + "/" + file) }
  }

  /// The beginning of the names of a request's files: no other request's.
  private func stem(for request: RecordedRequest) -> String {
    var salt: UInt64 = 0
    while true {
      let stem = RecordingName.stem(of: request, salt: salt)
      guard let owner = stems[stem], owner != request.keptKey else {
        stems[stem] = request.keptKey
        return stem
      }
      salt += 1
    }
  }

  private func write(
    _ name: String, _ request: RecordedRequest, _ response: RecordableResponse
  ) throws(FetchError) {
    let head = request.lines + response.head
    guard head.count <= RecordedAnswer.headLimit else {
      throw FetchError(.badRecording, "the request and the answer's headers are too long to be recorded")
    }
    var template = Array("\(path)/.\(name).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw RecordingFolder.failure("written", path) }
    let temporary = String(utf8: template.dropLast().map { UInt8(bitPattern: $0) })
    do throws(FetchError) {
      defer { close(descriptor) }
      try fill(descriptor, head, response.body)
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, "\(path)/\(name)") == 0 else {
      let failure = RecordingFolder.failure("written", path)
      unlink(temporary)
      throw failure
    }
  }

  private func fill(_ descriptor: Int32, _ head: [UInt8], _ body: ResponseBody) throws(FetchError) {
    guard FileBytes.write(head, to: descriptor) else { throw RecordingFolder.failure("written", path) }
    try body.forEachPart { (part) throws(FetchError) in
      guard FileBytes.write(part, to: descriptor) else { throw RecordingFolder.failure("written", path) }
    }
    #if FAULTS
      if Fault.rename.isOn { return }
    #endif
    guard fsync(descriptor) == 0 else { throw RecordingFolder.failure("written", path) }
  }

  private static func failure(_ what: String, _ path: String) -> FetchError {
    let reason = String(cString: strerror(errno))
    return FetchError(.badRecording, "the folder for recorded answers, \(path), cannot be \(what): \(reason)")
  }
}

/// Names of recorded answers: what was asked for, as far as a file's name can say it, a sum of the whole request, and the
/// number of the answer: `get-v1-items-3f9c2a1b7d604e55-000001.http`.
enum RecordingName {
  private static let longest = 60
  private static let ending = ".http"

  static func stem(of request: RecordedRequest, salt: UInt64) -> String {
    let url = try? WebURL(request.url)
    let words = "\(request.method) \(url?.path ?? "")"
    var slug: [UInt8] = []
    for byte in words.utf8.map(ASCII.lowercased) {
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
        slug.append(byte)
      } else if let last = slug.last, last != 0x2D {
        slug.append(0x2D)
      }
    }
    slug = Array(slug.prefix(longest))
    while slug.last == 0x2D { slug.removeLast() }
    return "\(String(utf8: slug))-\(hexadecimal(sum(request.keptKey.bytes) &+ salt))"
  }

  static func file(_ stem: String, _ number: Int) -> String {
    let digits = String(number)
    return stem + "-" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ending
  }

  /// Nil for a name that was made otherwise.
  static func stem(of file: String) -> String? {
    let parts = file.utf8.dropLast(ending.utf8.count)
    guard let dash = parts.lastIndex(of: 0x2D), ASCII.number(parts[parts.index(after: dash)...]) != nil else {
      return nil
    }
    return String(utf8: parts[..<dash])
  }

  private static func sum(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
