package import PlanCompiler
package import Values

/// What is known of a response before its body is read: which descriptors it met, and the `$…` values around it.
package struct BodyContext: Sendable {
  /// An endpoint whose places apply to the body.
  package struct Match: Sendable {
    /// Index into `Plan.endpoints`.
    package var endpoint: Int
    package var parameters: [RouteParameter]

    package init(endpoint: Int, parameters: [RouteParameter] = []) {
      self.endpoint = endpoint
      self.parameters = parameters
    }
  }

  package var matches: [Match]
  /// Of the requested URL, decoded, in order.
  package var query: [(name: String, value: String)]
  /// Credentials are removed.
  package var url: String?
  package var status: Int
  /// Names in lower case.
  package var headers: [(name: String, value: String)]
  /// RFC 3339, UTC.
  package var fetchedAt: String
  /// When it is stored, if that is another time; RFC 3339, UTC.
  package var ingestedAt: String?
  package var runID: Int64
  package var variables: [(name: String, value: Literal)]
  /// Of an answer that was kept; nil of one that the API gave just now.
  package var redaction: Redaction?

  package init(
    matches: [Match], query: [(name: String, value: String)] = [], url: String? = nil, status: Int = 200,
    headers: [(name: String, value: String)] = [], fetchedAt: String, runID: Int64,
    variables: [(name: String, value: Literal)] = []
  ) {
    self.matches = matches
    self.query = query
    self.url = url
    self.status = status
    self.headers = headers
    self.fetchedAt = fetchedAt
    self.runID = runID
    self.variables = variables
  }
}
