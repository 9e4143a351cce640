import Diagnostics
import Ingest
import MappingLanguage

/// The mappings that a command line names: files, and folders with all below them.
enum MappingFiles {
  enum Entry {
    case file(String)
    case failure(String)
  }

  /// Levels of folders that are looked into.
  private static let depthLimit = 32

  /// Fragments in a folder that a mapping there includes are checked with it, not alone.
  static func expand(_ names: [String]) -> [Entry] {
    names.flatMap { name -> [Entry] in
      guard name != "-", FileText.isFolder(name) else { return [.file(name)] }
      let files = files(below: name, depth: 0)
      guard !files.isEmpty else { return [.failure("the folder '\(name)' has no .yaml or .yml file")] }
      let outlines = files.map { file -> (file: String, isFragment: Bool, includes: [String]) in
        guard case .bytes(let bytes) = FileText.read(file, limit: 8 << 20),
          let outline = MappingReader.outline(SourceFile(name: file, bytes: bytes))
        else { return (file, false, []) }
        return (file, outline.isFragment, outline.includes)
      }
      let included = Set(outlines.flatMap(\.includes))
      return outlines.filter { !($0.isFragment && included.contains($0.file)) }.map { .file($0.file) }
    }
  }

  private static func files(below folder: String, depth: Int) -> [String] {
    guard depth < depthLimit else { return [] }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return (FileText.names(in: folder) ?? []).flatMap { name -> [String] in
      if name.hasPrefix(".") { return [] }
      let path = base + name
      if FileText.isFolder(path) { return files(below: path, depth: depth + 1) }
      return name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? [path] : []
    }
  }

  /// Reads and compiles a mapping for looking at it; `-` is standard input.
  static func check(_ path: String) throws(LoadedMapping.Failure) -> LoadedMapping.Outcome {
    guard path == "-" else { return try LoadedMapping.read(path, for: .checking) }
    switch FileText.read(descriptor: 0, limit: 8 << 20) {
    case .failed(let reason): throw LoadedMapping.Failure(message: "standard input cannot be read: \(reason)")
    case .bytes(let bytes): return try LoadedMapping.read(SourceFile(name: "-", bytes: bytes), for: .checking)
    }
  }
}
