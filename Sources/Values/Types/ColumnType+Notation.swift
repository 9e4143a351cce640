package import Records

extension ColumnType {
  /// How a constant of the type is written, where people write it in several ways.
  package var notation: String? {
    switch self {
    case .date: "2015-07-04"
    case .time: "18:30:00"
    case .timestamp: "2015-07-04 18:30:00"
    case .boolean: "true or false"
    default: nil
    }
  }
}
