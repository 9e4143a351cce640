/// Names in snake_case, of columns, and of the tables that are made from names of records.
package enum SnakeCase {
  /// `HTTPServer` → `http_server`, `createdAt` → `created_at`, `User.tags` → `user_tags`.
  ///
  /// Words begin at a capital behind a small letter or digit, and at the last capital of a row before a small letter.
  /// White space, dots and hyphens become `_`.
  package static func of(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      if scalar == "." || scalar == "-" || scalar.properties.isWhitespace {
        result += "_"
        continue
      }
      if scalar.properties.isUppercase, index > 0, startsWord(at: index, in: scalars) { result += "_" }
      result += scalar.properties.lowercaseMapping
    }
    return result
  }

  private static func startsWord(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    let before = scalars[index - 1].properties
    if before.isLowercase || before.numericType != nil { return true }
    let isBeforeSmall = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
    return before.isUppercase && isBeforeSmall
  }
}
