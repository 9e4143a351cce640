package import Foundation

/// Golden files: what a text was when somebody last looked at it.
package enum Golden {
  /// With `INGEST_RECORD=1` golden files are rewritten, and each that changed fails its test once.
  package static let isRecording = ProcessInfo.processInfo.environment["INGEST_RECORD"] == "1"

  /// Compares a text with a file, byte for byte.
  ///
  /// - Throws: `FixtureError` with the first line that differs and the whole text.
  package static func expect(_ actual: String, at file: URL, recording: Bool = isRecording) throws {
    let expected = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
    if let expected, expected.utf8.elementsEqual(actual.utf8) { return }
    let name = file.lastPathComponent
    if recording {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
      throw FixtureError("\(name) was recorded: read the difference, then run again without INGEST_RECORD")
    }
    guard let expected else {
      throw FixtureError("\(name) is not there; INGEST_RECORD=1 writes it. It would be:\n\(actual)")
    }
    throw FixtureError(difference(name, expected, actual))
  }

  private static func difference(_ name: String, _ expected: String, _ actual: String) -> String {
    let (old, new) = (lines(expected), lines(actual))
    let same = zip(old, new).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    let (before, after) = (same < old.count ? old[same] : "(end)", same < new.count ? new[same] : "(end)")
    return """
      \(name) differs from line \(same + 1) on
      expected: \(before)
      actual:   \(after)
      the whole text:
      \(actual)
      """
  }

  private static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
