import CLibYAML

/// The C library that splits YAML into events.
@safe package enum YAMLLibrary {
  /// Name and version.
  package static var version: String { unsafe "libyaml \(String(cString: yaml_get_version_string()))" }
}
