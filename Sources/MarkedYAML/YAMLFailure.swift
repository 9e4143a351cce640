import Diagnostics

/// A finding after which a text cannot be read on.
struct YAMLFailure: Error {
  let diagnostic: Diagnostic

  init(_ diagnostic: Diagnostic) {
    self.diagnostic = diagnostic
  }
}
