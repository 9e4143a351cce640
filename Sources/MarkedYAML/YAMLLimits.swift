/// How much a YAML text may hold. Beyond it the reading ends with the finding `yaml-limit`.
package enum YAMLLimits {
  /// Bytes of a file: 4 MiB.
  package static let bytes = 4 << 20
  /// Collections within one another, also behind an alias. libyaml takes time with the square of it.
  package static let depth = 64
  /// Lines that begin with `%`.
  package static let directives = 100
  /// Aliases of a file.
  package static let aliases = 1_000
  /// Nodes that the aliases of a file stand for, all together.
  package static let expandedNodes = 100_000
}
