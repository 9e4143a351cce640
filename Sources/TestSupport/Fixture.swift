package import Foundation

/// A file beside a suite, in its folder `Fixtures`; what a test made of it is compared with a golden file there.
package struct Fixture: Sendable, CustomStringConvertible {
  package let url: URL

  /// The file's name without its extension.
  package var name: String { url.deletingPathExtension().lastPathComponent }
  package var fileName: String { url.lastPathComponent }
  package var description: String { fileName }

  package init(_ url: URL) { self.url = url }

  /// A fixture by its path below `Fixtures`; the file need not be there.
  package init(_ path: String, beside suite: String = #filePath) {
    url = Self.folder(beside: suite).appendingPathComponent(path)
  }

  /// All files of a folder below `Fixtures` that are no golden files, by name.
  ///
  /// - Throws: `FixtureError` when there is none: a test without arguments would be skipped and look green.
  package static func all(in folder: String, golden: [String] = [], beside suite: String = #filePath) throws
    -> [Fixture]
  {
    let url = Self.folder(beside: suite).appendingPathComponent(folder)
    let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
      .filter { !golden.contains($0.pathExtension) && !$0.lastPathComponent.hasPrefix(".") }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    if files.isEmpty { throw FixtureError("no fixture lies in \(folder)") }
    return files.map(Fixture.init)
  }

  package var bytes: [UInt8] { get throws { Array(try Data(contentsOf: url)) } }
  package var text: String { get throws { String(decoding: try bytes, as: UTF8.self) } }

  /// Compares a text with the golden file beside the fixture: its name with another extension.
  package func expectGolden(_ actual: String, suffix: String) throws {
    try Golden.expect(actual, at: url.deletingPathExtension().appendingPathExtension(suffix))
  }

  private static func folder(beside suite: String) -> URL {
    URL(fileURLWithPath: suite).deletingLastPathComponent().appendingPathComponent("Fixtures")
  }
}

/// A fixture is missing, or what was made of it is not what its golden file says.
package struct FixtureError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
