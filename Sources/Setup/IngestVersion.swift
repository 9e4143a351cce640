/// The one place that knows the version.
package enum IngestVersion {
  package static let number = "0.1.0"
}
