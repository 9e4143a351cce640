import Diagnostics
import Foundation
import MappingLanguage
import TestSupport

/// Mappings as tests read them.
enum Reading {
  /// A fixture, named by its path below `Fixtures`; what it includes lies beside it.
  static func of(_ fixture: Fixture) throws -> (mapping: Mapping?, diagnostics: [Diagnostic]) {
    let folder = fixture.url.deletingLastPathComponent()
    let name = "\(folder.lastPathComponent)/\(fixture.fileName)"
    let root = folder.deletingLastPathComponent()
    return MappingReader.read(SourceFile(name: name, bytes: try fixture.bytes)) { path throws(IncludeFailure) in
      guard let data = FileManager.default.contents(atPath: root.appendingPathComponent(path).path) else {
        throw IncludeFailure(reason: "no such file")
      }
      return Array(data)
    }
  }

  /// A text that includes what `files` holds.
  static func text(
    _ text: String, files: [String: String] = [:]
  ) -> (mapping: Mapping?, diagnostics: [Diagnostic]) {
    MappingReader.read(SourceFile(name: "mapping.yaml", text: text)) { path throws(IncludeFailure) in
      guard let file = files[path] else { throw IncludeFailure(reason: "no such file") }
      return Array(file.utf8)
    }
  }

  /// A mapping that has no finding, or the findings as an error.
  static func clean(_ text: String, files: [String: String] = [:]) throws -> Mapping {
    let (mapping, diagnostics) = Reading.text(text, files: files)
    guard let mapping, diagnostics.isEmpty else {
      throw FixtureError(DiagnosticPrinter.text(diagnostics, colour: false))
    }
    return mapping
  }
}
