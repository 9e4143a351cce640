package import Diagnostics

/// A mapping as it is written: sections of a file and of what it includes, checked for structure, not yet compiled.
package struct Mapping: Sendable {
  package var source: SourceDeclaration
  package var variables: [VariableDeclaration]
  package var records: [RecordDeclaration]
  package var endpoints: [EndpointDeclaration]
  package var errors: [ErrorRuleDeclaration]
  package var store: StoreDeclaration?
  package var tests: [TestDeclaration]
  /// The main file first, then what it includes.
  package var files: [SourceFile]
  /// Something is wrong that may have been meant to name a record that nothing uses.
  package var mayHideRecord = false
  /// Where the entries of `records` stand, whatever could be read of them.
  package var recordSpans: [SourceSpan] = []

  package init(
    source: SourceDeclaration, variables: [VariableDeclaration] = [], records: [RecordDeclaration] = [],
    endpoints: [EndpointDeclaration] = [], errors: [ErrorRuleDeclaration] = [], store: StoreDeclaration? = nil,
    tests: [TestDeclaration] = [], files: [SourceFile]
  ) {
    self.source = source
    self.variables = variables
    self.records = records
    self.endpoints = endpoints
    self.errors = errors
    self.store = store
    self.tests = tests
    self.files = files
  }
}
