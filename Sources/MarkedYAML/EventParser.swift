import CLibYAML

/// libyaml's parser over one text, released with its owner.
///
/// The parser struct keeps pointers into itself and into its input, so both are allocated and stay where they are.
/// The input must be UTF-8 without a byte order mark.
@safe
struct EventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    unsafe input = .allocate(capacity: max(1, bytes.count))
    _ = unsafe input.initialize(from: bytes)
    unsafe parser = .allocate(capacity: 1)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      preconditionFailure("there is no memory for the parser of YAML")
    }
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe input.deallocate()
  }

  /// The next event; must not be called again after the end of the stream or an error.
  mutating func next() throws(ParserProblem) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    defer { unsafe yaml_event_delete(&event) }
    let kind = unsafe Self.kind(of: event)
    return unsafe YAMLEvent(kind: kind, start: event.start_mark.index, end: event.end_mark.index)
  }

  private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
    switch unsafe event.type {
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_ALIAS_EVENT: return unsafe .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT: return unsafe .scalar(scalar(event.data.scalar))
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      let isFlow = unsafe start.style == YAML_FLOW_SEQUENCE_STYLE
      return unsafe .sequenceStart(.init(anchor: text(start.anchor), tag: text(start.tag), isFlow: isFlow))
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      let isFlow = unsafe start.style == YAML_FLOW_MAPPING_STYLE
      return unsafe .mappingStart(.init(anchor: text(start.anchor), tag: text(start.tag), isFlow: isFlow))
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .collectionEnd
    default: return .other
    }
  }

  private static func scalar(_ data: yaml_event_t.__Unnamed_union_data.__Unnamed_struct_scalar) -> YAMLEvent.Scalar {
    let bytes = unsafe UnsafeBufferPointer(start: data.value, count: data.length)
    let style: YAMLEvent.Style =
      switch unsafe data.style {
      case YAML_PLAIN_SCALAR_STYLE: .plain
      case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
      default: .quoted
      }
    return unsafe YAMLEvent.Scalar(
      anchor: text(data.anchor), tag: text(data.tag), text: String(decoding: bytes, as: UTF8.self), style: style)
  }

  /// A name of libyaml's own: it ends at its NUL, which no anchor can hold.
  private static func text(_ name: UnsafePointer<UInt8>?) -> String? {
    unsafe name.map { unsafe String(cString: $0) }
  }

  private static func text(_ name: UnsafeMutablePointer<UInt8>?) -> String? {
    unsafe name.map { unsafe String(cString: $0) }
  }

  private func problem() -> ParserProblem {
    let state = unsafe parser.pointee
    let hasContext = unsafe state.context != nil
    return unsafe ParserProblem(
      problem: state.problem.map { unsafe String(cString: $0) } ?? "",
      context: state.context.map { unsafe String(cString: $0) } ?? "",
      place: state.problem_mark.index,
      contextPlace: hasContext ? state.context_mark.index : state.problem_mark.index)
  }
}

/// One event of libyaml. Its marks count scalars of the text, not bytes.
struct YAMLEvent {
  enum Kind {
    case documentStart
    case alias(String)
    case scalar(Scalar)
    case sequenceStart(Collection)
    case mappingStart(Collection)
    case collectionEnd
    case streamEnd
    /// The start of the stream, the end of a document.
    case other
  }

  enum Style {
    case plain, quoted, block
  }

  struct Scalar {
    let anchor: String?
    let tag: String?
    let text: String
    let style: Style
  }

  struct Collection {
    let anchor: String?
    let tag: String?
    let isFlow: Bool
  }

  let kind: Kind
  let start: Int
  let end: Int
}

/// Why libyaml cannot read on, in its own words, with its marks in scalars of the text.
struct ParserProblem: Error {
  let problem: String
  let context: String
  let place: Int
  /// Where that began which could not be read to its end.
  let contextPlace: Int
}
