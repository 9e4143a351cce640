/// The value of a map's `<<`: a map, or a list of maps.
struct MergeKey {
  private let maps: [[YAMLEntry]]
  private let position: Int

  /// Nil when the value is something else. The position is the number of entries before it.
  init?(_ value: YAMLNode, at position: Int) {
    self.position = position
    switch value.content {
    case .mapping(let entries): maps = [entries]
    case .sequence(let items):
      var maps: [[YAMLEntry]] = []
      for item in items {
        guard case .mapping(let entries) = item.content else { return nil }
        maps.append(entries)
      }
      self.maps = maps
    case .scalar: return nil
    }
  }

  /// The map's own entries with the merged ones where `<<` stands; its own keys win, then earlier maps.
  func merged(into own: [YAMLEntry]) -> [YAMLEntry] {
    var taken = Set(own.map { Array($0.key.text.utf8) })
    var merged: [YAMLEntry] = []
    for map in maps {
      for entry in map where taken.insert(Array(entry.key.text.utf8)).inserted { merged.append(entry) }
    }
    return own[..<position] + merged + own[position...]
  }
}
