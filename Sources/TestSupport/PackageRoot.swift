package import Foundation

/// Where the package lies, however the tests were started.
package enum PackageRoot {
  /// The folder of Package.swift, found upwards of this file.
  package static let folder: URL = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path) {
      precondition(folder.path != "/", "the sources lie in a package")
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  /// A folder of the test corpora, or nil when they are not there: then the suite is skipped, visibly.
  ///
  /// They are in `INGEST_CORPORA` when that is set, else in `../shared/corpora` beside the package.
  package static func corpora(_ name: String) -> URL? {
    let named = ProcessInfo.processInfo.environment["INGEST_CORPORA"].map { URL(fileURLWithPath: $0) }
    let corpora = named ?? folder.deletingLastPathComponent().appendingPathComponent("shared/corpora")
    let corpus = corpora.appendingPathComponent(name)
    return FileManager.default.fileExists(atPath: corpus.path) ? corpus : nil
  }
}
