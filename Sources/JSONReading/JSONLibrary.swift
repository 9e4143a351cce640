import CStage1

/// The C++ library that finds JSON's structure.
package enum JSONLibrary {
  /// Name and version.
  package static var version: String { "simdjson \(String(cString: stage1_version()))" }
}
