/// References of a description that lead nowhere, each once.
final class ReferenceFaults {
  enum Kind: Hashable {
    /// Within the file, to nothing.
    case missing
    /// Out of the file: by a URL, or to another file.
    case elsewhere
    /// Back to itself, and nothing is said on the way.
    case circle
    /// What it leads to is a reference with a fault.
    case further(String)
  }

  struct Fault: Hashable {
    var line: Int
    var reference: String
    var kind: Kind

    /// In words, for people.
    var reason: String {
      let shown = LikelySecret.maskedUserInfo(reference)
      switch kind {
      case .missing: return "the file has nothing at its reference '\(shown)'"
      case .circle: return "its reference '\(shown)' leads in a circle"
      case .further(let why): return "behind its reference '\(shown)': \(why)"
      case .elsewhere:
        let isURL = ["http://", "https://", "//"].contains { shown.lowercased().hasPrefix($0) }
        return isURL
          ? "its reference '\(shown)' is not followed: it leads to a server, and nothing is fetched"
          : "its reference '\(shown)' is not followed: it leads to another file, and one is read (bundle them first)"
      }
    }
  }

  private var faults: [Fault] = []
  private var met: Set<Fault> = []
  private var told: Set<Fault> = []

  /// How many there are, to ask for what comes after.
  var count: Int { faults.count }

  func add(_ fault: Fault) {
    if met.insert(fault).inserted { faults.append(fault) }
  }

  /// Why the node's own reference is not followed; nil when it is, or there is none. It counts as told.
  func reason(of node: DocNode) -> String? {
    guard let reference = node["$ref"]?.text,
      let fault = faults.last(where: { $0.line == node.line && $0.reference == reference })
    else { return nil }
    told.insert(fault)
    return fault.reason
  }

  /// The reason of the last one beyond the first `count`; nil when there is none. It counts as told.
  func latest(since count: Int) -> String? {
    guard faults.count > count, let fault = faults.last else { return nil }
    told.insert(fault)
    return fault.reason
  }

  /// Those that nothing was said of, in the order of lines.
  var untold: [Fault] {
    // What lies behind a reference is told with it.
    faults.filter { !told.contains($0) }.sorted { $0.line < $1.line }
  }
}
