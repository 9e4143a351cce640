import Records
import Store
import Testing

/// Children without a key, and links.
struct ListsTests {
  let schema = Shapes.articles

  private func stored() throws -> (TemporaryDatabase, any Store) {
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    try store.write(schema) { builder in
      builder.row("articles", "a", nil, nil, nil)
      builder.list("article_badge", of: ["a"], [["a", "red", 1]])
      builder.list("article_keywords", of: ["a"], [["a", 0, "x", 1], ["a", 1, "y", 2], ["a", 3, "z", 3]])
      builder.list("article_keywords_notes", of: ["a", 1], [["a", 1, 0, "n0"], ["a", 1, 1, "n1"]])
      builder.list("article_keywords_notes", of: ["a", 3], [["a", 3, 0, "m0"]])
      for id in 1...4 { builder.row("tags", .integer(Int64(id)), nil) }
      builder.list("article_tags", of: ["a"], [["a", 1, 0], ["a", 2, 1], ["a", 3, 2]])
    }
    return (database, store)
  }

  @Test func `a single child keeps what is missing, and goes when it is null`() throws {
    let (database, store) = try stored()
    func put(_ rows: [[Value]], shields: Set<Int> = []) throws -> String? {
      try store.write(schema) { $0.list("article_badge", of: ["a"], rows, shields: shields) }["Badge"]
    }
    #expect(try put([["a", "red", 1]]) == "+0 ~0 =1")
    #expect(try put([["a", .missing, .ifNew(2)]]) == "+0 ~0 =1")
    #expect(try put([["a", "blue", .missing]]) == "+0 ~1 =0")
    #expect(try put([["a", nil, nil]], shields: [0]) == nil)
    #expect(try database.rows("SELECT * FROM article_badge") == ["'a','blue',1"])
    #expect(try put([]) == nil)
    #expect(try database.rows("SELECT * FROM article_badge") == [])
    #expect(try put([["a", .missing, .ifNew(2)]]) == "+1 ~0 =0")
    #expect(try database.rows("SELECT * FROM article_badge") == ["'a',NULL,2"])
  }

