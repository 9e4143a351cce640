/// A name of the file in a message: in quotes, and cut where it is long.
struct ShortName: CustomStringConvertible {
  private static let longest = 60
  let description: String

  init(_ name: String) { description = "'\(Self.cut(name))'" }

  /// The name, or its beginning and a mark that there is more.
  static func cut(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard scalars.count > longest else { return name }
    return String(String.UnicodeScalarView(scalars.prefix(longest))) + "…"
  }
}
