package import Store

/// Where one stored value came from.
package struct ValueExplanation: Sendable {
  /// A body that holds the row.
  package struct Body: Sendable {
    /// An answer of the archive, by its number, or a file.
    package var answer: Int64?
    /// URL, or the file as the command named it.
    package var name: String
    package var line: Int?
    package var fetchedAt: String?
    package var run: StoredRun?
    package var runID: Int64
    package var endpoint: String
  }

  package struct Origin: Sendable {
    package var body: Body
    /// JSON pointer of the row's record.
    package var record: String
    /// JSON pointer of the value, or the name of one around the record.
    package var place: String?
    /// The field reads the body, or what is around it.
    package var isRead: Bool
    /// As it stood there, JSON; nil when it was missing.
    package var raw: String?
    /// What the mapping of today makes of it; nil when it leaves the column alone.
    package var mapped: StoredValue?
    /// The value is the row's, so that it can be compared.
    package var isCompared: Bool
  }

  package var table: String
  package var column: String
  /// The row's key: names and values.
  package var key: [(name: String, value: StoredValue)]
  package var stored: StoredValue
  package var rule: ColumnRule
  /// The last body that gives the stored value; else the last one that holds the row.
  package var origin: Origin?
  package var isEqual = false
  /// The last body that gives the stored value, of those that hold an older row (`modified`).
  var older: Origin?
  /// What came later leaves the column alone.
  package var isOlder = false
  /// Bodies of the archive or files that hold the row.
  package var bodyCount = 0
  /// Loaded files that cannot be looked into, and why.
  package var lostFiles: [(name: String, run: Int64, reason: String)] = []
  /// The archive has answers that may hold the row.
  package var hasArchive = false
  /// The mapping keeps answers that may hold it.
  package var keepsArchive = false
  /// Of `track`: what the row itself says of the run that last changed it.
  package var trackedRun: Int64?
  /// The last runs that changed rows of the record.
  package var runs: [StoredRun] = []
}
