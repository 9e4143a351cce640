import JSONReading
package import MappingLanguage
import PlanCompiler
import Records
import Store

/// Tests in another way than the ordinary one: the tables must come out the same.
extension TestRunner {
  /// Orders that are tried by `shuffle`.
  private static let orders: UInt64 = 4

  /// Of a test that holds. `number` tells tests apart, so that each has an order of its own.
  package func outcome(of test: TestDeclaration, number: Int, under mode: TestMode) -> ModeOutcome {
    if test.expectsError { return .passedOver("it expects an error") }
    do throws(StoreError) {
      switch mode {
      case .shuffle(let seed): return try shuffled(test, mode, seed: seed &+ UInt64(number))
      case .duplicatePages:
        return try compare(test, mode) { bodies in [bodies.flatMap { [$0, $0] }] }
      case .cut(let pages): return try cut(test, mode, after: pages)
      }
    } catch {
      return .failed(error.message)
    }
  }

  private func shuffled(_ test: TestDeclaration, _ mode: TestMode, seed: UInt64) throws(StoreError) -> ModeOutcome {
    let endpoint = test.endpoint.flatMap { name in plan.endpoints.first { $0.name.isSame(as: name.value) } }
    let endpoints = endpoint.map { [$0] } ?? plan.endpoints.filter { !$0.isNDJSON }
    var shuffler = BodyShuffler(seed: seed, limits: mapping.source.limits.json)
    return try compare(test, mode) { bodies in
      (0..<Self.orders).map { order in
        let members = shuffler.shuffleMembers(of: bodies) { BodyFormat(ofFile: $0, endpoints) }
        // The other way round is the order that shows most.
        return order == 0 ? members.reversed() : shuffler.shufflePages(members)
      }
    }
  }

  /// Hands the bodies in, then each of the variants.
  private func compare(
    _ test: TestDeclaration, _ mode: TestMode, _ variants: ([Loader.Body]) -> [[Loader.Body]]
  ) throws(StoreError) -> ModeOutcome {
    let bodies = sources(of: test)
    let plain = try perform(test, bodies, way: .load)
    if let failure = plain.failure { return .passedOver("its bodies cannot be handed in: \(failure.message)") }
    let images = try images(of: plain)
    for variant in variants(bodies) {
      let run = try perform(test, variant, way: .load)
      if let failure = run.failure { return .failed(failure.message) }
      let changes = try changes(
        from: images, in: run, OrderReasons(plan: plan, mode: mode, summary: plain.session.summary))
      if !changes.isEmpty { return .differs(changes) }
    }
    return .same
  }

  private func cut(_ test: TestDeclaration, _ mode: TestMode, after pages: Int) throws(StoreError) -> ModeOutcome {
    let bodies = sources(of: test)
    let plain = try perform(test, bodies, way: .walk)
    if let failure = plain.failure { return .passedOver("its bodies are no walk: \(failure.message)") }
    let cutter = WalkCutter(after: pages)
    let run = try perform(test, bodies, way: .cutWalk(cutter))
    if let failure = run.failure { return .failed(failure.message) }
    guard cutter.count > 0 else {
      return .passedOver("none of its walks has more than \(pages) \(pages == 1 ? "page" : "pages")")
    }
    let reasons = OrderReasons(plan: plan, mode: mode, summary: plain.session.summary)
    let changes = try changes(from: try images(of: plain), in: run, reasons)
    return changes.isEmpty ? .same : .differs(changes)
  }

  // MARK: tables

  private func images(of run: TestRun) throws(StoreError) -> [TableImage] {
    var images: [TableImage] = []
    for (index, shape) in plan.shapes.enumerated() {
      let rows =
        shape.role == .membership ? StoredRows(columns: [], rows: []) : try run.store.readRows(of: shape.name)
      images.append(TableImage(of: shape, in: rows, without: plan.volatileColumns(of: index)))
    }
    return images
  }

  private func changes(
    from plain: [TableImage], in run: TestRun, _ reasons: OrderReasons
  ) throws(StoreError) -> [TableChange] {
    var changes: [TableChange] = []
    for (index, image) in try images(of: run).enumerated() {
      let (without, with) = (plain[index].surplus(over: image), image.surplus(over: plain[index]))
      if without.isEmpty, with.isEmpty { continue }
      changes.append(
        TableChange(
          table: plan.shapes[index].name, without: without, with: with, reasons: reasons.reasons(forTable: index)))
    }
    return changes
  }
}
