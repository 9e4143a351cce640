import Fetch
import Setup

/// The bodies that a command line names, looked at before anything is stored.
///
/// A folder means the bodies in it and below it: `.json`, `.ndjson` and `.jsonl`, also packed, in the order of their
/// names' bytes. Names that begin with a dot are passed over.
enum InputFiles {
  /// Levels of folders that are looked into.
  private static let depthLimit = 32
  private static let endings = [".json", ".ndjson", ".jsonl"]

  /// Nil when something is wrong: it has been said.
  static func expand(_ paths: [String], on console: Console) -> [String]? {
    var files: [String] = []
    var isFine = true
    for path in paths {
      if path == "-" {
        files.append(path)
      } else if FileText.isFolder(path) {
        var listing = Listing()
        listing.add(path, depth: 0)
        isFine = say(listing, of: path, on: console) && isFine
        files += listing.files
      } else if FileText.isReadableFile(path) {
        files.append(path)
      } else {
        console.error("the file '\(path)' is not there, or cannot be read")
        isFine = false
      }
    }
    return isFine ? files : nil
  }

  private static func say(_ listing: Listing, of folder: String, on console: Console) -> Bool {
    for failure in listing.failures { console.error(failure) }
    guard listing.failures.isEmpty else { return false }
    let wanted = "\(endings.joined(separator: ", ")), or these with .gz or .zst"
    if listing.files.isEmpty {
      console.error("the folder '\(folder)' has no body: no file in it or below it ends with \(wanted)")
      return false
    }
    if !listing.others.isEmpty {
      let count = listing.others.count
      let names = listing.others.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (count > 3 ? ", …" : "")
      let what = count == 1 ? "1 file is" : "\(count) files are"
      console.info("\(what) passed over in '\(folder)': \(names); bodies end with \(wanted)")
    }
    return true
  }

  private struct Listing {
    var files: [String] = []
    /// What is no body, by its name.
    var others: [String] = []
    var failures: [String] = []
    /// Folders that lead to the one at hand.
    private var above: [[UInt64]] = []

    mutating func add(_ folder: String, depth: Int) {
      guard let identity = FileText.identity(of: folder), !above.contains(identity) else {
        return failures.append("'\(folder)' is a link to a folder above it: what is in it would be read for ever")
      }
      above.append(identity)
      defer { above.removeLast() }
      guard depth < depthLimit else {
        return failures.append("'\(folder)' lies more than \(depthLimit) folders deep: is it a link to one above?")
      }
      guard let names = FileText.names(in: folder) else {
        return failures.append("the folder '\(folder)' cannot be read")
      }
      let base = folder.hasSuffix("/") ? folder : folder + "/"
      for name in names where !name.hasPrefix(".") {
        let path = base + name
        let unpacked = Packing.unpackedName(name).lowercased()
        if FileText.isFolder(path) {
          add(path, depth: depth + 1)
        } else if !endings.contains(where: { unpacked.hasSuffix($0) }) {
          others.append(path)
        } else if FileText.isSpecial(path) {
          failures.append("'\(path)' is no file: pipes and the like are read where they are named themselves")
        } else if FileText.isReadableFile(path) {
          files.append(path)
        } else {
          failures.append("the file '\(path)' cannot be read")
        }
      }
    }
  }
}
