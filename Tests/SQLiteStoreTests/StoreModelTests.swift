import Records
import SQLiteStore
import Store
import Testing

/// Random bodies against the model.
struct StoreModelTests {
  let schema = Shapes.articles

  private func stored(_ database: TemporaryDatabase) throws -> [String: [String]] {
    var tables: [String: [String]] = [:]
    for table in schema.tables {
      tables[table.shape.name] = try database.rows("SELECT * FROM \(table.shape.name)").sorted()
    }
    return tables
  }

  private func expected(_ model: StoreModel) -> [String: [String]] {
    var tables: [String: [String]] = [:]
    for table in schema.tables { tables[table.shape.name] = [] }
    for (key, values) in model.rows {
      tables[key.table, default: []].append((key.values + values).map(\.literal).joined(separator: ","))
    }
    return tables.mapValues { $0.sorted() }
  }

  /// Outcomes by record, as `Store.write` of the tests gives them.
  private func outcomes(_ counts: [[String: StoreModel.Counts]]) -> [String: String] {
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
  private func batches(_ bodies: [[[StoreModel.Statement]]], _ random: inout RandomBodies) -> [BatchBuilder] {
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
    var random = RandomBodies(seed: UInt64(seed))
    let database = try TemporaryDatabase()
    let store = try database.store(schema)
    var model = StoreModel()
    for _ in 1...25 {
      let bodies = (0..<random.number(below: 4)).map { _ in (0..<random.number(below: 6)).map { _ in random.article() }
      }
      var counts: [[String: StoreModel.Counts]] = []
      for body in bodies { counts.append(model.apply(body.flatMap { $0 })) }
      let outcome = try store.writeBatches(schema, batches(bodies, &random))
      #expect(outcome == outcomes(counts), "seed \(seed)")
      try #require(try stored(database) == expected(model), "seed \(seed)")
      let again = try store.writeBatches(schema, batches(bodies.suffix(1), &random))
      #expect(again.values.allSatisfy { $0.hasPrefix("+0 ~0 =") }, "seed \(seed)")
      try #require(try stored(database) == expected(model), "seed \(seed)")
    }
    #expect(try database.faults() == [])
  }
}
