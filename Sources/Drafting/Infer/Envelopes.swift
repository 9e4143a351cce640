/// Tells objects that are put around records from those that are records themselves.
enum Envelopes {
  private static let names: Set = [
    "ok", "status", "statuscode", "success", "message", "msg", "error", "errors", "code", "copyright", "version",
    "apiversion", "time", "timestamp", "took", "duration", "requestid", "odatacontext", "type", "object", "kind",
    "etag",
    "url", "self", "href", "warnings", "warning", "info", "result", "statusmessage", "generated", "lastupdated",
  ]

  /// Does every value beside the records speak of the answer, not of a thing?
  static func isOne(valuesNamed members: some Sequence<String>) -> Bool {
    members.allSatisfy { member in
      let name = String(Names.snake(member).filter { $0 != "_" })
      return names.contains(name) || PagingHints.isName(name)
    }
  }
}
