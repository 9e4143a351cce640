import Glibc

/// Answers requests from the files of one folder (`--recorded DIR`), and asks nobody.
///
/// Each file `NAME.http` is a `RecordedAnswer`. A request is answered by the files of its method, URL and body, where the
/// parameters that are credentials, and the values of secrets, do not count, nor does it matter how a URL is
/// percent-encoded; where there are none, by those that name no body. Several answers to one request are given in the order of their files' names, the last one again
/// when all are used up. Redirects are given as they were recorded: they are not followed.
package final class RecordedTransport: Transport {
  private let folder: String
  private let spoolFolder: String
  private let redactor: Redactor
  private var answers: [RecordedKey: [RecordedAnswer]] = [:]
  private var used: [RecordedKey: Int] = [:]

  /// Reads the heads of all files; a folder without any is an error.
  package init(directory: String, redactor: Redactor = Redactor(), spoolFolder: String = "/tmp") throws(FetchError) {
    folder = directory
    self.spoolFolder = spoolFolder
    self.redactor = redactor
    for name in try RecordedTransport.files(in: directory) {
      let answer = try RecordedAnswer(reading: directory + "/" + name)
      answers[RecordedKey(answer), default: []].append(answer)
    }
    guard !answers.isEmpty else {
      throw FetchError(
        .badRecording, "the folder \(directory) holds no recorded answers (files named NAME.http)", nothingSent: true)
    }
  }

  package func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    try RequestCheck.check(request)
    let recorded = try RecordedRequest(request, redactor: redactor)
    let keys = [recorded.key, RecordedKey(recorded.method, recorded.url, body: nil)]
    guard let key = keys.first(where: { answers[$0] != nil }), let candidates = answers[key] else {
      throw FetchError(
        .notRecorded, "no answer to \(recorded.method) \(recorded.url)\(recorded.shownBody) is recorded in \(folder)",
        nothingSent: true)
    }
    let index = used[key, default: 0]
    used[key] = index + 1
    return try candidates[min(index, candidates.count - 1)].response(limits, folder: spoolFolder)
  }

  /// The names that end in `.http`, in the order of their bytes.
  static func files(in folder: String) throws(FetchError) -> [String] {
    guard let directory = opendir(folder) else {
      let reason = String(cString: strerror(errno))
      throw FetchError(
        .badRecording, "the folder of recorded answers, \(folder), cannot be read: \(reason)", nothingSent: true)
    }
    defer { closedir(directory) }
    var names: [[UInt8]] = []
    // Ends: the folder does.
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.count > 5, name.suffix(5) == Array(".http".utf8), name[0] != 0x2E { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.map { String(utf8: $0) }
  }
}
