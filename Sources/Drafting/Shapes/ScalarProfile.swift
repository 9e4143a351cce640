import JSONReading
import Records
import Values

/// What the texts, numbers and booleans at one place have in common.
struct ScalarProfile {
  private(set) var booleans = 0
  private(set) var numbers = 0
  private(set) var texts = 0
  /// Texts of white space alone, the empty one included.
  private(set) var blanks = 0
  /// Numbers without fraction and exponent that fit into 64 bits.
  private(set) var integers = 0
  private(set) var smallest = Int64.max
  private(set) var largest = Int64.min
  /// Every number with a fraction is what the nearest double is written as.
  private(set) var isExactAsReal = true
  private(set) var isDecimal = true
  /// Bits of `TypeCandidate.all` that take every text.
  private(set) var candidates: UInt64 = .max

  private static let decimal = Conversion.compile(ConversionSpec(type: .decimal)).conversion
  private static let integer = Conversion.compile(ConversionSpec(type: .integer)).conversion

  mutating func add(_ value: JSONValue, _ arena: ByteArena) {
    let raw = RawValue(value, arena: arena)
    switch raw.kind {
    case .null, .structure: return
    case .boolean: booleans += 1
    case .number: add(number: raw, arena)
    case .text: add(text: raw, arena)
    }
    arena.reset()
  }

  private mutating func add(number raw: RawValue, _ arena: ByteArena) {
    numbers += 1
    if raw.flag, case .cell(let cell)? = Self.integer?.convert(raw, into: arena) {
      integers += 1
      smallest = min(smallest, cell.integerValue)
      largest = max(largest, cell.integerValue)
      // Beyond 2⁵³ a double may not have the same digits.
      if cell.integerValue.magnitude > 1 << 53 { isExactAsReal = false }
      return
    }
    let text = String(decoding: raw.text, as: UTF8.self)
    if raw.flag {
      isExactAsReal = false
    } else if let number = Double(text), number.isFinite {
      if DecimalDigits(text) != DecimalDigits("\(number)") { isExactAsReal = false }
    } else {
      isExactAsReal = false
    }
    if case .cell? = Self.decimal?.convert(raw, into: arena) { return }
    isDecimal = false
  }

  private mutating func add(text raw: RawValue, _ arena: ByteArena) {
    texts += 1
    if raw.isBlank {
      blanks += 1
      return
    }
    guard candidates != 0 else { return }
    for (index, candidate) in TypeCandidate.all.enumerated() where candidates & (1 << UInt64(index)) != 0 {
      if !candidate.takes(raw, arena) { candidates &= ~(1 << UInt64(index)) }
    }
    candidates &= (1 << UInt64(TypeCandidate.all.count)) - 1
  }

  mutating func merge(_ other: ScalarProfile) {
    booleans += other.booleans
    numbers += other.numbers
    texts += other.texts
    blanks += other.blanks
    integers += other.integers
    smallest = min(smallest, other.smallest)
    largest = max(largest, other.largest)
    isExactAsReal = isExactAsReal && other.isExactAsReal
    isDecimal = isDecimal && other.isDecimal
    candidates &= other.candidates
  }

  var count: Int { booleans + numbers + texts }
  var isInteger: Bool { numbers > 0 && integers == numbers }
}

/// A number's digits without zeros at either end, and where its point is: equal for equal numbers.
struct DecimalDigits: Hashable {
  private var isNegative = false
  private var digits: [UInt8] = []
  private var exponent = 0

  init(_ text: String) {
    var fraction = 0
    var isBehindPoint = false
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") { (isNegative, rest) = (true, rest.dropFirst()) }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent = Int(String(rest) ?? "") ?? 0
        rest = rest.suffix(0)
      default:
        digits.append(byte)
        if isBehindPoint { fraction += 1 }
      }
    }
    exponent -= fraction
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }
}
