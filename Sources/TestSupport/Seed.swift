import Foundation

/// Where tests that make things up begin: at `INGEST_SEED`, so that a failure can be seen again, or anywhere.
package enum Seed {
  package static let isGiven = given != nil

  /// The seeds of so many trials; when one is given, that one alone.
  package static func trials(_ count: Int) -> [UInt64] {
    if let given { return [given] }
    return (0..<count).map { _ in UInt64.random(in: 0...(.max)) }
  }

  private static let given = ProcessInfo.processInfo.environment["INGEST_SEED"].flatMap(UInt64.init)
}
