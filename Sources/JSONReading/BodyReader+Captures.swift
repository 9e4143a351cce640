/// What a body has where a capture leads.
package enum Captured {
  case missing
  case value(JSONDocument)
  /// A value of this kind stands on the way, which no step leads into.
  case wrongShape(JSONKind)
}

extension BodyReader {
  /// Reads a body for its captures alone, once and to its end: those that start at the root, in the tree's order. Throws
  /// what is wrong with the body.
  package func captures(of source: BodySource) throws(JSONError) -> [Captured] {
    let collected = try collect(source)
    var found: [Captured] = []
    for (index, list) in collected.captures.enumerated() {
      let text = Array(list[0])
      if !text.isEmpty {
        found.append(.value(try JSONDocument(text, limits: limits)))
      } else {
        found.append(collected.wrongShapes[index].map { .wrongShape($0) } ?? .missing)
      }
    }
    return found
  }
}
