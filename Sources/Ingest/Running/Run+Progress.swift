import Fetch
import Pipeline

extension Run {
  /// How far fetching is.
  public struct Progress: Sendable, Hashable {
    /// How far an endpoint is.
    public struct Endpoint: Sendable, Hashable {
      /// The endpoint's name.
      public let name: String
      /// Walks that have begun: one, or with `for_each` one for each parent.
      public let walks: Int
      /// Pages that were received and stored.
      public let pages: Int
      /// Records that came at the endpoint's places, before any filter.
      public let records: Int
      /// How much of the walk at hand has come; nil where the API does not say how much there is.
      public let share: Share?
      /// Whether its last walk is over.
      public let isFinished: Bool

      init(_ endpoint: RunProgress.Endpoint) {
        name = endpoint.name
        (walks, pages, records) = (endpoint.walks, endpoint.pages, endpoint.records)
        share = endpoint.share.map { Share($0) }
        isFinished = endpoint.ended != nil
      }
    }

    /// So many of so many records or pages.
    public struct Share: Sendable, Hashable {
      /// What is counted.
      public enum Unit: String, Sendable, Hashable {
        /// Records, before any filter.
        case records
        /// Pages.
        case pages
      }

      /// How many have come.
      public let completed: Int
      /// How many there are, as the API says.
      public let total: Int
      /// What is counted.
      public let unit: Unit

      init(_ share: RunProgress.Share) {
        (completed, total) = (share.done, share.all)
        unit =
          switch share.unit {
          case .records: .records
          case .pages: .pages
          }
      }
    }

    /// What a run waits for before its next request.
    public enum Wait: String, Sendable, Hashable {
      /// The mapping's `rate_limit`, or what the API says of its own.
      case rateLimit
      /// The pause before a request that failed is tried again.
      case nextTry
    }

    /// The endpoints that have begun, in their order; the last one is at work.
    public let endpoints: [Endpoint]
    /// What the run waits for before its next request; nil when it does not wait.
    public let wait: Wait?

    /// Pages of all endpoints that were received and stored.
    public var pages: Int { endpoints.reduce(0) { $0 + $1.pages } }

    /// Records of all endpoints, before any filter.
    public var records: Int { endpoints.reduce(0) { $0 + $1.records } }

    init(_ snapshot: RunProgress.Snapshot) {
      endpoints = snapshot.endpoints.map(Endpoint.init)
      wait =
        switch snapshot.wait?.reason {
        case .rateLimit?: .rateLimit
        case .nextTry?: .nextTry
        case nil: nil
        }
    }
  }

  /// Something that a run says while it works: a sentence that holds no secret.
  public struct Message: Sendable, Hashable {
    /// How much it matters.
    public enum Level: String, Sendable, Hashable {
      /// What the run does.
      case info
      /// The run goes on, but somebody should know.
      case warning
      /// Something failed, and the run goes on without it.
      case error
    }

    /// How much it matters.
    public let level: Level
    /// The sentence, without a full stop.
    public let text: String

    init(_ level: Level, _ text: String) {
      self.level = level
      self.text = text
    }

    init(_ message: Pipeline.Message) {
      let level: Level =
        switch message.level {
        // A program does not ask for details, so none are made.
        case .debug, .info: .info
        case .warning: .warning
        case .error: .error
        }
      self.init(level, message.text)
    }
  }
}
