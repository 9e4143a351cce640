/// How people are told of an error answer: endpoint, method, URL, status, the API's own words, and, where no rule
/// explains it, what the body says.
struct AnswerText {
  var endpoint: String
  var method: String
  /// Redacted.
  var url: String
  var status: Int
  var course: AnswerCourse
  var excerpt: String?

  var text: String {
    var text = "endpoint '\(endpoint)': \(method) \(url) answered \(status)"
    if let code = course.code { text += " (\(code))" }
    if let message = course.message { text += ": \(message)" }
    if !course.hasRule, let excerpt, !excerpt.isEmpty { text += "; the body begins: \(excerpt)" }
    return text
  }
}
