import JSONReading
import Mapper
import PlanCompiler

/// Looks at the answers of a run, for `--drift`: each is read once more, for itself.
final class DriftWatch {
  private let plan: Plan
  private let limits: JSONLimits
  private let isInterrupted: @Sendable () -> Bool
  /// By index of `Plan.endpoints`.
  private(set) var shapes: [Int: MemberShape] = [:]
  /// Endpoints of which an answer was too large to be looked at but for its records.
  private(set) var large: Set<Int> = []

  init(plan: Plan, limits: JSONLimits, isInterrupted: @escaping @Sendable () -> Bool) {
    self.plan = plan
    self.limits = limits
    self.isInterrupted = isInterrupted
  }

  /// What cannot be read is told by whoever takes the answer in.
  func note(_ source: BodySource, format: BodyFormat, context: BodyContext) {
    guard let endpoint = context.matches.first?.endpoint, source.isRepeatable else { return }
    let shape = MemberShape()
    do {
      if format.isNDJSON {
        try noteLines(source, format, shape)
      } else {
        try noteBody(source, format, shape)
      }
    } catch let error as JSONError where error.code == .limitRecord {
      large.insert(endpoint)
      return noteRecords(source, format, context, endpoint)
    } catch {
      return
    }
    add(shape, of: endpoint)
  }

  private func add(_ shape: MemberShape, of endpoint: Int) {
    let whole = shapes[endpoint] ?? MemberShape()
    shapes[endpoint] = whole
    whole.merge(shape)
  }

  private func noteLines(_ source: BodySource, _ format: BodyFormat, _ shape: MemberShape) throws {
    var notes = Notes(shape: shape)
    let tree = PlaceTree(places: [PlaceTree.Place(path: KeyPath(origin: .value, steps: [], text: "."))])
    try NDJSONReader(tree: tree, limits: limits, format: format, isInterrupted: isInterrupted).readLines(
      source, into: &notes, begin: { _, _ in },
      end: { _, failure, _, _ in failure == nil })
  }

  /// Also a long list at the root is read element by element.
  private func noteBody(_ source: BodySource, _ format: BodyFormat, _ shape: MemberShape) throws {
    var notes = Notes(shape: shape)
    let tree = PlaceTree(places: [PlaceTree.Place(path: KeyPath(origin: .value, steps: [], text: "."))])
    let body = try BodyReader(tree: tree, limits: limits, format: format, isInterrupted: isInterrupted)
      .read(source, into: &notes)
    if body.rootKind == .array { shape.add(1, of: .array) }
  }

  /// The records alone, where the body around them does not fit into memory.
  private func noteRecords(_ source: BodySource, _ format: BodyFormat, _ context: BodyContext, _ endpoint: Int) {
    let places = context.matches.flatMap { plan.endpoints[$0.endpoint].places.map(\.path) }
    var notes = Notes(shape: MemberShape())
    let tree = PlaceTree(places: places.map { PlaceTree.Place(path: $0) })
    let reader = BodyReader(tree: tree, limits: limits, format: format, isInterrupted: isInterrupted)
    guard (try? reader.read(source, into: &notes)) != nil else { return }
    add(notes.shape, of: endpoint)
  }
}

private struct Notes: RecordReceiver {
  let shape: MemberShape

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) {
    shape.note(record, at: position.steps)
  }
}
