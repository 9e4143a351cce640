package import Diagnostics
package import JSONReading
package import Values

/// An endpoint: path patterns, the places of records in its responses, and how it is requested.
package struct EndpointDeclaration: Sendable {
  package var name: Located<String>
  /// One or more patterns, not yet interpolated.
  package var paths: [Located<Template>]
  /// Upper case; nil routes any method and fetches by GET.
  package var method: Located<String>?
  /// Status codes that route here.
  package var status: StatusSet
  package var places: [PlaceDeclaration]
  package var params: [ParameterDeclaration] = []
  package var headers: [Located<HeaderDeclaration>] = []
  package var body: BodyDeclaration?
  package var paginate: PaginateDeclaration?
  package var errors: [ErrorRuleDeclaration] = []
  package var isFetched = true
  /// A POST may be sent again when it is not known whether it was carried out.
  package var isIdempotent = false
  /// It has `for_each`, be that readable or not.
  package var isForEach = false
  package var forEach: ForEachDeclaration?
  package var incremental: IncrementalDeclaration?
  /// `cache: {ttl}`
  package var timeToLive: Duration?
  package var onFailure = FailureAction.fail
  /// Nil: as the source says.
  package var isLenient: Bool?
  package var isNDJSON: Bool?
  /// Nil: as the store says.
  package var isArchived: Bool?
  package var span: SourceSpan

  package init(
    name: Located<String>, paths: [Located<Template>], status: StatusSet = .success, places: [PlaceDeclaration] = [],
    span: SourceSpan
  ) {
    self.name = name
    self.paths = paths
    self.status = status
    self.places = places
    self.span = span
  }
}

/// A key path in the responses, and the record that stands there.
package struct PlaceDeclaration: Sendable {
  package var path: Located<KeyPath>
  package var record: Located<String>
  package var isRequired: Bool

  package init(path: Located<KeyPath>, record: Located<String>, isRequired: Bool = false) {
    self.path = path
    self.record = record
    self.isRequired = isRequired
  }
}

/// `200`, `2xx`, `200-299`, or a list of these.
package struct StatusSet: Sendable, Hashable {
  package var ranges: [ClosedRange<Int>]

  package init(_ ranges: [ClosedRange<Int>]) { self.ranges = ranges }

  package static let success = StatusSet([200...299])

  package func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }

  package func overlaps(_ other: StatusSet) -> Bool {
    ranges.contains { a in other.ranges.contains { a.overlaps($0) } }
  }
}

/// A rule of `errors`.
package struct ErrorRuleDeclaration: Sendable {
  package enum Action: String, Sendable, CaseIterable {
    case fail, retry, ignore, stop
    case refreshAuth = "refresh_auth"
  }

  package var status: StatusSet?
  package var when: Condition?
  /// What `when` looks at.
  package var whenPaths: [Located<KeyPath>] = []
  /// Nil: the answer keeps its usual course.
  package var action: Action?
  package var actionSpan: SourceSpan?
  package var message: [Located<KeyPath>] = []
  package var code: [Located<KeyPath>] = []
  package var wait: Wait?
  package var span: SourceSpan

  package struct Wait: Sendable {
    package var header: String?
    package var keyPath: Located<KeyPath>?
    package var defaultWait: Duration?

    package init(header: String? = nil, keyPath: Located<KeyPath>? = nil, defaultWait: Duration? = nil) {
      self.header = header
      self.keyPath = keyPath
      self.defaultWait = defaultWait
    }
  }

  package init(status: StatusSet? = nil, when: Condition? = nil, action: Action? = nil, span: SourceSpan) {
    self.status = status
    self.when = when
    self.action = action
    self.span = span
  }
}

/// `store`.
package struct StoreDeclaration: Sendable {
  package var url: Located<Template>?
  /// Raw bodies are kept, unless an endpoint says otherwise.
  package var archives: Bool
  /// `commit: run`: a run is one transaction.
  package var commitsRun: Bool

  package var isPostgreSQL: Bool {
    guard case .text(let url) = url?.value.pieces.first else { return false }
    return ["postgres:", "postgresql:"].contains { url.utf8.starts(with: $0.utf8) }
  }

  package init(url: Located<Template>? = nil, archives: Bool = false, commitsRun: Bool = false) {
    self.url = url
    self.archives = archives
    self.commitsRun = commitsRun
  }
}
