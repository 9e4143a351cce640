import CPCRE2

/// The C library of regular expressions.
package enum PatternLibrary {
  /// Name and version.
  package static var version: String {
    var text = [CChar](repeating: 0, count: 64)
    _ = pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &text)
    return "PCRE2 \(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))"
  }
}
