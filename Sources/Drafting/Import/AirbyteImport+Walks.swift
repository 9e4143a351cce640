import JSONReading
import Records
import Values

/// Pages, and what is asked for since the last time.
extension AirbyteImport {
  mutating func paginate(_ part: ManifestPart?, _ place: DraftPath, _ stream: String) -> DraftNode? {
    guard let part, part.kind == "DefaultPaginator", let strategy = part.own("pagination_strategy") else {
      if let part, part.kind != "NoPagination" {
        note(part.line, stream, "the paginator '\(part.kind)' is not carried over")
      }
      return nil
    }
    let option = part.own("page_token_option")
    var entries: [DraftNode.Entry]
    switch strategy.kind {
    case "PageIncrement":
      let start = strategy.own("start_from_page")?.node.word ?? "0"
      entries = [.init("by", .text("page")), .init("start", .bare(Int(start) == nil ? "0" : start))]
    case "OffsetIncrement": entries = [.init("by", .text("offset"))]
    case "CursorPagination":
      guard let found = cursor(strategy, option, place, stream) else { return nil }
      entries = found
    default:
      note(strategy.line, stream, "the pagination '\(strategy.kind)' is not carried over")
      return nil
    }
    let isAsked = entries.contains { $0.key == "by" && ["next_url", "link_header"].contains($0.value.flow) }
    if !isAsked {
      guard let name = option?.own("field_name")?.text else {
        note(part.line, stream, "it is not said which parameter asks for a page: paging is not carried over")
        return nil
      }
      entries.insert(.init("param", .text(name)), at: 1)
      addPlace(option, &entries)
    }
    addSize(part, strategy, &entries, stream)
    return .map(entries)
  }

  private func addPlace(_ option: ManifestPart?, _ entries: inout [DraftNode.Entry]) {
    switch option?.own("inject_into")?.text {
    case "header": entries.append(.init("in", .text("header")))
    case "body_json", "body_data": entries.append(.init("in", .text("body")))
    default: break
    }
  }

  private mutating func addSize(
    _ part: ManifestPart, _ strategy: ManifestPart, _ entries: inout [DraftNode.Entry], _ stream: String
  ) {
    guard let word = strategy.own("page_size")?.node.word else { return }
    guard let size = Int(word), size > 0 else {
      return note(strategy.line, stream, "page_size '\(word)' is no number: not carried over")
    }
    if let option = part.own("page_size_option"),
      option.own("inject_into")?.text ?? "request_parameter" == "request_parameter",
      let name = option.own("field_name")?.text
    {
      entries.append(.init("size_param", .text(name)))
      entries.append(.init("size", .bare("\(size)")))
    } else if entries.contains(where: { $0.value.flow == "offset" }) {
      entries.append(.init("size", .bare("\(size)")))
    }
  }

  private mutating func cursor(
    _ strategy: ManifestPart, _ option: ManifestPart?, _ place: DraftPath, _ stream: String
  ) -> [DraftNode.Entry]? {
    let text = strategy.own("cursor_value")?.text ?? ""
    guard let chain = Jinja.expression(text).flatMap(Jinja.chain), chain.count > 1 else {
      note(strategy.line, stream, "cursor_value '\(text)' is not known: paging is not carried over")
      return nil
    }
    var entries: [DraftNode.Entry]
    let isURL = option?.kind == "RequestPath"
    switch chain[0] {
    case "headers" where chain.map({ $0.lowercased() }) == ["headers", "link", "next", "url"]:
      return [.init("by", .text("link_header"))]
    case "response":
      let path = DraftPath(steps: chain.dropFirst().map { .member(JSONName($0)) }).text
      entries = [.init("by", .text(isURL ? "next_url" : "cursor")), .init("from", .text(path))]
    case "last_record", "last_records":
      let rest = chain.dropFirst(chain[0] == "last_record" || chain.count < 3 ? 1 : 2)
      var last = place.appending(.element(-1))
      for name in rest { last = last.member(JSONName(name)) }
      entries = [.init("by", .text("last_value")), .init("from", .text(last.text))]
    default:
      note(strategy.line, stream, "cursor_value '\(text)' is not known: paging is not carried over")
      return nil
    }
    if let stop = strategy.own("stop_condition")?.node.word {
      let inner = Jinja.expression(stop) ?? stop
      let names = inner.hasPrefix("not ") ? Jinja.chain(String(inner.dropFirst(4))) : nil
      if let names, names.count > 1, names[0] == "response" {
        // Without a cursor a walk ends anyway.
        if names != chain {
          let path = DraftPath(steps: names.dropFirst().map { .member(JSONName($0)) }).text
          entries.append(.init("has_more", .text(path)))
        }
      } else {
        note(strategy.line, stream, "stop_condition '\(stop)' is not carried over: the walk ends without a cursor")
      }
    }
    return entries
  }

  // MARK: incremental

  mutating func incremental(_ part: ManifestPart, _ record: String, _ stream: String) -> DraftNode? {
    guard let sync = part.own("incremental_sync") else { return nil }
    let option = sync.own("start_time_option")
    guard sync.kind == "DatetimeBasedCursor", let field = sync["cursor_field"]?.text,
      let column = records.column(of: field, in: record), let name = option?.own("field_name")?.text,
      option?.own("inject_into")?.text ?? "request_parameter" == "request_parameter"
    else {
      note(sync.line, stream, "incremental_sync is not carried over: every run asks for everything")
      return nil
    }
    var entries: [DraftNode.Entry] = [.init("column", .text(column)), .init("param", .text(name))]
    if let format = sync.own("datetime_format")?.text {
      guard let pattern = ManifestDate.pattern(format) else {
        note(sync.line, stream, "datetime_format '\(format)' is not known: incremental_sync is not carried over")
        return nil
      }
      if records.setTime(column, in: record, format: pattern) { entries.append(.init("format", .text(pattern))) }
    }
    note(sync.line, stream, "where incremental_sync starts, its slices and lookback are not carried over")
    return .map(entries)
  }
}

/// Dates as manifests write them: those of `strftime`, and some of their own.
enum ManifestDate {
  static func pattern(_ format: String) -> String? {
    switch format {
    case "%ms": "epoch_ms"
    case "%epoch_microseconds": "epoch_us"
    case "%s_as_float": nil
    // Three digits of a second.
    default: StrftimePattern.pattern(of: format.replacing("%_ms", with: "%L"))
    }
  }
}
