import Fetch
import Pipeline

/// Where the answers to a command's requests come from: recorded files, or servers.
struct AnswerSource {
  /// The folder of recorded answers; nil: servers are asked.
  let recorded: String?
  /// Nil for recorded answers.
  let connection: SourceConnection?
  let redactor: Redactor
  let isInterrupted: @Sendable () -> Bool

  func transport() throws(FetchError) -> any Transport {
    if let recorded { return try RecordedTransport(directory: recorded, redactor: redactor) }
    var settings = LiveSettings(userAgent: "ingest/\(IngestVersion.number)", isInterrupted: isInterrupted)
    if let connection {
      settings.proxy = connection.proxy
      settings.tls = connection.tls
      settings.certificateOrigins = connection.certificateOrigins
    }
    return try LiveTransport(settings)
  }
}
