/// Fetches a mapping's endpoints, or loads bodies that are at hand, into a store.
///
/// A run is a value that says what is to be done; ``fetch(endpoints:)`` and ``load(_:from:status:isPartial:)`` do it, as
/// often as they are called. Each opens the store, takes its source so that no other run changes the same rows, commits page
/// by page, and closes the store.
///
/// ```swift
/// let mapping = try Mapping(contentsOfFile: "boats.yaml", secrets: ["BOATS_KEY": key])
/// var run = Run(mapping: mapping, store: .sqlite("boats.db"))
/// run.onProgress = { print("\($0.pages) pages, \($0.records) records") }
/// let report = try await run.fetch()
/// print(report, report.warnings)
/// ```
///
/// The asynchronous functions work on a thread of their own, and end early when their task is cancelled. A program
/// without tasks calls ``fetchAndWait(endpoints:)`` and ``loadAndWait(_:from:status:isPartial:)``.
public struct Run: Sendable {
  /// Who answers requests.
  enum Answers: Sendable {
    case servers
    case recorded(folder: String)
    case transport(any Transport)
  }

  /// The mapping.
  public private(set) var mapping: Mapping
  /// The store that is filled.
  public let store: Store
  let answers: Answers

  /// Ignores cursors, caches, validators and walks that were cut: everything is fetched anew.
  public var isFull = false
  /// The most pages of each walk; a walk that has more is partial, which is a warning. Nil: as many as there are.
  public var maxPages: Int?
  /// Takes steps of the schema that lose data, which are refused otherwise: a column dropped, a type made narrower.
  public var allowsDataLoss = false
  /// Waits while another run holds the source, in place of failing.
  public var waitsForOtherRuns = false
  /// Ends the run early.
  public var cancellation: CancellationToken?
  /// Is told of each change while endpoints are fetched, one after the other, on the threads of the run, which waits for
  /// it to return.
  public var onProgress: (@Sendable (Progress) -> Void)?
  /// Is told what the run has to say, on its thread.
  public var onMessage: (@Sendable (Message) -> Void)?

  /// A run whose requests go out by the library's own HTTP client (libcurl).
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - store: The store; ``Mapping/defaultStore()`` is that of the mapping.
  public init(mapping: Mapping, store: Store) { self.init(mapping, store, .servers) }

  /// A run whose requests are answered by a transport of yours: another HTTP client, or a test.
  ///
  /// Retries, rate limits, paging and credentials stay the library's.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - store: The store.
  ///   - transport: What answers. With `concurrency` in the mapping it is asked from several threads at a time.
  public init(mapping: Mapping, store: Store, transport: any Transport) {
    self.init(mapping, store, .transport(transport))
  }

  /// A run whose requests are answered by recorded files, as `ingest record` writes them: see `docs/recorded-answers.md`.
  /// Nothing leaves this machine, and no secret is needed.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - store: The store.
  ///   - folder: The folder of the files.
  public init(mapping: Mapping, store: Store, recordedAnswers folder: String) {
    self.init(mapping, store, .recorded(folder: folder))
  }

  private init(_ mapping: Mapping, _ store: Store, _ answers: Answers) {
    self.mapping = mapping
    self.store = store
    self.answers = answers
  }

  func replacing(mapping: Mapping) -> Run {
    var run = self
    run.mapping = mapping
    return run
  }

  /// Fetches endpoints, maps what they answer, and stores it.
  ///
  /// Of endpoints that depend on one another the parents come first, else they come in the order of the mapping. A walk
  /// that an earlier run has left is continued where it was cut.
  ///
  /// - Parameter endpoints: The names of the endpoints; nil: all that the mapping fetches.
  /// - Returns: What was received, and what became of it.
  /// - Throws: ``IngestError`` with the code ``IngestError/Code/refused`` before anything is asked,
  ///   ``IngestError/Code/failed``, ``IngestError/Code/store`` or ``IngestError/Code/cancelled``; its
  ///   ``IngestError/report`` says what had come until then.
  @discardableResult
  public func fetch(endpoints: [String]? = nil) async throws(IngestError) -> RunReport {
    try await Self.onOwnThread { isCancelled throws(IngestError) in
      try fetch(endpoints, isCancelled: isCancelled)
    }
  }

  /// Loads bodies that are at hand, as answers to requests that nobody has to make.
  ///
  /// Each body takes effect as a whole. The first that fails ends the run; those before it stay.
  ///
  /// - Parameters:
  ///   - bodies: The bodies, in their order.
  ///   - route: The request that they answer; not needed when the mapping has one endpoint.
  ///   - status: The status of the responses.
  ///   - isPartial: The bodies are not all that there is: rows that are not in them stay, where the mapping would sweep or
  ///     replace them.
  /// - Returns: What was received, and what became of it.
  /// - Throws: ``IngestError`` as ``fetch(endpoints:)``, or with the code ``IngestError/Code/unreadableFile``.
  @discardableResult
  public func load(
    _ bodies: [Body], from route: Route? = nil, status: Int = 200, isPartial: Bool = false
  ) async throws(IngestError) -> RunReport {
    try await Self.onOwnThread { isCancelled throws(IngestError) in
      try load(bodies, route, status, isPartial: isPartial, isCancelled: isCancelled)
    }
  }

  /// As ``fetch(endpoints:)``, on the thread of the caller, which is blocked until the run ends.
  ///
  /// - Parameter endpoints: The names of the endpoints; nil: all that the mapping fetches.
  /// - Returns: What was received, and what became of it.
  /// - Throws: ``IngestError`` as ``fetch(endpoints:)``.
  @available(*, noasync, message: "it blocks its thread: use fetch(endpoints:)")
  @discardableResult
  public func fetchAndWait(endpoints: [String]? = nil) throws(IngestError) -> RunReport {
    try fetch(endpoints, isCancelled: { false })
  }

  /// As ``load(_:from:status:isPartial:)``, on the thread of the caller, which is blocked until the run ends.
  ///
  /// - Parameters:
  ///   - bodies: The bodies, in their order.
  ///   - route: The request that they answer; not needed when the mapping has one endpoint.
  ///   - status: The status of the responses.
  ///   - isPartial: The bodies are not all that there is.
  /// - Returns: What was received, and what became of it.
  /// - Throws: ``IngestError`` as ``load(_:from:status:isPartial:)``.
  @available(*, noasync, message: "it blocks its thread: use load(_:from:status:isPartial:)")
  @discardableResult
  public func loadAndWait(
    _ bodies: [Body], from route: Route? = nil, status: Int = 200, isPartial: Bool = false
  ) throws(IngestError) -> RunReport {
    try load(bodies, route, status, isPartial: isPartial, isCancelled: { false })
  }
}
