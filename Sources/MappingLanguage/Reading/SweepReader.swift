import MarkedYAML

/// Reads `sweep` of a record: a boolean, or a map.
enum SweepReader {
  static func sweep(_ view: MapView) -> SweepDeclaration? {
    guard let entry = view.entry("sweep") else { return nil }
    guard let map = MapView(entry.value, as: .sweep) else {
      return view.boolean("sweep") == true ? SweepDeclaration(span: entry.value.span) : nil
    }
    return SweepDeclaration(
      condition: map.text("where"), maxDelete: map.text("max_delete").flatMap { Quantity.share($0.value) },
      span: map.span)
  }
}
