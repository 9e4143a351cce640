package import Diagnostics
package import JSONReading
package import Values

/// `paginate`: how the next page is asked for, and which is the last.
package struct PaginateDeclaration: Sendable {
  /// `by`: what tells one page from the next.
  package enum Kind: String, Sendable, CaseIterable {
    case page, offset, cursor
    case nextURL = "next_url"
    case linkHeader = "link_header"
    case lastValue = "last_value"

    /// The next request is a URL of the API's own.
    package var followsURLs: Bool { self == .nextURL || self == .linkHeader }
    /// Positions are counted here: one of them can be asked for again.
    package var isCounted: Bool { self == .page || self == .offset }
  }

  package enum StopRule: Sendable {
    case empty, short
    case condition(Located<Condition>)
  }

  package var by: Kind
  /// Of a page, offset, cursor or last value; nil where URLs are followed.
  package var param: PageParameter?
  /// A whole number for pages and offsets; for cursors and last values what the first request sends, if anything.
  package var start: Literal?
  package var step: Int?
  package var sizeParam: PageParameter?
  package var size: Int?
  package var from: Located<KeyPath>?
  package var hasMore: Located<KeyPath>?
  package var total: Located<KeyPath>?
  package var totalPages: Located<KeyPath>?
  package var stopWhen = StopRule.empty
  /// What a condition of `stop_when` looks at.
  package var stopPaths: [Located<KeyPath>] = []
  package var maxPages: Int?
  package var span: SourceSpan

  /// All that is read from a page's body.
  package var bodyPaths: [Located<KeyPath>] { [from, hasMore, total, totalPages].compactMap(\.self) + stopPaths }

  package init(by kind: Kind, span: SourceSpan) {
    by = kind
    self.span = span
  }
}

/// Where a request carries what paging asks for.
package enum PageParameter: Sendable, Hashable {
  case query(String)
  case header(String)
  /// A field of a form.
  case field(String)
  /// A place in a JSON body.
  case member(KeyPath)
}
