import Foundation

/// The corpora, which lie beside the repository or where `INGEST_CORPORA` says.
enum Corpora {
  /// Nil when they are not there.
  static func place(_ name: String) -> URL? {
    var root = URL(filePath: #filePath)
    while root.path != "/", !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path) {
      root.deleteLastPathComponent()
    }
    let corpora = ProcessInfo.processInfo.environment["INGEST_CORPORA"].map { URL(filePath: $0) }
    let place = (corpora ?? root.appending(path: "../shared/corpora")).appending(path: name)
    return FileManager.default.fileExists(atPath: place.path) ? place : nil
  }
}
