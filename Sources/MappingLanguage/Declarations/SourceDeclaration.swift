package import Diagnostics
package import JSONReading

/// `source`: the API as a whole.
package struct SourceDeclaration: Sendable {
  /// Names the state, the log and the default database.
  package var name: Located<String>
  package var baseURL: Located<Template>?
  package var auth: AuthDeclaration?
  package var headers: [Located<HeaderDeclaration>] = []
  package var params: [ParameterDeclaration] = []
  /// The longest silence: connect, first byte, between bytes.
  package var timeout: Duration = .seconds(30)
  package var rateLimit: RateLimitDeclaration?
  /// Requests at the same time.
  package var concurrency = 1
  package var retry = RetryDeclaration()
  package var limits = LimitsDeclaration()
  package var tls = TLSDeclaration()
  /// Nil: as the environment says.
  package var proxy: Located<Template>?
  package var isLenient = false
  package var isNDJSON = false
  package var span: SourceSpan

  package init(name: Located<String>, span: SourceSpan) {
    self.name = name
    self.span = span
  }
}

/// A header with a value that may be interpolated.
package struct HeaderDeclaration: Sendable {
  package var name: String
  package var value: Template

  package init(name: String, value: Template) {
    self.name = name
    self.value = value
  }
}

/// A query parameter; a list repeats it, null leaves it out.
package struct ParameterDeclaration: Sendable {
  package var name: Located<String>
  /// Empty for null.
  package var values: [Located<Template>]

  package init(name: Located<String>, values: [Located<Template>]) {
    self.name = name
    self.values = values
  }
}

/// `rate_limit: 5/min`
package struct RateLimitDeclaration: Sendable, Hashable {
  package var requests: Int
  package var period: Duration

  package init(requests: Int, period: Duration) {
    self.requests = requests
    self.period = period
  }
}

package struct RetryDeclaration: Sendable, Hashable {
  package enum Backoff: String, Sendable, CaseIterable {
    case constant, exponential
  }

  /// All tries, the first one included.
  package var attempts = 5
  package var backoff = Backoff.exponential
  package var wait = Duration.seconds(1)
  package var maxWait = Duration.seconds(120)

  package init() {}
}

/// `limits`, each a named error; in bytes, levels, a factor and a number of requests.
package struct LimitsDeclaration: Sendable, Hashable {
  package var record = 64 << 20
  package var body = 256 << 20
  package var depth = 512
  package var ratio = 200
  package var pages = 100_000

  package init() {}

  package var json: JSONLimits { JSONLimits(record: record, depth: depth) }
}
