import Glibc

/// Faults on purpose: Tests/Scripts/broken.py turns on one after the other, to show that a check notices it.
///
/// The target is part of a build with `INGEST_FAULTS=1` alone; no other build has any of it.
package enum Fault: String {
  case begin, cursor, sweep, repeats, greater, redirect, unpacked, gzip, header, redaction, rename, signal, identifier

  /// The one that the environment names.
  private static let chosen = getenv("INGEST_FAULT").flatMap { Fault(rawValue: String(cString: $0)) }

  package var isOn: Bool { self == Fault.chosen }
}
