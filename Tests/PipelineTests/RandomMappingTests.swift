import Pipeline
import TestSupport
import Testing

/// What holds for every mapping and every body. A trial that fails names its seed: `INGEST_SEED=…` runs it alone.
struct RandomMappingTests {
  private struct Trial {
    var mapping: RandomMapping
    var elements: [(place: Int, elements: [RandomJSON])]
    let seed: UInt64

    init(seed: UInt64, isValid: Bool = false) {
      self.seed = seed
      mapping = RandomMapping(seed: seed, isValid: isValid)
      elements = mapping.elements()
    }

    /// A fresh database into which bodies were loaded, one command for all.
    func load(_ bodies: [String], ending: String = "json") throws -> (bench: Bench, run: Bench.Run) {
      let bench = try Bench(mapping.yaml)
      return (bench, try bench.load(bodies, ending: ending))
    }

    /// What a failure says.
    var comment: Comment { "INGEST_SEED=\(seed)\n\(mapping.yaml)\(RandomMapping.body(elements))" }

    func check(_ bench: Bench, _ run: Bench.Run) throws {
      #expect(run.failure == nil, comment)
      #expect(run.summary.records.allSatisfy { $0.isBalanced }, comment)
      #expect(try bench.faults().isEmpty, comment)
      let kept = try bench.rows(
        "SELECT count(*) FROM _ingest_rejects WHERE run_id = (SELECT max(run_id) FROM _ingest_runs)")
      #expect(kept == [String(run.summary.rejected)], comment)
    }

  }

  @Test(arguments: Seed.trials(16))
  func `reading the same body again changes nothing, and says so`(_ seed: UInt64) throws {
    let trial = Trial(seed: seed)
    let body = RandomMapping.body(trial.elements)
    let (bench, first) = try trial.load([body])
    try trial.check(bench, first)
    let contents = try bench.contents()
    let second = try bench.load(body)
    try trial.check(bench, second)
    #expect(try bench.contents() == contents, trial.comment)
    for (before, after) in zip(first.summary.records, second.summary.records) {
      #expect(after.received == before.received && after.rejected == before.rejected, trial.comment)
      #expect(after.unchanged == after.received - after.rejected, trial.comment)
    }
  }

  @Test(arguments: Seed.trials(8))
  func `the order of members within records does not matter`(_ seed: UInt64) throws {
    var trial = Trial(seed: seed)
    let (bench, first) = try trial.load([RandomMapping.body(trial.elements)])
    try trial.check(bench, first)
    for _ in 0..<2 {
      let (other, run) = try trial.load([RandomMapping.body(trial.mapping.shuffled(trial.elements))])
      try trial.check(other, run)
      #expect(try other.contents() == bench.contents(), trial.comment)
      #expect(run.counts == first.counts, trial.comment)
    }
  }

  @Test(arguments: Seed.trials(8))
  func `a body's records over several bodies, or lines, give the same tables`(_ seed: UInt64) throws {
    // Without rejected elements, which keep what is stored before their body.
    let trial = Trial(seed: seed, isValid: true)
    let (bench, whole) = try trial.load([RandomMapping.body(trial.elements)])
    try trial.check(bench, whole)
    let parts = RandomMapping.bodies(trial.elements)
    let (split, run) = try trial.load(parts)
    try trial.check(split, run)
    #expect(try split.contents() == bench.contents(), trial.comment)
    let (lined, lines) = try trial.load([parts.joined(separator: "\n")], ending: "ndjson")
    try trial.check(lined, lines)
    #expect(try lined.contents() == bench.contents(), trial.comment)
    #expect(lines.counts == run.counts, trial.comment)
    #expect(run.summary.records.map(\.received) == whole.summary.records.map(\.received), trial.comment)
    #expect(whole.summary.rejected == 0, trial.comment)
  }
}
