package import Diagnostics
package import Fetch
package import Pipeline

/// Who answers a run's requests: servers, or the recorded files of a folder.
package struct AnswerSource: Sendable {
  private let recorded: String?
  private let connection: SourceConnection?
  private let redactor: Redactor
  /// What is wrong with the files of the connection, and what is to be warned of on every run.
  package let findings: [Diagnostic]

  /// Looks at the files that the way to servers needs; what is wrong with it is thrown, or among the `findings`.
  package init(_ loaded: LoadedMapping, redactor: Redactor, recorded: String?) throws(PipelineError) {
    self.recorded = recorded
    self.redactor = redactor
    if let recorded, !FileText.isFolder(recorded) {
      throw PipelineError(.refused, "there is no folder '\(recorded)' of recorded answers (--recorded)")
    }
    guard recorded == nil else {
      (connection, findings) = (nil, [])
      return
    }
    let connection = try SourceConnection(mapping: loaded.mapping, scope: loaded.scope, redactor: redactor)
    let plain = PlainCredentials.warning(loaded.mapping, to: connection.certificateOrigins)
    self.connection = connection
    findings = connection.findings + [plain].compactMap(\.self)
  }

  /// What the environment has a say in.
  package var notes: [String] { connection?.notes ?? [] }
  package var hasErrors: Bool { findings.containsErrors }

  /// `recording`: a folder that keeps the answers.
  package func transport(
    recording: String? = nil, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(FetchError) -> any Transport {
    let transport = try transport(isInterrupted)
    guard let recording else { return transport }
    return RecordingTransport(transport, into: try RecordingFolder(path: recording, redactor: redactor))
  }

  /// What fetches where the mapping allows several requests at a time. Nil when answers come from files, or go into
  /// them: both have an order.
  package func supply(recording: String?) -> FetchSupply? {
    guard recorded == nil, recording == nil else { return nil }
    return FetchSupply { [connection] isStopped throws(FetchError) in
      try LiveTransport(Self.settings(connection, isStopped))
    }
  }

  private func transport(_ isInterrupted: @escaping @Sendable () -> Bool) throws(FetchError) -> any Transport {
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
