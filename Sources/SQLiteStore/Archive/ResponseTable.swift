import CSQLite
import Glibc
import Store

/// `_ingest_responses`: the archive.
final class ResponseTable {
  private static let name = "_ingest_responses"
  /// What SQLite keeps in one value at most.
  private static let longest = 1_000_000_000
  private static let part = 1 << 18

  private let connection: Connection
  private let insertion: LazyStatement
  private let obsolescence: LazyStatement
  private var reading: (id: Int64, blob: Blob)?

  init(_ connection: Connection) {
    self.connection = connection
    insertion = LazyStatement(
      """
      INSERT INTO _ingest_responses
        (run_id, source, endpoint, method, url, path, file, status, fetched_at, headers, variables, charset, scope,
         size, packed_size, body, redacted)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      """, on: connection)
    obsolescence = LazyStatement(
      """
      UPDATE _ingest_responses SET obsolete_since = ?4
      WHERE source = ?1 AND scope = ?2 AND obsolete_since IS NULL AND response_id < ?3
      """, on: connection)
  }

  /// Gives the answer's number.
  func add(
    _ response: ArchivedResponse, _ body: ArchivedBody, run: Int64, source: String, scope: String?
  ) throws(StoreError) -> Int64 {
    guard body.packed.count <= Self.longest else {
      throw StoreError(.failed, "the body is too large for the archive: it has \(body.packed.count) bytes packed")
    }
    let statement = try insertion.prepared()
    let texts: [(place: Int, text: String?)] = [
      (1, source), (2, response.endpoint), (3, response.method), (4, response.url), (5, response.path),
      (6, response.file), (8, response.fetchedAt), (9, response.headers), (10, response.variables),
      (11, response.charset), (12, scope),
    ]
    for (place, text) in texts { try statement.bind(text, at: place) }
    let numbers = [(0, run), (7, Int64(response.status)), (13, Int64(body.size)), (14, Int64(body.packed.count))]
    for (place, number) in numbers { try statement.bind(number, at: place) }
    try statement.bind(zeros: body.packed.count, at: 15)
    try statement.bind(response.isRedacted.map { $0 ? Int64(1) : 0 }, at: 16)
    try statement.run()
    let id = connection.lastInsertedRow
    let blob = try Blob(Self.name, "body", row: id, on: connection, isWritten: true)
    switch body.packed {
    case .memory(let bytes): try blob.write(bytes, at: 0)
    case .file(let path, _): try fill(blob, from: path)
    }
    return id
  }

  private func fill(_ blob: Blob, from path: String) throws(StoreError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Self.unreadable() }
    defer { close(file) }
    var offset = 0
    while offset < blob.count {
      var taken = 0
      let wanted = min(Self.part, blob.count - offset)
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        repeat {
          taken = unsafe pread(file, buffer.baseAddress, wanted, off_t(offset))
        } while taken < 0 && errno == EINTR
        filled = max(0, taken)
      }
      guard taken > 0 else { throw Self.unreadable() }
      try blob.write(bytes, at: offset)
      offset += taken
    }
  }

  private static func unreadable() -> StoreError {
    StoreError(.failed, "the packed body cannot be read: \(unsafe String(cString: strerror(errno)))")
  }

  /// A walk has swept or replaced the scope's rows: answers of walks before `first` are obsolete.
  func makeObsolete(before first: Int64, source: String, scope: String, run: Int64) throws(StoreError) {
    let statement = try obsolescence.prepared()
    try statement.bind(source, at: 0)
    try statement.bind(scope, at: 1)
    try statement.bind(first, at: 2)
    try statement.bind(run, at: 3)
    try statement.run()
  }

  // MARK: reading

  func next(_ query: ArchiveQuery, after id: Int64) throws(StoreError) -> StoredResponse? {
    let rows = try connection.prepare(
      """
      SELECT response_id, run_id, endpoint, method, url, path, file, status, fetched_at, headers, variables, charset,
        scope, size, packed_size, redacted
      FROM _ingest_responses
      WHERE response_id > ?1 AND source = ?2 AND (?3 IS NULL OR endpoint = ?3) AND obsolete_since IS NULL
      ORDER BY response_id LIMIT 1
      """)
    try rows.bind(id, at: 0)
    try rows.bind(query.source, at: 1)
    try rows.bind(query.endpoint, at: 2)
    guard try rows.step() else { return nil }
    var response = ArchivedResponse(
      endpoint: rows.text(2) ?? "", status: Int(rows.integer(7)), headers: rows.text(9) ?? "[]",
      variables: rows.text(10) ?? "[]", fetchedAt: rows.text(8) ?? "")
    response.method = rows.text(3)
    response.url = rows.text(4)
    response.path = rows.text(5)
    response.file = rows.text(6)
    response.charset = rows.text(11)
    response.isRedacted = rows.text(15).map { $0 == "1" }
    return StoredResponse(
      id: rows.integer(0), run: rows.integer(1), response: response, scope: rows.text(12),
      packedSize: Int(rows.integer(14)), size: Int(rows.integer(13)))
  }

  func bytes(of id: Int64, from offset: Int, count: Int) throws(StoreError) -> [UInt8] {
    // A row that was changed or removed since has no bytes: the handle has expired.
    let blob =
      if let reading, reading.id == id { reading.blob } else {
        try Blob(Self.name, "body", row: id, on: connection, isWritten: false)
      }
    let bytes = try blob.read(at: offset, count)
    reading = bytes.isEmpty ? nil : (id, blob)
    return bytes
  }

  /// Lets go of the answer that was read last.
  func endReading() { reading = nil }

  func runs(source: String, scope: String) throws(StoreError) -> Int {
    let rows = try connection.prepare(
      "SELECT count(DISTINCT run_id) FROM _ingest_responses WHERE source = ?1 AND scope = ?2 AND obsolete_since IS NULL"
    )
    try rows.bind(source, at: 0)
    try rows.bind(scope, at: 1)
    return try rows.step() ? Int(rows.integer(0)) : 0
  }

  func obsoleteCount(_ query: ArchiveQuery) throws(StoreError) -> Int {
    let rows = try connection.prepare(
      """
      SELECT count(*) FROM _ingest_responses
      WHERE source = ?1 AND (?2 IS NULL OR endpoint = ?2) AND obsolete_since IS NOT NULL
      """)
    try rows.bind(query.source, at: 0)
    try rows.bind(query.endpoint, at: 1)
    return try rows.step() ? Int(rows.integer(0)) : 0
  }
}

extension Statement {
  /// Binds a BLOB of that many zeros, to be written afterwards.
  fileprivate func bind(zeros count: Int, at position: Int) throws(StoreError) {
    try check(unsafe sqlite3_bind_zeroblob64(handle, Int32(position + 1), sqlite3_uint64(count)))
  }
}
