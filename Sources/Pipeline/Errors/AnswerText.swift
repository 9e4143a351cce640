import JSONReading

/// How people are told of an error answer: endpoint, method, URL, status, the API's own words, and, where no rule
/// explains it, what the body says.
struct AnswerText {
  var endpoint: String
  var method: String
  /// Redacted.
  var url: String
  /// Whose answer it is after redirects; redacted.
  var redirectedURL: String?
  var status: Int
  /// Nothing was asked that a 304 answers.
  var isUnasked304 = false
  var course: AnswerCourse
  var excerpt: String?

  var text: String {
    var text = "endpoint '\(endpoint)': \(method) \(url)"
    if let redirectedURL { text += ", redirected to \(redirectedURL)," }
    text += " answered \(status)"
    if let code = course.code { text += " (\(code))" }
    if let message = course.message { text += ": \(message)" }
    if isUnasked304 { text += ": 'not modified', but no condition was sent" }
    if course.message == nil, course.code == nil, !course.wordPaths.isEmpty {
      text +=
        "; it has nothing at \(course.wordPaths.map { "'\($0.text)'" }.joined(separator: ", ")), where its rule in "
        + "'errors' looks for the API's words"
    }
    if !course.hasRule, let excerpt, !excerpt.isEmpty { text += "; the body begins: \(excerpt)" }
    return text
  }
}
