/// Puts a request's URL together.
package enum URLBuilder {
  /// Base and path joined by exactly one slash, then the parameters behind the queries that both may have.
  ///
  /// In `path`, values must have gone through `PercentEncoding.segment`; what else no path may hold is encoded, `.`
  /// and `..` are sent as they are. Names and values of parameters are given raw. A fragment of the base is left out.
  package static func url(
    base: String, path: String, query parameters: [(name: String, value: String)] = []
  ) throws(FetchError) -> String {
    var url = try WebURL(base)
    guard !path.utf8.contains(where: ASCII.isControl) else {
      throw FetchError(.badURL, "the path holds a control character", nothingSent: true)
    }
    let (ownPath, ownQuery) = split(path)
    if !ownPath.isEmpty {
      var front = url.path.utf8[...]
      while front.last == 0x2F { front.removeLast() }
      url.path = String(utf8: front) + "/" + String(utf8: ownPath.utf8.drop { $0 == 0x2F })
    }
    url.query = joined([url.query, ownQuery])
    return appending(parameters, to: url).text
  }

  /// The URL with further parameters behind its query.
  package static func appending(_ parameters: [(name: String, value: String)], to url: WebURL) -> WebURL {
    guard !parameters.isEmpty else { return url }
    var url = url
    url.query = joined([url.query, encoded(parameters)])
    return url
  }

  /// `name=value&…`, as a query and as a form.
  package static func encoded(_ parameters: [(name: String, value: String)]) -> String {
    parameters.map { PercentEncoding.query($0.name) + "=" + PercentEncoding.query($0.value) }.joined(separator: "&")
  }

  private static func split(_ path: String) -> (String, String?) {
    let front = path.utf8.prefix { $0 != 0x3F }
    let query = front.count == path.utf8.count ? nil : String(utf8: path.utf8.dropFirst(front.count + 1))
    return (PercentEncoding.path(String(utf8: front)), query.map(PercentEncoding.wholeQuery))
  }

  private static func joined(_ queries: [String?]) -> String? {
    let present = queries.compactMap { $0 }
    let filled = present.filter { !$0.isEmpty }
    return present.isEmpty ? nil : filled.joined(separator: "&")
  }
}
