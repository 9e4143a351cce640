import Store

/// One run of a source at a time: a row of `_ingest_state` names the process that holds it.
///
/// A process that is gone holds nothing, so a killed run needs no help.
final class SourceLock {
  private let connection: Connection
  private var held: (source: String, holder: Holder)?

  static let name = "lock"

  init(_ connection: Connection) { self.connection = connection }

  /// Takes the source, if the database has bookkeeping to note it in.
  func take(_ source: String, waiting: (() throws(StoreError) -> Void)?) throws(StoreError) {
    guard held == nil, try connection.has(table: "_ingest_state") else { return }
    // Ends: with the other holder, or by a throw of `waiting`.
    while let other = try attempt(source) {
      guard let waiting else { throw Self.busy(source, other) }
      try waiting()
    }
  }

  /// Lets go of the source.
  func release() throws(StoreError) {
    guard let held else { return }
    self.held = nil
    held.holder.release()
    let statement = try connection.prepare(
      "DELETE FROM _ingest_state WHERE source = ?1 AND scope = '' AND name = ?2 AND value = ?3")
    for (place, text) in [held.source, Self.name, held.holder.text].enumerated() { try statement.bind(text, at: place) }
    try statement.run()
  }

  /// Nil when the source is held by this store now; else who holds it.
  private func attempt(_ source: String) throws(StoreError) -> Holder? {
    try connection.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let other = try takeOrFind(source)
      try connection.run("COMMIT")
      return other
    } catch {
      // What went wrong first is the news.
      try? connection.run("ROLLBACK")
      throw error
    }
  }

  private func takeOrFind(_ source: String) throws(StoreError) -> Holder? {
    let rows = try connection.prepare(
      """
      SELECT value, strftime('%Y-%m-%d %H:%M:%S', 'now') FROM (SELECT 1)
      LEFT JOIN _ingest_state ON source = ?1 AND scope = '' AND name = ?2
      """)
    try rows.bind(source, at: 0)
    try rows.bind(Self.name, at: 1)
    guard try rows.step() else { return nil }
    if let other = rows.text(0).flatMap(Holder.init), other.life != .gone { return other }
    let holder = Holder.current(since: rows.text(1) ?? "")
    rows.reset()
    let insertion = try connection.prepare(
      "INSERT OR REPLACE INTO _ingest_state (source, scope, name, value, run_id) VALUES (?1, '', ?2, ?3, 0)")
    for (place, text) in [source, Self.name, holder.text].enumerated() { try insertion.bind(text, at: place) }
    try insertion.run()
    held = (source, holder)
    return nil
  }

  private static func busy(_ source: String, _ holder: Holder) -> StoreError {
    var text =
      "the source '\(source)' is held by another run: process \(holder.process) on \(holder.host), since "
      + "\(holder.since) UTC; run again when it is done, or wait for it with --wait"
    if holder.life == .unknown {
      text +=
        " (whether that process still runs cannot be seen from here; if it does not, remove its hold: "
        + "DELETE FROM _ingest_state WHERE name = '\(name)')"
    }
    return StoreError(.busy, text)
  }
}
