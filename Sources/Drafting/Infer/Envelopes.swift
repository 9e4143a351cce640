/// Tells objects that are put around records from those that are records themselves.
enum Envelopes {
  private static let names: Set = [
    "ok", "status", "statuscode", "success", "message", "msg", "error", "errors", "code", "copyright", "version",
    "apiversion", "time", "timestamp", "took", "duration", "requestid", "odatacontext", "type", "object", "kind",
    "etag",
    "url", "self", "href", "warnings", "warning", "info", "result", "statusmessage", "generated", "lastupdated",
    "generatedat", "generatedon", "fetchedat", "requestedat", "respondedat", "servertime", "servertimestamp", "asof",
    "responsetime", "elapsed", "traceid", "correlationid", "fault", "exception", "exceptions",
  ]

  /// Names of objects that hold records and nothing of their own.
  private static let wrappers: Set = [
    "data", "result", "results", "response", "payload", "body", "content", "d", "embedded",
  ]

  static func isWrapper(_ name: String) -> Bool { wrappers.contains(plain(name)) }

  private static let failures: Set = ["error", "errors", "fault", "exception", "exceptions"]

  /// Does the member say what went wrong?
  static func isFailure(_ name: String) -> Bool { failures.contains(plain(name)) }

  private static func plain(_ name: String) -> String { String(Names.snake(name).filter { $0 != "_" }) }

  /// Does every value beside the records speak of the answer, not of a thing?
  static func isOne(valuesNamed members: some Sequence<String>) -> Bool {
    members.allSatisfy { member in
      let name = plain(member)
      return names.contains(name) || PagingHints.isName(name)
    }
  }
}
