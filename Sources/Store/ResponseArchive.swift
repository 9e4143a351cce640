/// An answer for the archive, `_ingest_responses`. Everything in it is redacted already.
package struct ArchivedResponse: Sendable {
  /// The name of the endpoint that was asked, or whose body was handed in.
  package var endpoint: String
  /// Of a body that was handed in, only when it was routed by a path.
  package var method: String?
  package var url: String?
  /// The path below the base URL, by which it was routed.
  package var path: String?
  /// The name of a body that was handed in.
  package var file: String?
  package var status: Int
  /// JSON: `[["name", "value"], …]`.
  package var headers: String
  /// JSON: the values of variables, `[["name", "kind", "text"], …]`.
  package var variables: String
  /// The charset of the body, where it is not the one that its headers say.
  package var charset: String?
  /// Secrets in the body were replaced. Nil in answers of versions that did not note it.
  package var isRedacted: Bool?
  /// RFC 3339, UTC.
  package var fetchedAt: String

  package init(endpoint: String, status: Int, headers: String, variables: String, fetchedAt: String) {
    self.endpoint = endpoint
    self.status = status
    self.headers = headers
    self.variables = variables
    self.fetchedAt = fetchedAt
  }
}

/// A body packed for the archive, and how many bytes it has unpacked.
package struct ArchivedBody: Sendable {
  package enum Bytes: Sendable {
    case memory([UInt8])
    case file(String, count: Int)

    package var count: Int {
      switch self {
      case .memory(let bytes): bytes.count
      case .file(_, let count): count
      }
    }
  }

  package var packed: Bytes
  package var size: Int

  package init(packed: Bytes, size: Int) {
    self.packed = packed
    self.size = size
  }
}

/// An answer as the archive has it.
package struct StoredResponse: Sendable {
  /// Later ones are greater.
  package var id: Int64
  package var run: Int64
  package var response: ArchivedResponse
  /// The scope of the walk that it belongs to, when that walk could remove rows.
  package var scope: String?
  /// Bytes of the body, packed and unpacked.
  package var packedSize: Int
  package var size: Int

  package init(
    id: Int64, run: Int64, response: ArchivedResponse, scope: String?, packedSize: Int, size: Int
  ) {
    self.id = id
    self.run = run
    self.response = response
    self.scope = scope
    self.packedSize = packedSize
    self.size = size
  }
}

/// Which answers of the archive are read: a source's, in the order in which they were stored, without those of walks before
/// one that has removed rows of their scope.
package struct ArchiveQuery: Sendable, Hashable {
  package var source: String
  /// Only of this endpoint.
  package var endpoint: String?

  package init(source: String, endpoint: String? = nil) {
    self.source = source
    self.endpoint = endpoint
  }
}

/// A store without an archive fulfils this by doing nothing.
extension Store {
  package var hasArchive: Bool { false }
  package func archive(_ response: ArchivedResponse, _ body: ArchivedBody) throws(StoreError) {}
}
