import Diagnostics
import Fetch
import JSONReading
import MappingLanguage
import PlanCompiler
import Values

/// The parts that read what others wrote.
enum FuzzTarget: String, CaseIterable {
  case json, lenient, lines, mapping, keypath, url, headers, dates, redaction
  #if STORES
    case rows
  #endif

  func run(_ bytes: [UInt8]) {
    switch self {
    case .json: readBody(bytes, BodyFormat())
    case .lenient: readBody(bytes, BodyFormat(isLenient: true))
    case .lines: readLines(bytes)
    case .mapping: readMapping(bytes)
    case .keypath: readKeyPath(bytes)
    case .url: buildURLs(bytes)
    case .headers: readHeaders(bytes)
    case .dates: readDates(bytes)
    case .redaction: redact(bytes)
    #if STORES
      case .rows: storeRows(bytes)
    #endif
    }
  }

  /// A record that is handed out is JSON: it is read again, and minifying it twice changes nothing more.
  @discardableResult
  private func readBody(_ bytes: [UInt8], _ format: BodyFormat) -> Bool {
    var receiver = Receiver()
    let reader = BodyReader(tree: Self.tree, limits: JSONLimits(record: 1 << 16, depth: 64), format: format)
    return (try? reader.read(.memory(bytes), into: &receiver)) != nil
  }

  private func readLines(_ bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0A, maxSplits: 64) { readBody(Array(line), BodyFormat()) }
  }

  #if STORES
    /// A run takes many times as long as reading: of what is no JSON, which other targets read, an eighth gets one.
    private func storeRows(_ bytes: [UInt8]) {
      guard readBody(bytes, BodyFormat()) || bytes.reduce(0, &+) & 7 == 0 else { return }
      do {
        try storedRows.take(bytes)
      } catch {
        preconditionFailure("a body that is stored throws: \(error)")
      }
    }
  #endif

  /// What has no finding has a plan.
  private func readMapping(_ bytes: [UInt8]) {
    let (mapping, findings) = MappingReader.read(SourceFile(name: "m.yaml", bytes: bytes)) { _ throws(IncludeFailure) in
      throw IncludeFailure(reason: "there is none")
    }
    guard let mapping else { return precondition(!findings.isEmpty, "no mapping and no finding") }
    let scope = Interpolation(variables: [], now: Instant(seconds: 0), isChecking: true, environment: { _ in nil })
    let (plan, more) = PlanCompiler.compile(mapping, scope: scope)
    precondition(plan != nil || (findings + more).containsErrors, "no plan and no error")
    _ = DiagnosticPrinter.text(findings + more, colour: false)
  }

  /// What is read reads back as itself.
  private func readKeyPath(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let path = try? KeyPath.parse(text) else { return }
    let again = try? KeyPath.parse(path.text)
    precondition(again == path, "a key path reads back as another")
  }

  /// A URL that was read stays what it is, and a value in it brings neither a segment nor a parameter along.
  private func buildURLs(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let base = try? WebURL(parts[0]) else { return }
    precondition((try? WebURL(base.text))?.text == base.text, "a URL reads back as another")
    guard parts.count > 1 else { return }
    _ = try? base.resolve(parts[1])
    _ = try? HTTPRequest(url: base.text).nextURL(parts[1])
    let query = [(name: "q", value: parts[1])]
    guard let built = try? URLBuilder.url(base: "http://h", path: "/a", query: query) else { return }
    precondition(built.utf8.count { $0 == UInt8(ascii: "&") } == 0, "a value became a parameter")
    precondition(!built.utf8.contains { $0 < 0x21 || $0 > 0x7E }, "a URL holds what none may hold")
  }

  private func readHeaders(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? LinkHeader.targets(of: "next", in: [text])
    _ = ServerWait.read(text, epoch: .seconds(1_700_000_000))
    let headers = ["Retry-After", "RateLimit-Reset", "X-RateLimit-Remaining"].map { HTTPHeader($0, text) }
    _ = ServerWait.afterFailure(status: 429, headers: headers, epoch: .seconds(1_700_000_000))
    _ = ServerWait.beforeNext(headers: headers, epoch: .seconds(1_700_000_000))
  }

  private func readDates(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    _ = Instant(httpDate: parts[0])
    _ = CivilDate(parts[0])
    _ = Instant(iso: parts[0])
    guard let format = try? DateFormat(parts[parts.count - 1]) else { return }
    _ = format.format(Instant(seconds: 1_436_000_000))
  }

  /// What was redacted holds no secret, unless it is made of the mark's own character.
  private func redact(_ bytes: [UInt8]) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    let secret = String(decoding: parts[0], as: UTF8.self)
    guard parts.count == 2, !Redactor.isTooShort(secret), !secret.contains("*") else { return }
    let text = Array(String(decoding: parts[1], as: UTF8.self).utf8)
    let redacted = Redactor(secrets: [secret]).redact(text)
    precondition(!redacted.contains(Array(secret.utf8)), "a secret is left")
  }

  private static let tree: PlaceTree = {
    let paths = ["rows", "items[*].a", "groups.*", "."].compactMap { try? KeyPath.parse($0) }
    return PlaceTree(places: paths.map { PlaceTree.Place(path: $0) })
  }()
}

#if STORES
  /// Inputs come one after the other, on one thread.
  nonisolated(unsafe) private let storedRows: StoredRows = {
    do {
      return try StoredRows()
    } catch {
      preconditionFailure("no store: \(error)")
    }
  }()
#endif

private struct Receiver: RecordReceiver {
  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws {
    _ = JSONPointer(position.steps)
    if record.kind == .string { _ = record.stringValue }
  }
}
