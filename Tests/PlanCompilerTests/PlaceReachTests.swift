import JSONReading
import PlanCompiler
import Testing

/// What a place reads of its record and of what is around it.
struct PlaceReachTests {
  private func place(_ records: String, at path: String = "items") throws -> PlacePlan {
    let plan = try Compiling.plan(
      records: records, endpoints: "e: {path: \"/:owner\", fetch: false, records: {\"\(path)\": Item}}")
    return plan.endpoints[0].places[0]
  }

  /// `path depth levels members rest`, for each capture.
  private func captures(_ place: PlacePlan) -> [String] {
    place.captures.map { capture in
      let depth = capture.depth.map(String.init) ?? "any"
      let from = capture.levels.map { "up \($0)" } ?? "root"
      let members = capture.members.map(\.description).joined(separator: ".")
      let rest = capture.rest.map { " then \($0.steps.count)" } ?? ""
      return "\(capture.path) at \(depth): \(from), \(members)\(rest)"
    }.sorted()
  }

  private func reads(_ place: PlacePlan) -> [String]? {
    place.reads.map { paths in
      // Those that a nested record reads of it are written there from its `$parent`.
      paths.map { $0.text.replacing("$parent.", with: "") }.sorted()
    }
  }

  @Test func `a record that reads itself alone captures nothing`() throws {
    let place = try place(
      "Item: {key: id, fields: {id: , b: a.b, c: '$route.owner', d: {from: [x, 'y[0].z']}}, relationships: {r: Sub}}, "
        + "Sub: {fields: [n]}")
    #expect(captures(place).isEmpty)
    #expect(reads(place) == ["a.b", "id", "r", "x", "y[0].z"])
  }

  @Test(arguments: ["v: .", "v: {from: [a, .]}"])
  func `a record whose mapping reads its whole value is kept whole`(_ field: String) throws {
    #expect(try place("Item: {key: id, fields: {id: , \(field)}}").reads == nil)
  }

  @Test func `a child of the same object adds what it reads`() throws {
    let place = try place(
      "Item: {key: id, fields: [id], relationships: {spot: {record: Spot, from: .}}}, Spot: {fields: {x: at.x, up: "
        + "$parent.name}}")
    #expect(reads(place) == ["at.x", "id", "name"])
  }

  @Test func `values of the root are captured for every depth, once`() throws {
    let place = try place(
      "Item: {key: id, fields: {id: , t: $root.meta.total, l: '$root.list[0].x'}, relationships: {subs: [Sub]}}, "
        + "Sub: {fields: {t: $root.meta.total}}")
    #expect(
      captures(place) == ["$root.list[0].x at any: root, list then 2", "$root.meta.total at any: root, meta.total"])
  }

  @Test func `parents within the record are read there, those beyond it are captured`() throws {
    let place = try place(
      """
      Item: {key: id, fields: {id: , p: $parent.page, pp: $parent.$parent.page}, relationships: {subs: [Sub]}},
      Sub: {fields: {own: $parent.name, page: $parent.$parent.page}, relationships: {notes: [Note]}},
      Note: {fields: {sub: $parent.sub, item: $parent.$parent.other, page: $parent.$parent.$parent.page}}
      """)
    #expect(
      captures(place) == [
        "$parent.$parent.$parent.page at 2: up 1, page", "$parent.$parent.page at 0: up 2, page",
        "$parent.$parent.page at 1: up 1, page", "$parent.page at 0: up 1, page",
      ])
    #expect(reads(place) == ["id", "name", "other", "subs"], "what nested records read of it counts, of others not")
  }

  @Test func `a relationship may start from around the record`() throws {
    let place = try place(
      "Item: {key: id, fields: [id], relationships: {all: {record: [Tag], from: $root.tags}, near: {record: [Tag], "
        + "from: '$parent.near[*].tags'}}}, Tag: {fields: [name]}")
    #expect(captures(place) == ["$parent.near[*].tags at 0: up 1, near then 2", "$root.tags at any: root, tags"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `records that contain themselves end, at the depth of the longest chain`() throws {
    let place = try place(
      "Item: {key: id, fields: {id: , up: $parent.$parent.x}, relationships: {subs: {record: [Item], from: subs}}}")
    #expect(captures(place) == ["$parent.$parent.x at 0: up 2, x", "$parent.$parent.x at 1: up 1, x"])
    #expect(reads(place) == ["id", "subs", "x"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `many records that refer to each other end`() throws {
    let names = (0..<12).map { "R\($0)" }
    let records = names.map { name in
      let children = names.map { "\($0.lowercased()): \($0)" }.joined(separator: ", ")
      return "\(name): {key: id, fields: {id: , p: $parent.$parent.$parent.x}, relationships: {\(children)}}"
    }
    let place = try place(records.joined(separator: ", ") + ", Item: {key: id, fields: [id], relationships: {r0: R0}}")
    #expect(!place.captures.isEmpty)
  }
}

struct MemberTreeTests {
  private func names(_ path: String) -> [JSONName] { path.split(separator: ".").map { JSONName(String($0)) } }

  @Test func `paths share their beginnings, and each leads to a node of its own`() {
    let paths = ["a", "b.c", "b.d", "a.x.y", "b.c", "caf\u{e9}", "cafe\u{301}", "c"]
    let tree = MemberTree(paths.map(names))
    var nodes: [Int: String] = [:]
    for path in paths {
      let node = tree.node(for: names(path))
      #expect(nodes[node] == nil || Array(nodes[node, default: ""].utf8) == Array(path.utf8))
      nodes[node] = path
      let last = path.split(separator: ".").last ?? ""
      #expect(tree.names[tree.nodes[node].name].elementsEqual(last.utf8))
    }
    #expect(nodes.count == 7)
    #expect(tree.nodes.count == 10)
    #expect(tree.node(for: []) == 0)
    for (index, node) in tree.nodes.enumerated() {
      #expect(node.children.allSatisfy { tree.nodes[$0].parent == index }, "children of one node lie together")
    }
  }

  @Test func `without paths there is the value alone`() {
    #expect(MemberTree([]).nodes.count == 1)
    #expect(MemberTree([[]]).nodes.count == 1)
  }
}
