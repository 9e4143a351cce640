import Foundation
import Glibc
import IngestCLI
import TestSupport

/// A console that writes to files, with a clock that stands still.
final class CapturedConsole {
  let console: Console
  private let folder: TemporaryFolder
  private let descriptors: [Int32]

  init(_ options: LoggingOptions = LoggingOptions(), isColoured: Bool = false) throws {
    folder = try TemporaryFolder()
    descriptors = ["out", "err"].map { [folder] in open(folder.path($0), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
    console = Console(
      output: OutputBuffer(descriptor: descriptors[0]),
      messages: MessageWriter(options, descriptor: descriptors[1], isColoured: isColoured))
    console.messages.clock = { (1_709_251_199, 7_000_000) }
  }

  deinit { descriptors.forEach { close($0) } }

  var output: String {
    get throws {
      console.output.flush()
      return String(decoding: try folder.read("out"), as: UTF8.self)
    }
  }

  var errors: String { get throws { String(decoding: try folder.read("err"), as: UTF8.self) } }

  /// Each line of the messages, as an independent reader of JSON sees it.
  var objects: [[String: any Sendable]] {
    get throws {
      try errors.split(separator: "\n").map { line in
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
        guard let members = object as? [String: any Sendable] else { throw FixtureError("a line is no object") }
        return members
      }
    }
  }
}
