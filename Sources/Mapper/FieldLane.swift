import JSONReading
import PlanCompiler
import Records
import Values

/// The short way from a JSON value to a cell, for a field that wants nothing but a plain value of its type.
///
/// Nearly all values go it. It takes what can be told at a glance, and leaves the rest, whatever is wrong or merely rare, to
/// the field's `Conversion`, which must give the same cell for what is taken here.
struct FieldLane {
  private enum Kind: UInt8 {
    case none, any, text, integer, real, boolean, date, timestamp
  }

  /// The field's node of the record's `MemberTree`; -1 where there is no short way.
  let node: Int32
  let column: Int32
  let isKey: Bool
  private let kind: Kind

  init(_ field: FieldPlan) {
    kind = field.isUntypedKey || field.node < 0 ? .none : Self.kind(of: field)
    node = kind == .none ? -1 : Int32(field.node)
    column = Int32(field.column)
    isKey = field.isKey
  }

  private static func kind(of field: FieldPlan) -> Kind {
    switch field.conversion.plainType {
    case .any: .any
    case .text: .text
    case .integer: .integer
    case .real: .real
    case .boolean: .boolean
    case .date: .date
    case .timestamp: .timestamp
    default: .none
    }
  }

  /// Nil where the long way decides.
  @inline(__always)
  func cell(_ json: JSONNode, in text: UnsafePointer<UInt8>, _ arena: ByteArena) -> Cell? {
    switch json.kind {
    case .null, .array, .object: return nil
    case .true, .false:
      guard kind == .boolean || kind == .integer || kind == .any else { return nil }
      return .integer(json.kind == .true ? 1 : 0)
    case .number:
      let number = UnsafeBufferPointer(start: text + Int(json.start), count: Int(json.end - json.start))
      switch kind {
      case .text: return .text(UnsafeRawBufferPointer(number))
      case .integer, .any: return json.isSpecial ? nil : Self.integer(number).map { .integer($0) }
      case .real: return Self.real(number).map { .real($0) }
      default: return nil
      }
    case .string:
      // With escapes it is another text than its source.
      if json.isSpecial { return nil }
      let string = UnsafeBufferPointer(start: text + Int(json.start) + 1, count: Int(json.end - json.start) - 2)
      switch kind {
      case .text, .any: return .text(UnsafeRawBufferPointer(string))
      case .date: return Self.isDay(string) && string.count == 10 ? .text(UnsafeRawBufferPointer(string)) : nil
      case .timestamp: return Self.timestamp(string, arena)
      default: return nil
      }
    }
  }

  // MARK: numbers, which the reader has checked

  /// Up to 18 digits fit whatever they are.
  @inline(__always) private static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.count <= 18 else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in (isNegative ? 1 : 0)..<text.count { value = value &* 10 &+ Int64(text[index] &- 48) }
    return isNegative ? -value : value
  }

  /// Digits that a double holds exactly, divided by a power of ten that it holds exactly: one operation, which rounds
  /// correctly.
  @inline(__always) private static func real(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard text.count <= 19 else { return nil }
    let isNegative = text[0] == UInt8(ascii: "-")
    var digits: UInt64 = 0
    var point = text.count - 1
    for index in (isNegative ? 1 : 0)..<text.count {
      let digit = text[index] &- 48
      if digit <= 9 {
        digits = digits &* 10 &+ UInt64(digit)
      } else if text[index] == UInt8(ascii: ".") {
        point = index
      } else {
        return nil
      }
    }
    guard digits <= 1 << 53 else { return nil }
    let value = Double(digits) / powers[text.count - 1 - point]
    return isNegative ? -value : value
  }

  /// As plain memory, since an array that is a static property is looked up at each use.
  private nonisolated(unsafe) static let powers: UnsafePointer<Double> = {
    let powers = UnsafeMutablePointer<Double>.allocate(capacity: 23)
    var power = 1.0
    for index in 0..<23 {
      powers[index] = power
      power *= 10
    }
    return UnsafePointer(powers)
  }()

  // MARK: days and times

  /// `yyyy-MM-dd` at the start of the text, a day that there is.
  @inline(__always) private static func isDay(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return false }
    let (century, year, month, day) = (two(text, 0), two(text, 2), two(text, 5), two(text, 8))
    guard century | year | month | day >= 0, century >= 10, month >= 1, month <= 12, day >= 1 else { return false }
    if day <= 28 { return true }
    if month == 2 { return day == 29 && (year == 0 ? century % 4 == 0 : year % 4 == 0) }
    return day <= 30 || (day == 31 && (month == 4 || month == 6 || month == 9 || month == 11) == false)
  }

  /// `yyyy-MM-ddTHH:mm:ss[.fraction]Z` as columns have it, with a space for the `T` and no zeros at the end of a fraction.
  @inline(__always)
  private static func timestamp(_ text: UnsafeBufferPointer<UInt8>, _ arena: ByteArena) -> Cell? {
    guard text.count >= 20, text.count <= 30, text[text.count - 1] == UInt8(ascii: "Z"), isDay(text),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":")
    else { return nil }
    let (hour, minute, second) = (two(text, 11), two(text, 14), two(text, 17))
    guard hour | minute | second >= 0, hour < 24, minute < 60, second < 60 else { return nil }
    var end = 19
    if text.count > 20 {
      guard text[19] == UInt8(ascii: "."), text.count > 21 else { return nil }
      for index in 20..<text.count - 1 where text[index] &- 48 > 9 { return nil }
      end = text.count - 1
      while text[end - 1] == UInt8(ascii: "0") { end -= 1 }
      if end == 20 { end = 19 }
    }
    guard let start = text.baseAddress else { return nil }
    let out = arena.reserve(end)
    out.copyMemory(from: start, byteCount: end)
    out.storeBytes(of: UInt8(ascii: " "), toByteOffset: 10, as: UInt8.self)
    return .text(UnsafeRawBufferPointer(start: out, count: end))
  }

  /// Two digits, or a negative number.
  @inline(__always) private static func two(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let (a, b) = (text[at] &- 48, text[at + 1] &- 48)
    return a <= 9 && b <= 9 ? Int(a) * 10 + Int(b) : -1
  }
}
