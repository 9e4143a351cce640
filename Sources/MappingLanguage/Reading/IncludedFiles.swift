import Diagnostics
import MarkedYAML

/// A mapping's file and all that it includes, read as YAML: included files first, in order, each once.
struct IncludedFiles {
  /// Chains of inclusion longer than this are refused.
  private static let deepest = 64

  struct Part {
    let file: SourceFile
    /// Nil for an empty file.
    let root: YAMLNode?
    let isMain: Bool
  }

  typealias Loader = (String) throws(IncludeFailure) -> [UInt8]

  private(set) var parts: [Part] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The main file's YAML could be read.
  private(set) var isReadable = true
  /// In the order in which they were opened: the main file first.
  private(set) var files: [SourceFile] = []
  private var seen: Set<NameKey> = []
  /// The files that are being read: one that is named again includes itself.
  private var open: [String] = []
  private let loader: Loader

  init(_ main: SourceFile, loader: @escaping Loader) {
    self.loader = loader
    read(main, isMain: true)
  }

  private mutating func read(_ file: SourceFile, isMain: Bool) {
    let path = FilePath.resolve(file.name, from: "")
    seen.insert(NameKey(path))
    open.append(path)
    files.append(file)
    let (root, findings) = YAMLReader.read(file)
    diagnostics += findings
    if isMain, root == nil, findings.containsErrors { isReadable = false }
    if let include = MapView(root, as: .mapping)?.node("include") {
      for node in include.items {
        if let name = node.plainText { self.include(name, from: path) }
      }
    }
    open.removeLast()
    parts.append(Part(file: file, root: root, isMain: isMain))
  }

  private mutating func include(_ name: Located<String>, from includer: String) {
    let path = FilePath.resolve(name.value, from: includer)
    if open.contains(where: { $0.isSame(as: path) }) {
      return report(
        "the files of 'include' include one another: \((open + [path]).joined(separator: " includes "))", at: name.span)
    }
    if seen.contains(NameKey(path)) { return }
    if open.count >= Self.deepest {
      return report("more than \(Self.deepest) files include one another", at: name.span)
    }
    do throws(IncludeFailure) {
      read(SourceFile(name: path, bytes: try loader(path)), isMain: false)
    } catch {
      report("cannot read the included file '\(path)': \(error.reason)", at: name.span)
    }
  }

  private mutating func report(_ message: String, at span: SourceSpan) {
    diagnostics.append(Diagnostic(.badInclude, message, at: span))
  }
}
