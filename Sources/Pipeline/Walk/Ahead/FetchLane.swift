import Fetch
import Store

/// What happened to a job, in order, as far as nobody has taken it.
struct FetchLane: Sendable {
  enum Item: Sendable {
    case note(FetchNote)
    case answer(AheadAnswer)
    case taken
  }

  /// So many bytes wait at most, beside one answer of any size.
  let limit: Int
  private var items: [Item] = []
  /// Items that have been taken.
  private var taken = 0
  /// Bytes of answers that wait.
  private(set) var kept = 0
  private(set) var keptInMemory = 0
  /// Nothing more comes.
  var isOver = false
  /// Nobody waits for it any more; what comes yet is of no use, but for errors.
  private(set) var isDropped = false
  /// The job, when it waits for room here.
  var parked: FetchJob?

  init(limit: Int) { self.limit = limit }

  var hasRoom: Bool { kept < limit }

  var next: Item? { taken < items.count ? items[taken] : nil }

  mutating func add(_ note: FetchNote) { items.append(.note(note)) }

  mutating func add(_ answer: AheadAnswer) {
    if isDropped { return }
    items.append(.answer(answer))
    kept += answer.size
    keptInMemory += answer.body?.memory ?? 0
  }

  /// Moves behind the next item.
  mutating func take() {
    if case .answer(let answer)? = next {
      kept -= answer.size
      keptInMemory -= answer.body?.memory ?? 0
    }
    items[taken] = .taken
    taken += 1
    // The places are given up now and then, and not one by one: the others would move up each time.
    if taken == items.count || taken >= 1024 {
      items.removeFirst(taken)
      taken = 0
    }
  }

  mutating func drop() {
    isDropped = true
    isOver = isOver || parked != nil
    parked = nil
    items = errors.map { .note(.error($0)) }
    (taken, kept, keptInMemory) = (0, 0, 0)
  }

  /// Failed answers that nobody was told of.
  var errors: [ErrorEntry] {
    items.dropFirst(taken).compactMap { item in
      if case .note(.error(let entry)) = item { entry } else { nil }
    }
  }
}