  @Test func `numbered children are matched by position, and written whole`() throws {
    let (database, store) = try stored()
    let outcome = try store.write(schema) { builder in
      builder.list(
        "article_keywords", of: ["a"],
        [["a", 1, "y", 2], ["a", 2, "new", nil], ["a", 3, .missing, .ifNew(9)], ["a", 4, "end", nil]])
    }
    #expect(outcome["Keyword"] == "+2 ~1 =1")
    #expect(
      try database.rows("SELECT position, word, rank FROM article_keywords ORDER BY 1") == [
        "1,'y',2", "2,'new',NULL", "3,NULL,9", "4,'end',NULL",
      ])
    // The surplus takes its own children with it, survivors keep theirs.
    #expect(try database.rows("SELECT text FROM article_keywords_notes ORDER BY 1") == ["'m0'", "'n0'", "'n1'"])
    try store.write(schema) { $0.list("article_keywords", of: ["a"], [["a", 1, "y", 2]]) }
    #expect(try database.rows("SELECT text FROM article_keywords_notes ORDER BY 1") == ["'n0'", "'n1'"])
  }

  @Test func `what is rejected protects what is stored at its position`() throws {
    let (database, store) = try stored()
    try store.write(schema) { builder in
      builder.list(
        "article_keywords", of: ["a"], [["a", 0, "x", 1], ["a", 1, nil, nil], ["a", 2, nil, nil]], shields: [1, 2])
    }
    #expect(try database.rows("SELECT position, word FROM article_keywords ORDER BY 1") == ["0,'x'", "1,'y'"])
    #expect(try database.rows("SELECT text FROM article_keywords_notes ORDER BY 1") == ["'n0'", "'n1'"])
  }

  /// Lists of tags with their positions, and the links that they leave.
  static let links: [(rows: [(tag: Value, position: Value)], shields: Set<Int>, links: [String])] = [
    ([(1, 0), (2, 1), (3, 2)], [], ["1,0", "2,1", "3,2"]), ([(3, 0), (1, 1)], [], ["3,0", "1,1"]),
    ([], [], []), ([(4, 0), (4, 1), (1, 2), (4, 3)], [], ["4,0", "1,2"]),
    ([(1.0, 0), (2, 1), (3, 2)], [], ["1,0", "2,1", "3,2"]),
    ([(4, 0), (2, 1)], [1], ["4,0", "2,1"]), ([(2, 0), (4, 1)], [0, 1], ["2,1"]),
    ([(1, 0), (nil, 1)], [1], ["1,0", "2,1"]),
    ([(3, 0), (nil, 2)], [1], ["3,0"]), ([(2, 0), (2, 4)], [0], ["2,4"]),
    ([(1, 0), (2, 1), (3, 3)], [], ["1,0", "2,1", "3,3"]),
    ([(1, 0), (2, 1)], [], ["1,0", "2,1"]), ([(1, 0), (2, 1), (3, 2), (4, 3)], [], ["1,0", "2,1", "3,2", "4,3"]),
  ]

  @Test(arguments: links, [false, true])
  func `links are those of the list, at their first position`(
    _ example: (rows: [(tag: Value, position: Value)], shields: Set<Int>, links: [String]), _ twice: Bool
  ) throws {
    let (database, store) = try stored()
    let numbers = "SELECT tag_id, position, rowid FROM article_tags ORDER BY 2"
    let before = try database.rows(numbers)
    let outcome = try store.write(schema) { builder in
      if twice { builder.list("article_tags", of: ["a"], [["a", 4, 0], ["a", 2, 1]]) }
      builder.list(
        "article_tags", of: ["a"], example.rows.map { ["a", $0.tag, $0.position] }, shields: example.shields)
    }
    #expect(outcome == [:])
    if twice && !example.shields.isEmpty { return }
    #expect(try database.rows("SELECT tag_id, position FROM article_tags ORDER BY 2") == example.links)
    // Who stays keeps its row.
    let after = try database.rows(numbers)
    let survivors = { (rows: [String]) in
      Set(rows.map { $0.split(separator: ",") }.filter { ["1", "2", "3"].contains($0[0]) }.map { [$0[0], $0[2]] })
    }
    #expect(survivors(after).isSubset(of: survivors(before)))
    #expect(try database.faults() == [])
  }

  @Test func `a list that comes twice in a body counts its rows against what was stored before`() throws {
    let (database, store) = try stored()
    let outcome = try store.write(schema) { builder in
      builder.list("article_keywords", of: ["a"], [["a", 0, "changed", 1], ["a", 5, "gone", nil]])
      builder.list(
        "article_keywords", of: ["a"],
        [["a", 0, "x", 1], ["a", 1, "other", 2], ["a", 3, "z", 3], ["a", 4, "new", 1]])
      builder.list("article_badge", of: ["a"], [])
      builder.list("article_badge", of: ["a"], [["a", "red", 1]])
    }
    // 0 and 3 end as they were, 1 does not, 4 is new; 5 has come and gone.
    #expect(outcome["Keyword"] == "+1 ~1 =4")
    #expect(outcome["Badge"] == "+0 ~0 =1")
    #expect(
      try database.rows("SELECT position, word FROM article_keywords ORDER BY 1") == [
        "0,'x'", "1,'other'", "3,'z'", "4,'new'",
      ])
    #expect(try database.rows("SELECT text FROM article_keywords_notes ORDER BY 1") == ["'m0'", "'n0'", "'n1'"])
  }

  @Test func `bodies of one transaction take effect one after the other`() throws {
    let (database, store) = try stored()
    try store.write(schema) { builder in
      builder.list("article_keywords", of: ["a"], [["a", 0, "x", 1], ["a", 1, "y", 2]])
      builder.list("article_keywords_notes", of: ["a", 1], [["a", 1, 0, "first"]])
      builder.body()
      builder.list("article_keywords", of: ["a"], [["a", 0, "x", 1]])
    }
    #expect(try database.rows("SELECT * FROM article_keywords_notes") == [])
    #expect(try database.faults() == [])
  }

  @Test func `rows go with the one that they belong to`() throws {
    let (database, _) = try stored()
    try database.run("PRAGMA foreign_keys = ON; DELETE FROM articles")
    for table in ["article_badge", "article_keywords", "article_keywords_notes", "article_tags"] {
      #expect(try database.rows("SELECT * FROM \(table)") == [])
    }
    #expect(try database.rows("SELECT count(*) FROM tags") == ["4"])
  }
}
