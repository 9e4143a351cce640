import Fetch

/// The requests of one walk, to be made from where `pager` stands to where no further page is in sight.
struct FetchJob: Sendable {
  let number: Int
  let requests: WalkRequests
  var pager: Pager?
  /// No page of the walk has been taken in.
  var isFirst: Bool
}

/// What came of a request that was made ahead.
struct AheadAnswer: Sendable {
  var request: HTTPRequest
  /// Pages are without their bodies.
  var result: Result<PageFetcher.Fetched, PipelineError>
  var body: StashedBody?

  /// Bytes that it takes while it waits, with all that is around its body.
  var size: Int {
    var size = 1024 + request.url.utf8.count + (request.body?.count ?? 0) + (body?.count ?? 0)
    if case .success(.page(let page)) = result {
      for header in page.response.headers { size += 64 + header.name.utf8.count + header.value.utf8.count }
    }
    return size
  }
}
