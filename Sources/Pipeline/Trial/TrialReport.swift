package import Store

/// What one request brought, and what the mapping makes of it.
package struct TrialReport: Sendable {
  /// First rows of a table.
  package struct Rows: Sendable {
    package var table: String
    package var columns: [String]
    package var rows: [[StoredValue]] = []
    /// All of them.
    package var count = 0

    package init(table: String, columns: [String]) {
      self.table = table
      self.columns = columns
    }
  }

  /// A value of the body: the key path that leads to it, and of which kinds it is.
  package struct Member: Sendable, Hashable {
    package var path: String
    package var kinds: String
  }

  /// What a place of a descriptor found.
  package struct Place: Sendable {
    /// `items: any method /items 'items' → Item`
    package var descriptor: String
    package var outcome: String
    /// Key paths of members that nothing maps.
    package var unmapped: [String] = []

    package init(descriptor: String, outcome: String) {
      self.descriptor = descriptor
      self.outcome = outcome
    }
  }

  /// Method and URL, without credentials; the last one, when there were several.
  package var request: String
  /// Nil when no answer came.
  package var status: Int?
  package var contentType: String?
  package var size = 0
  /// Nil for a body that is no JSON.
  package var members: (lines: [Member], more: Int)?
  package var places: [Place] = []
  package var rows: [Rows] = []
  package var summary: RunSummary
  /// An error rule says that there are no rows here, and that this is no failure.
  package var passed: String?
  /// Why the answer is none; redacted.
  package var failure: PipelineError?
  /// Findings about the data.
  package var warnings: [String] = []

  init(request: String, summary: RunSummary) {
    self.request = request
    self.summary = summary
  }
}
