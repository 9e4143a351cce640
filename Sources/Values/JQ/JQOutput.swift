import CJQ
import Glibc
import Records

/// What a program gave, as a raw value.
struct JQOutput {
  private var text: [UInt8] = []

  struct Refusal: Error {
    let message: String
    init(_ message: String) { self.message = "jq: " + message }
  }

  static let mostBytes = 64 << 20
  static let mostLevels = 512

  /// `value` is lent by the worker; the result's bytes are the arena's.
  mutating func read(_ value: jv, into arena: ByteArena, mostBytes: Int = Self.mostBytes) throws(Refusal) -> RawValue {
    switch jv_get_kind(value) {
    case JV_KIND_TRUE: return .boolean(true)
    case JV_KIND_FALSE: return .boolean(false)
    case JV_KIND_STRING:
      return .text(
        try Self.withBytes(value) { bytes throws(Refusal) in
          guard bytes.count <= mostBytes else { throw Self.tooLong(mostBytes) }
          if Self.isStripped(bytes) { throw Self.stripped }
          return arena.copy(bytes)
        })
    case JV_KIND_NUMBER:
      let number = jv_number_value(value)
      if number.isNaN { return .null }
      text.removeAll(keepingCapacity: true)
      try appendNumber(number)
      return .number(arena.copy(text))
    case JV_KIND_ARRAY, JV_KIND_OBJECT:
      text.removeAll(keepingCapacity: text.capacity <= 1 << 20)
      try append(value, levels: Self.mostLevels, mostBytes)
      let bytes = arena.copy(text)
      return RawValue(kind: .structure, text: bytes, source: bytes)
    default: return .null
    }
  }

  /// When libjq writes JSON as a text (`tojson`, `tostring`, `@json`), it puts these words in place of what is nested
  /// deeper than 256 levels, and says nothing.
  private static func isStripped(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count > 256, var next = text.baseAddress else { return false }
    let words: StaticString = "<stripped: exceeds max depth>"
    let end = next + text.count
    while let hit = memchr(next, Int32(UInt8(ascii: "<")), end - next) {
      if end - UnsafeRawPointer(hit) < words.utf8CodeUnitCount { return false }
      if memcmp(hit, words.utf8Start, words.utf8CodeUnitCount) == 0 { return true }
      next = UnsafeRawPointer(hit) + 1
    }
    return false
  }

  private static let stripped = Refusal(
    "the output is a text of JSON from which libjq left out what is nested deeper than 256 levels")

  /// Appends JSON without white space; members in jq's order.
  private mutating func append(_ value: jv, levels: Int, _ mostBytes: Int) throws(Refusal) {
    switch jv_get_kind(value) {
    case JV_KIND_TRUE: text += "true".utf8
    case JV_KIND_FALSE: text += "false".utf8
    case JV_KIND_STRING: try appendString(value)
    case JV_KIND_NUMBER:
      let number = jv_number_value(value)
      if number.isNaN { text += "null".utf8 } else { try appendNumber(number) }
    case JV_KIND_ARRAY: try appendArray(value, levels, mostBytes)
    case JV_KIND_OBJECT: try appendObject(value, levels, mostBytes)
    default: text += "null".utf8
    }
    if text.count > mostBytes { throw Self.tooLong(mostBytes) }
  }

  private mutating func appendArray(_ array: jv, _ levels: Int, _ mostBytes: Int) throws(Refusal) {
    if levels == 0 { throw Self.tooDeep }
    text.append(UInt8(ascii: "["))
    for index in 0..<jv_array_length(jv_copy(array)) {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      let element = jv_array_get(jv_copy(array), index)
      defer { jv_free(element) }
      try append(element, levels: levels - 1, mostBytes)
    }
    text.append(UInt8(ascii: "]"))
  }

  private mutating func appendObject(_ object: jv, _ levels: Int, _ mostBytes: Int) throws(Refusal) {
    if levels == 0 { throw Self.tooDeep }
    text.append(UInt8(ascii: "{"))
    var member = jv_object_iter(object)
    var isFirst = true
    while jv_object_iter_valid(object, member) != 0 {
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      let (name, value) = (jv_object_iter_key(object, member), jv_object_iter_value(object, member))
      defer {
        jv_free(name)
        jv_free(value)
      }
      try appendString(name)
      text.append(UInt8(ascii: ":"))
      try append(value, levels: levels - 1, mostBytes)
      member = jv_object_iter_next(object, member)
    }
    text.append(UInt8(ascii: "}"))
  }

  private mutating func appendString(_ string: jv) throws(Refusal) {
    try Self.withBytes(string) { bytes throws(Refusal) in
      if Self.isStripped(bytes) { throw Self.stripped }
      JSONText.appendQuoted(bytes, to: &text)
    }
  }

  /// The shortest digits that are this double; jq writes 1e17 as `1e+17`.
  private mutating func appendNumber(_ number: Double) throws(Refusal) {
    guard number.isFinite else { throw Refusal("a number of the output is infinite") }
    if let whole = Int64(exactly: number), whole.magnitude <= 1 << 53, number.sign == .plus || whole != 0 {
      text += String(whole).utf8
      return
    }
    let written = jv_dump_string(jv_number(number), 0)
    defer { jv_free(written) }
    Self.withBytes(written) { text += $0 }
  }

  /// Lends a string's bytes, which may hold NUL.
  static func withBytes<Result, Failure: Error>(
    _ string: jv, _ use: (Bytes) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let count = Int(jv_string_length_bytes(jv_copy(string)))
    return try use(Bytes(start: jv_string_value(string), count: count))
  }

  private static func tooLong(_ mostBytes: Int) -> Refusal {
    Refusal("the output is longer than \(mostBytes) bytes")
  }

  private static var tooDeep: Refusal { Refusal("the output is nested deeper than \(mostLevels) levels") }
}
