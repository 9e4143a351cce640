import Fetch
import JSONReading
import Mapper
import MappingLanguage
import PlanCompiler

/// What a page says of the next one, read before anything of it is stored.
///
/// It decides nothing: where it is wrong, or says nothing, a request is made when it is due.
struct PageForecast {
  let run: RunContext
  let requests: WalkRequests

  /// Moves the pager behind this page. False when no further page is in sight.
  func advance(_ pager: inout Pager, behind page: Page) -> Bool {
    let digest = BodyDigest(of: page.response.body)
    guard !pager.repeats(digest), let (records, body) = look(into: page, pager) else { return false }
    let answer = AnswerValues(body: body, context: page.context(run, requests.builder))
    if case .page = pager.next(records: records, answer: answer, body: digest, request: page.request) { return true }
    return false
  }

  private func look(into page: Page, _ pager: Pager) -> (PageCount, BodyInspection?)? {
    let (response, endpoint) = (page.response, requests.endpoint)
    if response.status == 204 || response.status == 205 || response.body.count == 0 { return (PageCount(), nil) }
    guard let format = try? response.bodyFormat(isNDJSON: endpoint.isNDJSON, isLenient: endpoint.isLenient),
      !format.isNDJSON, let records = try? records(response.body.source, format)
    else { return nil }
    do throws(JSONError) {
      // Nil where nothing is read in the body.
      let body = try run.inspect(response.body.source, format: format, paths: pager.bodyPaths)
      return (records, body)
    } catch {
      return nil
    }
  }

  private func records(_ source: BodySource, _ format: BodyFormat) throws -> PageCount {
    let places = requests.endpoint.places
    var counter = RecordCounter()
    let counts = try BodyReader(
      tree: PlaceTree(places: places.map { PlaceTree.Place(path: $0.path, reads: $0.reads) }),
      limits: run.mapping.source.limits.json, format: format, isInterrupted: run.isInterrupted
    ).read(source, into: &counter).counts
    return PageCount(
      all: counts.reduce(0, +), first: counts.first ?? 0,
      digest: places.areSelfContained ? BodyDigest(counter.sum) : nil)
  }
}

/// Lets records pass by: the reader counts them.
private struct RecordCounter: RecordReceiver {
  var sum = TextSum()

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) {
    sum.add(record, at: position.place)
  }
}
