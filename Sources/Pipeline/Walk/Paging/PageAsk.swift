import MappingLanguage
import Values

/// What paging adds to the request of a page.
enum PageAsk {
  /// In the order in which they are sent.
  case parameters([(parameter: PageParameter, value: Literal)])
  /// A URL of the API's own, absolute; values of credentials in it are marks.
  case url(String)
}
