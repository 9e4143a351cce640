import JSONReading

/// What the record at a place, and all records nested in it, read from the body: of the record itself, and of what is
/// around it.
struct PlaceReach {
  /// Key paths relative to the record; nil when it is read as a whole.
  private(set) var reads: [KeyPath]? = []
  private(set) var captures: [CapturePlan] = []
  private var seen: Set<[Int]> = []
  private let rows: [RowPlan]

  init(of row: Int, in rows: [RowPlan]) {
    self.rows = rows
    for access in rows[row].reads { add(read: access.path) }
    visit(row, depth: 0)
  }

  /// The row plans that a place reaches, itself included.
  static func rows(from start: Int, in rows: [RowPlan]) -> [Int] {
    var found = [start]
    var next = 0
    while next < found.count {
      for relationship in rows[found[next]].relationships where !found.contains(relationship.child) {
        found.append(relationship.child)
      }
      next += 1
    }
    return found
  }

  private mutating func add(read path: KeyPath) {
    guard path.origin == .value else { return }
    if path.steps.isEmpty { reads = nil } else { reads?.append(path) }
  }

  /// Depths beyond the highest `$parent` chain are alike, so that recursive records end.
  private mutating func visit(_ row: Int, depth: Int) {
    guard seen.insert([row, depth]).inserted else { return }
    for path in rows[row].contexts { add(context: path, depth: depth) }
    for relationship in rows[row].relationships { add(context: relationship.access.path, depth: depth) }
    let deepest = rows.flatMap(\.contexts).map(\.parentLevels).max() ?? 0
    for relationship in rows[row].relationships {
      visit(relationship.child, depth: min(depth + 1, deepest + 1))
      if depth == 0, relationship.isSameObject {
        for access in rows[relationship.child].reads { add(read: access.path) }
      }
    }
  }

  private mutating func add(context path: KeyPath, depth: Int) {
    let members = path.leadingMembers
    let rest = path.dropping(members.count)
    switch path.origin {
    case .root:
      add(CapturePlan(path: path, depth: nil, levels: nil, members: members, rest: rest))
    case .parent(let levels) where levels > depth:
      add(CapturePlan(path: path, depth: depth, levels: levels - depth, members: members, rest: rest))
    case .parent(let levels) where levels == depth:
      add(read: KeyPath(origin: .value, steps: path.steps, text: path.text))
    default:
      break
    }
  }

  private mutating func add(_ capture: CapturePlan) {
    if !captures.contains(where: { $0.path == capture.path && $0.depth == capture.depth }) { captures.append(capture) }
  }
}

extension RowPlan {
  /// All key paths that the record reads of its own value.
  var reads: [PathAccess] {
    var accesses: [PathAccess] = relationships.filter { !$0.isSameObject }.map(\.access)
    for field in fields {
      if case .paths(let paths) = field.source { accesses += paths }
    }
    return accesses.filter { $0.path.origin == .value }
  }
}

extension KeyPath {
  var parentLevels: Int {
    if case .parent(let levels) = origin { levels } else { 0 }
  }
}
