import Records

/// The type of a column, from what stood there.
struct ColumnTypes {
  var type: ColumnType?
  var format: String?
  /// What is uncertain, for the report and the draft.
  var note: String?
  /// What is uncertain, and to be seen in the draft without words.
  var doubt: String?

  /// `name` is the member's: numbers are dates only where it says so.
  init(_ shape: ValueShape, name: String) {
    let profile = shape.profile
    if shape.present == 0 {
      note = "null wherever it stands: its type is not known"
    } else if shape.objects + shape.arrays > 0 {
      type = .json
      if profile.count > 0 || shape.objects > 0 && shape.arrays > 0 {
        note = "values of several kinds: kept as JSON"
      }
    } else if profile.booleans == profile.count {
      type = .boolean
    } else if profile.booleans > 0 {
      (type, note) = (.json, "booleans beside other values: kept as JSON")
    } else if profile.numbers == profile.count {
      number(profile, name)
    } else if profile.texts == profile.count {
      text(profile)
    } else if profile.isInteger || profile.isExactAsReal {
      (type, note) = (.any, "numbers and texts: any, as they come")
    } else {
      (type, note) = (.text, "numbers and texts: kept as text, with every digit")
    }
  }

  private mutating func number(_ profile: ScalarProfile, _ name: String) {
    guard profile.isInteger else {
      guard !profile.isExactAsReal else { return type = .real }
      type = profile.isDecimal ? .decimal : .text
      return note = "numbers that a double does not hold exactly: kept as \(profile.isDecimal ? "decimal" : "text")"
    }
    type = .integer
    guard Self.isNameOfTime(name) else { return }
    for (format, unit) in [("epoch_s", Int64(1)), ("epoch_ms", 1000)] {
      guard profile.smallest >= 900_000_000 * unit, profile.largest <= 4_200_000_000 * unit else { continue }
      (type, self.format) = (.timestamp, format)
      doubt = "whole numbers that look like times since 1970: read as \(format)"
    }
  }

  private mutating func text(_ profile: ScalarProfile) {
    type = .text
    guard profile.blanks < profile.texts else { return }
    let fitting = TypeCandidate.all.indices.filter { profile.candidates & (1 << UInt64($0)) != 0 }
    guard let first = fitting.first else { return }
    let candidate = TypeCandidate.all[first]
    let formats = fitting.compactMap { TypeCandidate.all[$0].format }.filter {
      $0.hasPrefix("dd/MM") || $0.hasPrefix("MM/dd")
    }
    if formats.count > 1 {
      return note = "dates that can be read in two ways (\(formats.joined(separator: ", "))): kept as text"
    }
    (type, format) = (candidate.type, candidate.format)
    if profile.blanks > 0, type != .text { note = "blank text among values of type \(candidate.type.rawValue): null" }
  }

  /// `created_at`, `updatedAt`, `timestamp`, `expires`: of things that happen at a time.
  private static func isNameOfTime(_ name: String) -> Bool {
    let name = Names.snake(name)
    let words = ["time", "timestamp", "created", "updated", "modified", "expires", "expiry", "date", "ts"]
    return words.contains { name == $0 || name.hasSuffix("_" + $0) } || name.hasSuffix("_at") || name.hasSuffix("_on")
  }
}
