/// A URL as a HAR file has it.
struct HARAddress {
  let origin: String
  private let segments: [String]

  /// What a mapping of the origin calls its source.
  var sourceName: String { Self.sourceName(of: origin) }

  static func sourceName(of origin: String) -> String {
    let name = Names.snake(origin.split(separator: "/").last.map(String.init) ?? "")
    return name.isEmpty ? "api" : name
  }

  init?(_ url: String) {
    guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
    let rest = url.dropFirst(scheme.count).prefix { $0 != "?" && $0 != "#" }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    guard let host = parts.first?.split(separator: "@").last, !host.isEmpty else { return nil }
    origin = scheme + host.lowercased()
    segments = parts.dropFirst().filter { !$0.isEmpty }.map(String.init)
  }

  /// The path, with parameters in place of ids, and secrets in place of what looks like a credential: `/users/7/posts` is
  /// `/users/{user_id}/posts`.
  var pattern: String {
    var names = NameSet()
    var secrets = NameSet()
    var parts: [String] = []
    var before = ""
    for segment in segments {
      if LikelySecret.isSegment(segment, after: before) {
        parts.append(LikelySecret.segment(sourceName.uppercased(), after: before, &secrets))
      } else if Dictionaries.isID(Array(segment.utf8)), !isVersion(segment) {
        let owner = Names.singular(Names.snake(before))
        parts.append("{\(names.add(owner.isEmpty ? "id" : owner + "_id"))}")
      } else {
        parts.append(
          segment.contains { "{}*:".contains($0) } ? "{\(names.add("part"))}" : TemplateText.segment(segment))
      }
      before = segment
    }
    return "/" + parts.joined(separator: "/")
  }

  /// `v2`, `2.0`.
  private func isVersion(_ segment: String) -> Bool {
    let rest = segment.lowercased().hasPrefix("v") ? segment.dropFirst() : segment[...]
    return segment.count <= 4 && rest.count < segment.count || segment.contains(".")
  }

  /// What names the records of a body: the last segment that is no id.
  var stem: String {
    let before = [""] + segments
    let plain = zip(segments, before).filter { !LikelySecret.isSegment($0, after: $1) }.map(\.0)
    return plain.last { !Dictionaries.isID(Array($0.utf8)) } ?? plain.last ?? "answer"
  }

  var hasSecret: Bool { zip(segments, [""] + segments).contains { LikelySecret.isSegment($0, after: $1) } }
}

/// Base64 as HAR files have it.
enum Base64Text {
  static func decoded(_ text: String) -> [UInt8]? {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var values = [UInt8](repeating: 255, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
    for byte in text.utf8 where byte != UInt8(ascii: "=") && byte > 0x20 {
      guard values[Int(byte)] < 64 else { return nil }
      bits = bits << 6 | UInt32(values[Int(byte)])
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }
}
