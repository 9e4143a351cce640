import MappingLanguage

/// Names that a draft gives.
enum Names {
  /// Bytes that a name may have: what PostgreSQL takes, less what a number behind it needs.
  private static let longest = 56

  /// A name of a column or table: small letters, digits and `_`.
  static func snake(_ text: String) -> String {
    var name = ""
    var isGap = false
    for scalar in SnakeCase.of(text).unicodeScalars {
      let properties = scalar.properties
      if properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .nonspacingMark {
        if isGap, !name.isEmpty { name += "_" }
        isGap = false
        name.unicodeScalars.append(scalar)
      } else {
        isGap = true
      }
    }
    while name.utf8.count > longest { name.unicodeScalars.removeLast() }
    return name.hasSuffix("_") ? String(name.dropLast()) : name
  }

  /// A name of a record: `order_items` is `OrderItem`.
  static func record(_ text: String) -> String {
    let name = singular(snake(text)).split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
    return name.isEmpty ? "Record" : name
  }

  /// The singular of an English word, where that is plain.
  static func singular(_ name: String) -> String {
    func ends(_ ending: String) -> Bool { name.hasSuffix(ending) && name.count > ending.count + 1 }
    if ["news", "series", "species", "status", "data", "address", "lens", "canvas", "gas"].contains(where: {
      name == $0 || name.hasSuffix("_" + $0)
    }) {
      return name
    }
    if ends("ies") { return name.dropLast(3) + "y" }
    if ends("sses") || ends("xes") || ends("ches") || ends("shes") { return String(name.dropLast(2)) }
    if ["ss", "us", "is"].contains(where: name.hasSuffix) || !ends("s") { return name }
    return String(name.dropLast())
  }
}

/// Names that no other may have, letter case aside.
struct NameSet {
  private var taken: Set<String>

  init(_ names: [String] = []) { taken = Set(names.map { $0.lowercased() }) }

  /// The name, or it with a number behind it.
  mutating func add(_ name: String, orElse other: String = "value") -> String {
    var base = name.isEmpty ? other : name
    if base.hasPrefix("_ingest") || base.hasPrefix("sqlite_") { base = "x_" + base }
    if taken.insert(base.lowercased()).inserted { return base }
    var number = 2
    // Ends: there are more numbers than names.
    while !taken.insert("\(base)_\(number)".lowercased()).inserted { number += 1 }
    return "\(base)_\(number)"
  }
}
