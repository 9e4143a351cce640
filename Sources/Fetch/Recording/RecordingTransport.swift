/// Sends requests by another transport, and keeps every answer in a folder, as `RecordedTransport` reads them.
///
/// What is kept holds no credential: none in the URL, the headers and the body of the request, no cookie, and no value
/// of a secret that the server repeats. Requests without an answer leave nothing, nor do those that ask for a token.
package final class RecordingTransport: Transport {
  private let transport: any Transport
  private let folder: RecordingFolder

  package init(_ transport: any Transport, into folder: RecordingFolder) {
    self.transport = transport
    self.folder = folder
  }

  package func send(_ request: HTTPRequest, limits: FetchLimits) throws(FetchError) -> HTTPResponse {
    let response = try transport.send(request, limits: limits)
    // Answers that are recorded are given to those who ask without credentials.
    if !request.asksForCredential { try folder.keep(response, to: request) }
    return response
  }
}
