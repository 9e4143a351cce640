import Diagnostics
import Fetch
import Ingest
import Pipeline

/// Who answers a command's requests: servers, or the recorded files of a folder.
struct AnswerSource {
  private let recorded: String?
  private let connection: SourceConnection?
  private let redactor: Redactor

  /// Says what there is to be said of the way to servers; what is wrong with it is thrown, or among `hasErrors`.
  init(_ preparation: Preparation, recorded: String?, on console: Console) throws {
    self.recorded = recorded
    redactor = preparation.redactor
    guard recorded == nil else {
      connection = nil
      return
    }
    let connection = try SourceConnection(
      mapping: preparation.loaded.mapping, scope: preparation.loaded.scope, redactor: redactor)
    console.log(connection.findings)
    for note in connection.notes { console.info(note) }
    self.connection = connection
  }

  var hasErrors: Bool { connection?.findings.containsErrors ?? false }

  /// `recording`: a folder that keeps the answers.
  func transport(
    recording: String? = nil, isInterrupted: @escaping @Sendable () -> Bool
  ) throws -> any Transport {
    let transport = try transport(isInterrupted)
    guard let recording else { return transport }
    return RecordingTransport(transport, into: try RecordingFolder(path: recording, redactor: redactor))
  }

  /// What fetches where the mapping allows several requests at a time. Nil when answers come from files, or go into
  /// them: both have an order.
  func supply(recording: String?) -> FetchSupply? {
    guard recorded == nil, recording == nil else { return nil }
    return FetchSupply { [connection] isStopped throws(FetchError) in
      try LiveTransport(Self.settings(connection, isStopped))
    }
  }

  private func transport(_ isInterrupted: @escaping @Sendable () -> Bool) throws -> any Transport {
    if let recorded { return try RecordedTransport(directory: recorded, redactor: redactor) }
    return try LiveTransport(Self.settings(connection, isInterrupted))
  }

  private static func settings(
    _ connection: SourceConnection?, _ isInterrupted: @escaping @Sendable () -> Bool
  ) -> LiveSettings {
    var settings = LiveSettings(userAgent: "ingest/\(IngestVersion.number)", isInterrupted: isInterrupted)
    if let connection {
      settings.proxy = connection.proxy
      settings.tls = connection.tls
      settings.certificateOrigins = connection.certificateOrigins
    }
    return settings
  }
}
