import Foundation

/// The folder of corpora: `INGEST_CORPORA`, else `../shared/corpora` beside the package.
enum Corpus {
  static let folder: URL? = {
    let url: URL
    if let path = ProcessInfo.processInfo.environment["INGEST_CORPORA"] {
      url = URL(fileURLWithPath: path)
    } else {
      var root = URL(fileURLWithPath: #filePath)
      while root.path != "/", !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path) {
        root.deleteLastPathComponent()
      }
      url = root.deletingLastPathComponent().appending(path: "shared/corpora")
    }
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }()

  /// The files of JSONTestSuite whose names begin so, sorted.
  static func json(_ prefix: String) throws -> [(name: String, bytes: [UInt8])] {
    guard let folder = folder?.appending(path: "json") else { return [] }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.filter { $0.hasPrefix(prefix) }.sorted().map {
      ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0))))
    }
  }
}
