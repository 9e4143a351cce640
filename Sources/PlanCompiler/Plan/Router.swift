package import MappingLanguage

/// A response descriptor: one key path of one pattern of one endpoint, and the record that stands there.
package struct ResponseDescriptor: Sendable {
  /// Index into `Plan.endpoints`.
  package var endpoint: Int
  package var pattern: PathPattern
  package var method: String?
  package var status: StatusSet
  /// Index into the endpoint's places.
  package var place: Int
}

/// Finds the descriptors of a response.
package struct Router: Sendable {
  /// In the order written.
  package var descriptors: [ResponseDescriptor]

  package enum Verdict: Sendable, Hashable {
    case matches
    case otherPath
    case otherMethod(String)
    case otherStatus
    /// Its path fits, but another pattern is more specific.
    case lessSpecific(than: String)
  }

  /// What each descriptor makes of a response, in the order of `descriptors`.
  package func verdicts(method: String, path: [[UInt8]], status: Int) -> [Verdict] {
    var verdicts = descriptors.map { descriptor -> Verdict in
      guard descriptor.pattern.match(path) != nil else { return .otherPath }
      if let wanted = descriptor.method, wanted != method { return .otherMethod(wanted) }
      return descriptor.status.contains(status) ? .matches : .otherStatus
    }
    let fitting = zip(descriptors, verdicts).filter { $0.1 == .matches }.map(\.0.pattern)
    for (index, verdict) in verdicts.enumerated() where verdict == .matches {
      if let better = fitting.first(where: { $0.isMoreSpecific(than: descriptors[index].pattern) }) {
        verdicts[index] = .lessSpecific(than: better.text)
      }
    }
    return verdicts
  }
}
