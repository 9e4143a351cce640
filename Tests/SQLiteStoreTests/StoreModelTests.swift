import Records
import SQLiteStore
import Store
import Testing

/// Random bodies against the model.
struct StoreModelTests {
  private func stored(_ database: TemporaryDatabase, _ schema: StoreSchema) throws -> [String: [String]] {
    var tables: [String: [String]] = [:]
    for table in schema.tables {
      tables[table.shape.name] = try database.rows("SELECT * FROM \(table.shape.name)").sorted()
    }
    return tables
  }

  private func expected(_ model: StoreModel, _ schema: StoreSchema) -> [String: [String]] {
    var tables: [String: [String]] = [:]
    for table in schema.tables { tables[table.shape.name] = [] }
    for (key, values) in model.rows {
      tables[key.table, default: []].append((key.values + values).map(\.literal).joined(separator: ","))
    }
    return tables.mapValues { $0.sorted() }
  }

  /// Outcomes by record, as `Store.write` of the tests gives them.
  private func outcomes(_ counts: [[String: StoreModel.Counts]], _ schema: StoreSchema) -> [String: String] {
    var texts: [String: String] = [:]
    for table in schema.tables {
      guard let record = table.record else { continue }
      let all = counts.compactMap { $0[table.shape.name] }
      guard !all.isEmpty else { continue }
      let (inserted, updated) = (all.reduce(0) { $0 + $1.inserted }, all.reduce(0) { $0 + $1.updated })
      texts[record] = "+\(inserted) ~\(updated) =\(all.reduce(0) { $0 + $1.unchanged })"
    }
    return texts
  }

  /// Several bodies; some of them go on in another batch.
  private func batches(
    _ bodies: [[[StoreModel.Statement]]], _ random: inout RandomBodies, _ schema: StoreSchema
  ) -> [BatchBuilder] {
    var batches = [BatchBuilder(schema)]
    for (number, body) in bodies.enumerated() {
      if number > 0 { batches[batches.count - 1].body() }
      for article in body {
        if random.chance(of: 3) { batches.append(BatchBuilder(schema)) }
        batches[batches.count - 1].fill(with: article)
      }
    }
    return batches
  }

  @Test(arguments: 1...24) func `random bodies do what the model says, and read again nothing`(_ seed: Int) throws {
    try check(Shapes.articles, RandomBodies(seed: UInt64(seed)), "seed \(seed)")
  }

  /// The same, with rows that go in together when they are new; with and without foreign keys besides the parents'.
  @Test(arguments: 1...24) func `rows that go in together do what the model says`(_ seed: Int) throws {
    let random = RandomBodies(seed: UInt64(seed), areSparse: seed % 4 != 0)
    try check(Shapes.articles(references: seed % 2 == 0), random, "seed \(seed)", fewestNewRows: seed % 5 + 1)
  }

  private func check(
    _ schema: StoreSchema, _ bodies: RandomBodies, _ seed: String, fewestNewRows: Int? = nil
  ) throws {
    var random = bodies
    let database = try TemporaryDatabase()
    let store = try database.store(schema, fewestNewRows: fewestNewRows)
    var model = StoreModel()
    for _ in 1...25 {
      let bodies = (0..<random.number(below: 4)).map { _ in
        (0..<random.number(below: 6)).map { _ in
          random.article().filter { statement in schema.tables.contains { $0.shape.name == statement.table } }
        }
      }
      var counts: [[String: StoreModel.Counts]] = []
      for body in bodies { counts.append(model.apply(body.flatMap { $0 })) }
      let outcome = try store.writeBatches(schema, batches(bodies, &random, schema))
      #expect(outcome == outcomes(counts, schema), "\(seed)")
      try #require(try stored(database, schema) == expected(model, schema), "\(seed)")
      let again = try store.writeBatches(schema, batches(bodies.suffix(1), &random, schema))
      #expect(again.values.allSatisfy { $0.hasPrefix("+0 ~0 =") }, "\(seed)")
      try #require(try stored(database, schema) == expected(model, schema), "\(seed)")
    }
    #expect(try database.faults() == [])
  }
}
