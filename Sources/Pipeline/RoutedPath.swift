import Fetch
package import MappingLanguage
package import PlanCompiler

/// A URL or path that somebody asks about, as the patterns see it.
package enum RoutedPath: Sendable, Hashable {
  /// Below the base URL.
  case path(String)
  /// A URL of another origin, or outside of the base URL's path.
  case elsewhere(String)

  package init(_ text: String, mapping: Mapping, scope: Interpolation) {
    guard text.utf8.starts(with: "http://".utf8) || text.utf8.starts(with: "https://".utf8) else {
      self = .path(text)
      return
    }
    guard let url = try? WebURL(text) else {
      self = .elsewhere(text)
      return
    }
    guard let base = mapping.source.baseURL, case .text(let baseText) = scope.text(of: base.value),
      let baseURL = try? WebURL(baseText)
    else {
      self = .path(url.path)
      return
    }
    var prefix = Array(baseURL.path.utf8)
    while prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
    let path = Array(url.path.utf8)
    let isBelow = path.starts(with: prefix) && (path.count == prefix.count || path[prefix.count] == UInt8(ascii: "/"))
    guard url.origin == baseURL.origin, isBelow else {
      self = .elsewhere(url.origin == baseURL.origin ? url.origin.text + url.path : url.origin.text)
      return
    }
    self = .path(String(decoding: path.dropFirst(prefix.count), as: UTF8.self))
  }
}
