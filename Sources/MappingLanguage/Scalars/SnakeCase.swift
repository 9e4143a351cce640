/// Names in snake_case: `createdAt` is `created_at`, `HTTPServer` is `http_server`.
package enum SnakeCase {
  /// Words begin at a capital behind a small letter or digit, and at the last capital of a row before a small letter.
  /// White space and hyphens become `_`; everything else stays.
  package static func of(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    var result = ""
    for (index, scalar) in scalars.enumerated() {
      if scalar == "-" || scalar.properties.isWhitespace {
        result += "_"
        continue
      }
      if scalar.properties.isUppercase, index > 0 {
        let before = scalars[index - 1]
        let isBeforeSmall = index + 1 < scalars.count && scalars[index + 1].properties.isLowercase
        if before.properties.isLowercase || before.properties.numericType != nil
          || before.properties.isUppercase && isBeforeSmall
        {
          result += "_"
        }
      }
      result += scalar.properties.lowercaseMapping
    }
    return result
  }
}
