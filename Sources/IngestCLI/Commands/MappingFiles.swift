import Diagnostics
import Setup
import MappingLanguage

/// The mappings that a command line names: files, and folders with all below them.
enum MappingFiles {
  enum Entry {
    case file(String)
    case failure(name: String, message: String)

    var name: String {
      switch self {
      case .file(let name), .failure(let name, _): name
      }
    }
  }

  /// Levels of folders that are looked into.
  private static let depthLimit = 32

  /// Each file once, in the order named. A fragment that another of the files includes is checked with it, not alone.
  static func expand(_ names: [String]) -> [Entry] {
    var met: Set<NameKey> = []
    let entries = names.flatMap { name -> [Entry] in
      guard name != "-", FileText.isFolder(name) else { return [.file(name)] }
      let files = files(below: name, depth: 0)
      if files.isEmpty {
        return [.failure(name: name, message: "the folder '\(name)' has no .yaml or .yml file")]
      }
      return files.map(Entry.file)
    }.filter { met.insert(NameKey(FilePath.resolve($0.name, from: ""))).inserted }
    return entries.count < 2 ? entries : withoutFragments(entries)
  }

  private static func withoutFragments(_ entries: [Entry]) -> [Entry] {
    var included: Set<NameKey> = []
    var fragments: Set<NameKey> = []
    // A pipe can be read once.
    for case .file(let name) in entries where name != "-" && !FileText.isSpecial(name) {
      guard case .bytes(let bytes) = FileText.read(name, limit: MappingReader.mostBytes),
        let outline = MappingReader.outline(SourceFile(name: name, bytes: bytes))
      else { continue }
      included.formUnion(outline.includes.map { NameKey($0) })
      if outline.isFragment { fragments.insert(NameKey(name)) }
    }
    return entries.filter { entry in
      !(fragments.contains(NameKey(entry.name)) && included.contains(NameKey(FilePath.resolve(entry.name, from: ""))))
    }
  }

  /// A link to a folder above holds nothing that is not found there.
  private static func files(below folder: String, depth: Int, above: [[UInt64]] = []) -> [String] {
    guard depth < depthLimit, let identity = FileText.identity(of: folder), !above.contains(identity) else { return [] }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    return (FileText.names(in: folder) ?? []).flatMap { name -> [String] in
      if name.hasPrefix(".") { return [] }
      let path = base + name
      if FileText.isFolder(path) { return files(below: path, depth: depth + 1, above: above + [identity]) }
      return name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? [path] : []
    }
  }

  /// Reads and compiles a mapping for looking at it; `-` is standard input.
  static func check(_ path: String) throws(LoadedMapping.Failure) -> LoadedMapping.Outcome {
    guard path == "-" else { return try LoadedMapping.read(path, for: .checking) }
    switch FileText.read(descriptor: 0, limit: MappingReader.mostBytes) {
    case .failed(let reason): throw LoadedMapping.Failure(message: "standard input cannot be read: \(reason)")
    case .bytes(let bytes): return try LoadedMapping.read(SourceFile(name: "-", bytes: bytes), for: .checking)
    }
  }
}
