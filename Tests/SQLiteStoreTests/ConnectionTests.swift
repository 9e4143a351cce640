import Foundation
import SQLiteStore
import Store
import Testing

/// Files that cannot be used, and what every open one is set to.
struct ConnectionTests {
  private func failure(_ path: String) throws -> StoreError {
    try #require(throws: StoreError.self) { try SQLiteStore(path: path) }
  }

  @Test func `a missing folder is named`() throws {
    let database = try TemporaryDatabase()
    let folder = database.folder.appendingPathComponent("none").path
    let error = try failure(folder + "/x.db")
    #expect(error.code == .unusable)
    #expect(error.message.contains("there is no folder '\(folder)'; create it"))
  }

  @Test func `a folder is no database`() throws {
    let database = try TemporaryDatabase()
    let error = try failure(database.folder.path)
    #expect(error.code == .unusable)
    #expect(error.message == "'\(database.folder.path)' cannot be opened: it is a folder; name a file")
  }

  @Test func `a file that is no database is left alone`() throws {
    let database = try TemporaryDatabase()
    let text = Data(String(repeating: "not a database\n", count: 100).utf8)
    try text.write(to: URL(filePath: database.path))
    let error = try failure(database.path)
    #expect(error.code == .unusable)
    #expect(error.message.contains("is not an SQLite database"))
    #expect(try Data(contentsOf: URL(filePath: database.path)) == text)
  }

  @Test(arguments: ["", "a\0b"]) func `a name that is no file name is refused`(_ path: String) throws {
    #expect(try failure(path).code == .unusable)
  }

  @Test func `a name is never read as a URI`() throws {
    let database = try TemporaryDatabase()
    let name = database.folder.path + "/file:x.db?mode=memory"
    try SQLiteStore(path: name).prepare(Shapes.articles, allowingLoss: false)
    #expect(FileManager.default.fileExists(atPath: name))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
  func `a file that may not be written is refused`() throws {
    let database = try TemporaryDatabase()
    _ = try database.store(Shapes.articles)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: database.path)
    #expect(try failure(database.path).message.contains("read-only"))
  }

  @Test func `a database that another process holds is busy after a while`() throws {
    let database = try TemporaryDatabase()
    let store = try database.store(Shapes.articles)
    let other = try Connection(path: database.path)
    try other.run("BEGIN IMMEDIATE")
    let error = try #require(throws: StoreError.self) { try store.begin() }
    #expect(error.code == .busy)
    #expect(error.message.contains("'\(database.path)' is locked by another process"))
    try other.run("ROLLBACK")
    try store.begin()
  }

  @Test func `a full disk says so, and nothing of the transaction stays`() throws {
    let database = try TemporaryDatabase()
    let schema = Shapes.articles
    let connection = try Connection(path: database.path)
    let store = try database.store(schema, on: connection)
    try connection.run("PRAGMA max_page_count = 60")
    let error = try #require(throws: StoreError.self) {
      try store.write(schema) { builder in
        for id in 0..<1000 {
          builder.row("authors", .integer(Int64(id)), .text(String(repeating: "x", count: 1000)))
        }
      }
    }
    #expect(error.code == .diskFull)
    #expect(error.message.contains("the disk is full that holds '\(database.path)'"))
    #expect(try database.rows("SELECT count(*) FROM authors") == ["0"])
  }

  @Test(arguments: [true, false])
  func `a run whose last commit fails ends with the reason`(_ isWhole: Bool) throws {
    let database = try TemporaryDatabase()
    let store = SQLiteStore(try Connection(path: database.path))
    try store.prepare(Shapes.articles, allowingLoss: false)
    var entry = RunEntry(source: "demo", command: "run", mapping: "m")
    entry.isWhole = isWhole
    _ = try store.beginRun(entry)
    try FileManager.default.removeItem(atPath: database.path)
    let error = try #require(throws: StoreError.self) { try store.endRun(status: "done", message: nil) }
    #expect(error.message.contains("was moved away or deleted"))
    try store.close()
  }

  @Test(arguments: [true, false])
  func `a file that is moved away or replaced ends the run`(_ isReplaced: Bool) throws {
    let database = try TemporaryDatabase()
    let schema = Shapes.articles
    let store = try database.store(schema)
    _ = try store.write(schema) { $0.row("authors", .integer(1), .text("a")) }
    let moved = database.path + ".old"
    try FileManager.default.moveItem(atPath: database.path, toPath: moved)
    if isReplaced { try FileManager.default.copyItem(atPath: moved, toPath: database.path) }
    let error = try #require(throws: StoreError.self) {
      try store.write(schema) { $0.row("authors", .integer(2), .text("b")) }
    }
    #expect(error.code == .unusable)
    #expect(error.message.contains(isReplaced ? "was replaced by another file" : "was moved away or deleted"))
    let last = try #require(throws: StoreError.self) { try store.endRun(status: "done", message: nil) }
    #expect(last.message == error.message)
  }

  @Test func `a new file has large pages and a write-ahead log, and names in double quotes are names`() throws {
    let database = try TemporaryDatabase()
    let connection = try Connection(path: database.path)
    try connection.run("CREATE TABLE t (x)")
    #expect(try database.rows("SELECT * FROM pragma_page_size") == ["8192"])
    #expect(try database.rows("SELECT * FROM pragma_journal_mode") == ["'wal'"])
    #expect(try database.rows("SELECT * FROM pragma_foreign_keys") == ["1"])
    #expect(try database.rows("SELECT * FROM pragma_trusted_schema") == ["0"])
    #expect(throws: StoreError.self) { try connection.prepare(#"SELECT "misspelt" FROM t"#) }
    #expect(throws: StoreError.self) { try connection.run("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema") }
    #expect(throws: StoreError.self) { try connection.run("SELECT load_extension('x')") }
  }
}
