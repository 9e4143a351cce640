extension BodyReader {
  /// Reads a body for its captures alone, once and to its end: those that start at the root, in the tree's order; nil
  /// where the body does not have them. Throws what is wrong with the body.
  package func captures(of source: BodySource) throws(JSONError) -> [JSONDocument?] {
    let collected = try collect(source)
    var documents: [JSONDocument?] = []
    for list in collected.captures {
      let text = Array(list[0])
      documents.append(text.isEmpty ? nil : try JSONDocument(text, limits: limits))
    }
    return documents
  }
}
