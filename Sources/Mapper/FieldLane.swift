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
  /// The cell of a null, and of a member that is not there; nil where a rule decides.
  private let null: Cell.Kind?
  private let missing: Cell.Kind?

  init(_ field: FieldPlan, of row: RowPlan) {
    node = field.isUntypedKey ? -1 : Int32(field.node)
    kind = node < 0 ? .none : Self.kind(of: field)
    column = Int32(field.column)
    isKey = field.isKey
    let isFree = !field.isKey && !field.isRequired && field.defaultValue == nil
    null = !isFree || field.onNull == .error ? nil : field.onNull == .keep ? .missing : .null
    // Of a member of the record itself nothing on the way to it can be of a wrong shape.
    let isOwn = node >= 0 && row.members.nodes[field.node].parent == 0
    let keeps = field.onMissing == .keep && !row.isWrittenWhole
    missing = !isFree || !isOwn || field.onMissing == .error ? nil : keeps ? .missing : .null
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

  /// Puts the value's cell into its column of `cells`. False where the long way decides; then the cell is as it was.
  @inline(__always)
  func put(
    _ index: Int, of json: UnsafePointer<JSONNode>, _ text: UnsafePointer<UInt8>,
    into cells: UnsafeMutablePointer<Cell>,
    _ arena: Unmanaged<ByteArena>
  ) -> Bool {
    let node = json[index]
    let cell = cells + Int(column)
    switch node.kind {
    case .null:
      guard let null else { return false }
      cell.set(null, 0)
    case .array, .object: return false
    case .true, .false:
      guard kind == .boolean || kind == .integer || kind == .any else { return false }
      cell.set(.integer, node.kind == .true ? 1 : 0)
    case .number:
      let number = UnsafeBufferPointer(start: text + Int(node.start), count: Int(node.end - node.start))
      return put(number, isWhole: !node.isSpecial, into: cell)
    case .string where node.isSpecial:
      guard kind == .text || kind == .any else { return false }
      // With escapes it is another text than its source.
      let decoded = Self.decoded(JSONValue(bytes: text, nodes: json, index: index), arena)
      cell.setText(UnsafeRawPointer(decoded.baseAddress), decoded.count)
    case .string:
      // Within its quotes.
      let string = UnsafeBufferPointer(start: text + Int(node.start) + 1, count: Int(node.end - node.start) - 2)
      return put(string, into: cell, arena)
    }
    return true
  }

  /// The same for a member that the record, an object, does not have.
  @inline(__always) func putMissing(into cells: UnsafeMutablePointer<Cell>) -> Bool {
    guard let missing else { return false }
    (cells + Int(column)).set(missing, 0)
    return true
  }

  @inline(__always)
  private func put(_ number: UnsafeBufferPointer<UInt8>, isWhole: Bool, into cell: UnsafeMutablePointer<Cell>) -> Bool {
    switch kind {
    case .text: cell.setText(UnsafeRawPointer(number.baseAddress), number.count)
    case .integer, .any:
      guard isWhole, let value = PlainNumber.integer(number) else { return false }
      cell.set(.integer, UInt64(bitPattern: value))
    case .real:
      guard let value = PlainNumber.real(number) else { return false }
      cell.set(.real, value.bitPattern)
    default: return false
    }
    return true
  }

  @inline(__always)
  private func put(
    _ string: UnsafeBufferPointer<UInt8>, into cell: UnsafeMutablePointer<Cell>, _ arena: Unmanaged<ByteArena>
  ) -> Bool {
    switch kind {
    case .text, .any: break
    case .date: guard string.count == 10, Self.isDay(string) else { return false }
    case .timestamp:
      guard let stored = Self.timestamp(string, arena) else { return false }
      cell.setText(stored.baseAddress, stored.count)
      return true
    default: return false
    }
    cell.setText(UnsafeRawPointer(string.baseAddress), string.count)
    return true
  }

  private static func decoded(_ string: JSONValue, _ arena: Unmanaged<ByteArena>) -> UnsafeRawBufferPointer {
    let source = string.nodes[string.index]
    let room = Int(source.end - source.start)
    return arena._withUnsafeGuaranteedRef { arena in
      let start = arena.reserve(room)
      let count = string.decodeString(into: start)
      arena.giveBack(room - count)
      return UnsafeRawBufferPointer(start: start, count: count)
    }
  }

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
  private static func timestamp(
    _ text: UnsafeBufferPointer<UInt8>, _ arena: Unmanaged<ByteArena>
  ) -> UnsafeRawBufferPointer? {
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
    let out = arena._withUnsafeGuaranteedRef { $0.reserve(end) }
    out.copyMemory(from: start, byteCount: end)
    out.storeBytes(of: UInt8(ascii: " "), toByteOffset: 10, as: UInt8.self)
    return UnsafeRawBufferPointer(start: out, count: end)
  }

  /// Two digits, or a negative number.
  @inline(__always) private static func two(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int {
    let (a, b) = (text[at] &- 48, text[at + 1] &- 48)
    return a <= 9 && b <= 9 ? Int(a) * 10 + Int(b) : -1
  }
}

/// Cells are filled property by property: their own initializers are calls from this target.
extension UnsafeMutablePointer<Cell> {
  @inline(__always) fileprivate func set(_ kind: Cell.Kind, _ payload: UInt64) {
    pointee.payload = payload
    pointee.length = 0
    pointee.kind = kind
    pointee.rule = .write
  }

  @inline(__always) fileprivate func setText(_ start: UnsafeRawPointer?, _ count: Int) {
    pointee.payload = UInt64(UInt(bitPattern: start))
    pointee.length = UInt32(truncatingIfNeeded: count)
    pointee.kind = .text
    pointee.rule = .write
  }
}
