/// Next URLs: what an API says of where its next page is, and the request for it.
extension HTTPRequest {
  /// Where the next page is, seen from this request: absolute.
  ///
  /// A parameter that repeats a credential of this request has `Redactor.mark` in place of its value, so that the URL can be
  /// kept; `WebURL.filling` puts it back. To another origin no such parameter goes; a credential elsewhere in such a URL
  /// is an error, and so is a way from https to http.
  package func nextURL(_ reference: String) throws(FetchError) -> String {
    let own = try WebURL(url)
    let target = try own.resolve(reference)
    guard own.scheme == "http" || target.scheme == "https" else {
      throw FetchError(.badURL, "it leads from https to http, which is refused")
    }
    guard target.origin != own.origin else { return sealed(target, own: own).text }
    let stripped = target.removingParameters(named: credentialParams)
    guard !RedirectTrail.credentials(of: self, at: own).contains(stripped.text) else {
      throw FetchError(.badURL, "it leads to another origin, \(target.origin.text), with a credential in it")
    }
    return stripped.text
  }

  /// A URL without the parameters that carry credentials: what tells one page from another. As it is, when it is none.
  package func identity(of text: String) -> String {
    (try? WebURL(text))?.removingParameters(named: credentialParams).text ?? text
  }

  /// Takes away what may not go to another origin; the names of parameters stay known.
  package mutating func removeCredentials() {
    headers.removeAll { $0.holdsCredential || $0.isNamed("Host") }
    basic = nil
    signer = nil
  }

  private func sealed(_ target: WebURL, own: WebURL) -> WebURL {
    let credentials = own.parameters.filter { $0.isNamed(in: credentialParams) }
    // Those that are put on when a request goes out are no part of what is kept.
    let later = credentialParams.filter { name in !credentials.contains { $0.name.hasSameBytes(as: name) } }
    return target.removingParameters(named: later).replacingValues { parameter in
      let named = credentials.filter { $0.name.hasSameBytes(as: parameter.name) }
      // Of several with one name nobody could tell which it was.
      return named.count == 1 && named[0].value.hasSameBytes(as: parameter.value) ? Redactor.mark : nil
    }
  }
}

extension WebURL {
  /// Puts values of parameters back where `HTTPRequest.nextURL` has left its mark, and adds the `required` that are not there.
  package func filling(
    _ values: [(name: String, value: String)], required: [(name: String, value: String)]
  ) -> WebURL {
    let names = parameters.map(\.name)
    let filled = replacingValues { parameter in
      guard parameter.value.hasSameBytes(as: Redactor.mark) else { return nil }
      return (values + required).first { $0.name.hasSameBytes(as: parameter.name) }?.value
    }
    return URLBuilder.appending(
      required.filter { pair in !names.contains { $0.hasSameBytes(as: pair.name) } }, to: filled)
  }

  /// The other bytes of the query stay as they are.
  fileprivate func replacingValues(_ value: (QueryParameter) -> String?) -> WebURL {
    guard let query else { return self }
    var isChanged = false
    let pairs = query.utf8.split(separator: 0x26, omittingEmptySubsequences: false).map { pair -> String in
      let text = String(utf8: pair)
      guard let value = value(QueryParameter(text: text)) else { return text }
      isChanged = true
      return String(utf8: pair.prefix { $0 != 0x3D }) + "=" + PercentEncoding.query(value)
    }
    guard isChanged else { return self }
    var url = self
    url.query = pairs.joined(separator: "&")
    return url
  }
}
