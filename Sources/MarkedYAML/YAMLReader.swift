package import Diagnostics

/// Reads YAML text into nodes that know their place.
package enum YAMLReader {
  /// The root of the file's one document, and all findings in the order of their places.
  ///
  /// The root is nil where a text cannot be read to its end, and, without a finding, where it has no document: when it
  /// is empty or all comments. A duplicate key, an unknown alias, a foreign tag, a key that is a collection, or a merge
  /// of something else are findings after which the reading goes on: the first of two keys stays, an unknown alias
  /// stands for null, the others are left out. Limits: `YAMLLimits`; `bytes` may be another for what is no mapping.
  package static func read(
    _ file: SourceFile, bytes: Int = YAMLLimits.bytes
  ) -> (root: YAMLNode?, diagnostics: [Diagnostic]) {
    do throws(YAMLFailure) {
      let text = try CheckedText(file, limit: bytes)
      var builder = NodeBuilder(PlaceFinder(file: file, scalarsBefore: text.scalarsBefore), text)
      do throws(YAMLFailure) {
        try builder.read()
        return (builder.root, builder.diagnostics.inOrder())
      } catch {
        return (nil, (builder.diagnostics + [error.diagnostic]).inOrder())
      }
    } catch {
      return (nil, [error.diagnostic])
    }
  }
}
