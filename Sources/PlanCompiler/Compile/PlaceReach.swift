package import JSONReading
import Values

/// What the record at a place, and all records nested in it, read from the body: of the record itself, and of what is
/// around it.
struct PlaceReach {
  /// Key paths relative to the record; nil when it is read as a whole.
  private(set) var reads: [KeyPath]? = []
  private(set) var captures: [CapturePlan] = []
  private var seen: Set<[Int]> = []
  private var captured: Set<Captured> = []
  private let rows: [RowPlan]
  private let choices: [ChoicePlan]
  private let highestParent: Int
  private let lookers: Set<Int>

  /// What tells captures apart.
  private struct Captured: Hashable {
    let path: KeyPath
    let depth: Int?
  }

  /// `highestParent`: the longest chain of `$parent` in any of the rows. `choice`: the one that says which of the rows
  /// the record is. `lookers`: the rows that need be visited, so that a long chain is not walked for each of its places.
  init(
    of starts: [Int], choice: Int?, in rows: [RowPlan], choices: [ChoicePlan], highestParent: Int, lookers: Set<Int>,
    roots: [Readers]
  ) {
    self.rows = rows
    self.choices = choices
    self.highestParent = highestParent
    self.lookers = lookers
    for path in choices.conditionPaths(of: choice) {
      add(read: path)
      add(context: path, depth: 0)
    }
    for row in starts {
      if rows[row].readsWhole { reads = nil }
      for access in rows[row].reads { add(read: access.path) }
      visit(row, depth: 0)
    }
    for reader in roots where starts.contains(where: reader.rows.contains) { add(context: reader.path, depth: 0) }
  }

  /// A path that is the same for every record of a body, and the rows that read it or reach one that does.
  struct Readers {
    let path: KeyPath
    let rows: Set<Int>
  }

  /// Of each path that `paths` gives of some row, in the order of rows.
  static func readers(in rows: [RowPlan], of paths: (Int) -> [KeyPath]) -> [Readers] {
    var users: [KeyPath: Set<Int>] = [:]
    var order: [KeyPath] = []
    for row in rows.indices {
      for path in paths(row) where users[path, default: []].insert(row).inserted && users[path]?.count == 1 {
        order.append(path)
      }
    }
    return order.map { Readers(path: $0, rows: self.rows(reaching: users[$0] ?? [], in: rows)) }
  }

  /// Of `$root` paths.
  static func rootReaders(in rows: [RowPlan], choices: [ChoicePlan]) -> [Readers] {
    readers(in: rows) { row in contextPaths(of: rows[row], choices: choices).filter { $0.origin == .root } }
  }

  /// What a record reads that may lie outside of its own value.
  private static func contextPaths(of row: RowPlan, choices: [ChoicePlan]) -> [KeyPath] {
    let relationships = row.relationships
    return row.contexts + relationships.map(\.access.path)
      + relationships.compactMap(\.complete).flatMap(\.accesses).map(\.path)
      + relationships.flatMap { choices.conditionPaths(of: $0.choice) }
  }

  /// The rows that read something else than their own value, or reach one that does.
  static func lookers(in rows: [RowPlan], choices: [ChoicePlan]) -> Set<Int> {
    let looking = rows.indices.filter { row in
      contextPaths(of: rows[row], choices: choices).contains { $0.origin != .value }
    }
    return self.rows(reaching: Set(looking), in: rows)
  }

  /// The rows from which one of these is reached, itself included.
  static func rows(reaching ends: Set<Int>, in rows: [RowPlan]) -> Set<Int> {
    var parents: [Int: [Int]] = [:]
    for row in rows.indices {
      for child in rows[row].relationships.flatMap(\.branches).map(\.child) { parents[child, default: []].append(row) }
    }
    var (found, open) = (ends, Array(ends))
    // Ends: each row is found once.
    while let row = open.popLast() {
      for parent in parents[row] ?? [] where found.insert(parent).inserted { open.append(parent) }
    }
    return found
  }

  /// The row plans that a place reaches, itself included; below it only `lookers`, where they are given.
  static func rows(from starts: [Int], in rows: [RowPlan], lookers: Set<Int>? = nil) -> [Int] {
    var found = starts
    var met = Set(starts)
    var next = 0
    while next < found.count {
      for child in rows[found[next]].relationships.flatMap(\.branches).map(\.child)
      where (lookers?.contains(child) ?? true) && met.insert(child).inserted {
        found.append(child)
      }
      next += 1
    }
    return found
  }

  private mutating func add(read path: KeyPath) {
    guard path.origin == .value else { return }
    if path.steps.isEmpty { reads = nil } else { reads?.append(path) }
  }

  /// Beyond the highest `$parent` chain nothing looks around: what is read from the root is known of all rows.
  private mutating func visit(_ row: Int, depth: Int) {
    guard seen.insert([row, depth]).inserted else { return }
    for path in rows[row].contexts { add(context: path, depth: depth) }
    for relationship in rows[row].relationships {
      add(context: relationship.access.path, depth: depth)
      for access in relationship.complete?.accesses ?? [] { add(context: access.path, depth: depth) }
      for path in choices.conditionPaths(of: relationship.choice) { add(context: path, depth: depth + 1) }
    }
    for relationship in rows[row].relationships {
      for child in relationship.branches.map(\.child) {
        if lookers.contains(child), depth < highestParent { visit(child, depth: depth + 1) }
        guard depth == 0, relationship.isSameObject else { continue }
        if relationship.choice != nil || rows[child].readsWhole { reads = nil }
        for access in rows[child].reads { add(read: access.path) }
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
    if captured.insert(Captured(path: capture.path, depth: capture.depth)).inserted { captures.append(capture) }
  }
}

extension RowPlan {
  /// All key paths that the record reads of its own value.
  var reads: [PathAccess] {
    var accesses: [PathAccess] = relationships.filter { !$0.isSameObject }.map(\.access)
    for field in fields {
      if case .paths(let paths) = field.source { accesses += paths }
    }
    accesses += [filter, tombstone].compactMap { $0 }.flatMap(\.accesses)
    accesses += relationships.compactMap(\.complete).flatMap(\.accesses)
    return accesses.filter { $0.path.origin == .value }
  }

  /// A program, or a look at members that nothing maps, reads the record as a whole.
  var readsWhole: Bool {
    unmapped != .ignore || fields.contains { if case .program = $0.source { true } else { false } }
  }
}

extension [ChoicePlan] {
  /// What the conditions of a choice read, and of those that it leads to.
  package func conditionPaths(of choice: Int?) -> [KeyPath] {
    var met: Set<Int> = []
    var (open, paths) = ([choice].compactMap { $0 }, [KeyPath]())
    // Ends: each choice is looked at once.
    while let choice = open.popLast() {
      guard met.insert(choice).inserted else { continue }
      for entry in self[choice].cases {
        paths += entry.condition?.paths ?? []
        if case .choice(let other) = entry.outcome { open.append(other) }
      }
    }
    return paths
  }
}

extension KeyPath {
  var parentLevels: Int {
    if case .parent(let levels) = origin { levels } else { 0 }
  }
}
