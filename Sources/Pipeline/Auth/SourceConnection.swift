package import Diagnostics
package import Fetch
package import MappingLanguage
package import PlanCompiler

/// How the requests of a source leave this machine: through which proxy, by which certificates. Files are looked at before
/// anything is asked.
package struct SourceConnection: Sendable {
  package private(set) var proxy: String?
  package private(set) var tls = TLSSettings()
  /// Where the client certificate may go.
  package private(set) var certificateOrigins: Set<Origin> = []
  /// What is wrong with the files, and what is to be warned of on every run.
  package private(set) var findings: [Diagnostic] = []
  /// What the environment has a say in.
  package private(set) var notes: [String] = []

  package init(mapping: Mapping, scope: Interpolation, redactor: Redactor) throws(PipelineError) {
    let builder = RequestBuilder(mapping: mapping, scope: scope)
    let home = try builder.home()
    if let home { certificateOrigins.insert(home) }
    if case .oauth2(let declaration) = mapping.source.auth,
      let url = try? WebURL(builder.tokenURL(declaration.tokenURL))
    {
      certificateOrigins.insert(url.origin)
    }
    try readFiles(mapping.source.tls, builder)
    if let declared = mapping.source.proxy {
      proxy = try Self.proxy(declared, builder)
    } else if let home, let found = EnvironmentProxy.find(for: home.scheme, host: home.host, in: scope.environment) {
      try Self.checkPerson(in: found.url, "the proxy of the environment (\(found.variable))")
      let shown = Redactor().redacted(url: found.url)
      notes.append(
        "requests go through the proxy \(shown), which the environment names (\(found.variable)), save to hosts that "
          + "no_proxy names; 'proxy' of the source goes before it")
      Self.learn(found.url, redactor)
    }
    if let proxy { Self.learn(proxy, redactor) }
  }

  // MARK: Files

  private mutating func readFiles(_ declared: TLSDeclaration, _ builder: RequestBuilder) throws(PipelineError) {
    if let insecurity = declared.insecurity {
      tls.isInsecure = true
      findings.append(insecurity)
    }
    let authorities = try file(declared.caFile, "the certificate authorities", holding: "CERTIFICATE", builder)
    let certificate = try file(declared.certificate, "the client certificate", holding: "CERTIFICATE", builder)
    let key = try file(declared.key, "the client's key", holding: "PRIVATE KEY", builder)
    (tls.caFile, tls.certificate, tls.key) = (authorities?.path, certificate?.path, key?.path)
    if let place = declared.key ?? declared.certificate, let file = key ?? certificate {
      checkKey(file, isAlone: key != nil, at: place.span)
    }
  }

  private mutating func file(
    _ template: Located<Template>?, _ what: String, holding word: String, _ builder: RequestBuilder
  ) throws(PipelineError) -> (path: String, file: SmallFile)? {
    guard let template else { return nil }
    let written = try builder.text(template)
    let path = FilePath.resolve(written, from: template.span.file.name)
    do throws(FetchError) {
      let file = try SmallFile(path)
      guard Self.holds("-----BEGIN ", then: word, in: file.bytes) else {
        report(.badValue, "'\(path)' holds no \(word.lowercased()) in PEM", at: template.span)
        return nil
      }
      guard Self.holds("-----END ", then: word, in: file.bytes) else {
        report(
          .badValue, "'\(path)' breaks off within its \(word.lowercased())", at: template.span,
          hint: "get the file again: it has to reach the line -----END")
        return nil
      }
      return (path, file)
    } catch {
      report(.unreadableFile, "\(what) cannot be read: \(path): \(error.message)", at: template.span)
      return nil
    }
  }

  private mutating func checkKey(_ entry: (path: String, file: SmallFile), isAlone: Bool, at span: SourceSpan) {
    let bytes = entry.file.bytes
    if !isAlone, !Self.holds("-----BEGIN ", then: "PRIVATE KEY", in: bytes) {
      return report(
        .badValue, "'\(entry.path)' holds a certificate and no key", at: span, hint: "name the key's file by 'key'")
    }
    if Self.holds("ENCRYPTED", then: "", in: bytes) {
      report(
        .badValue, "the key in '\(entry.path)' has a passphrase, which nobody is asked for", at: span,
        hint: "write it without one: openssl pkey -in FILE -out OTHER")
    }
    if entry.file.isOpenToOthers {
      findings.append(
        Diagnostic(
          .insecure, "the client's key '\(entry.path)' can be read by other users (mode \(entry.file.modeText))",
          at: span, hint: "chmod 600 keeps it yours", severity: .warning))
    }
  }

  private mutating func report(_ code: DiagnosticCode, _ message: String, at span: SourceSpan, hint: String? = nil) {
    findings.append(Diagnostic(code, message, at: span, hint: hint))
  }

  /// Does a line have both, one behind the other?
  private static func holds(_ start: String, then word: String, in bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      guard let end = line.firstRange(of: Array(start.utf8))?.upperBound else { return false }
      return word.isEmpty || line[end...].firstRange(of: Array(word.utf8)) != nil
    }
  }

  // MARK: Proxy

  /// A value that is one `${…}` is the whole URL; what else stands before the `@` is percent-encoded, so that a password
  /// may hold anything.
  private static func proxy(_ declared: Located<Template>, _ builder: RequestBuilder) throws(PipelineError) -> String {
    let template = declared.value
    var result = ""
    let end = template.pieces.lastIndex { if case .text(let text) = $0 { text.utf8.contains(0x40) } else { false } }
    for (index, piece) in template.pieces.enumerated() {
      let one = Template(pieces: [piece], core: template.core)
      let isPerson = end.map { index < $0 } ?? false
      let value = try builder.text(one)
      if case .text = piece { result += value } else { result += isPerson ? PercentEncoding.segment(value) : value }
    }
    guard isProxy(result) else { throw PipelineError(.refused, "'proxy' is no URL such as http://proxy.example:3128") }
    try checkPerson(in: result, "'proxy'")
    return result
  }

  /// A line end would end the header that says who asks; libcurl refuses it without saying why.
  private static func checkPerson(in url: String, _ what: String) throws(PipelineError) {
    guard let person = person(in: url), PercentEncoding.decode(person).contains(where: { $0 < 0x20 || $0 == 0x7F })
    else { return }
    throw PipelineError(
      .refused, "user name or password of \(what) hold a line break or another control character")
  }

  private static func isProxy(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
    guard let range = bytes.firstRange(of: Array("://".utf8)) else { return true }
    let scheme = String(decoding: bytes[..<range.lowerBound], as: UTF8.self).lowercased()
    return ProxyScheme.allCases.contains { $0.rawValue.utf8.elementsEqual(scheme.utf8) }
      && range.upperBound < bytes.count
  }

  /// The password within a proxy's URL is a secret, however it came there.
  private static func learn(_ url: String, _ redactor: Redactor) {
    guard let person = person(in: url), let colon = person.firstIndex(of: UInt8(ascii: ":")) else { return }
    redactor.learn(String(decoding: PercentEncoding.decode(person[(colon + 1)...]), as: UTF8.self))
  }

  /// What stands before the `@`.
  private static func person(in url: String) -> ArraySlice<UInt8>? {
    let bytes = Array(url.utf8)
    let start = bytes.firstRange(of: Array("://".utf8))?.upperBound ?? 0
    let place = bytes[start...].prefix { $0 != UInt8(ascii: "/") }
    return place.lastIndex(of: UInt8(ascii: "@")).map { place[..<$0] }
  }
}
