import Diagnostics
import MappingLanguage

/// Tells versions of a mapping apart: what was stored under another one is not continued.
enum MappingDigest {
  static func of(_ mapping: Mapping) -> String {
    var digest = BodyDigest()
    for file in mapping.files {
      digest.add(Array(file.name.utf8.split(separator: UInt8(ascii: "/")).last ?? [])[...])
      digest.add(file.bytes[...])
    }
    return digest.text
  }
}
