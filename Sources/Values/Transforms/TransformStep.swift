import Records

/// A step of `transform`, compiled.
enum TransformStep: Sendable {
  case trim, lowercase, uppercase, stripHTML, urlDecode, squeeze
  case replace(RegularExpression, Replacement)
  case extract(RegularExpression)
  case split([UInt8])
  case prefix([UInt8])
  case suffix([UInt8])
  case shift(Int)

  enum Result {
    case value(RawValue)
    case invalid(String)
  }

  static func compile(_ transforms: [Transform], _ issues: inout [ConversionIssue]) -> [TransformStep] {
    var steps: [TransformStep] = []
    for (index, transform) in transforms.enumerated() {
      do throws(ConversionIssue) {
        steps.append(try TransformStep(transform, .transform(index)))
      } catch {
        issues.append(error)
      }
    }
    return steps
  }

  private init(_ transform: Transform, _ part: ConversionIssue.Part) throws(ConversionIssue) {
    switch transform {
    case .trim: self = .trim
    case .lowercase: self = .lowercase
    case .uppercase: self = .uppercase
    case .stripHTML: self = .stripHTML
    case .urlDecode: self = .urlDecode
    case .squeeze: self = .squeeze
    case .prefix(let text): self = .prefix(Array(text.utf8))
    case .suffix(let text): self = .suffix(Array(text.utf8))
    case .extract(let pattern): self = .extract(try RegularExpression(pattern, part))
    case .split(let separator):
      if separator.isEmpty { throw ConversionIssue(part, .badValue, "the separator of 'split' is empty") }
      self = .split(Array(separator.utf8))
    case .shift(let places):
      guard abs(places) <= Numeral.mostFractionDigits else {
        throw ConversionIssue(part, .badValue, "'shift' moves a point by at most \(Numeral.mostFractionDigits) digits")
      }
      self = .shift(places)
    case .replace(let pattern, let with):
      let expression = try RegularExpression(pattern, part)
      do throws(Replacement.Fault) {
        self = .replace(expression, try Replacement(with, for: expression))
      } catch {
        throw ConversionIssue(part, .badValue, error.message, hint: error.hint)
      }
    }
  }

  /// All steps, one after the other. `split` makes an array of texts, to each of which the further steps are applied.
  static func apply(_ steps: ArraySlice<TransformStep>, to raw: RawValue, _ arena: ByteArena) -> Result {
    var value = raw
    for (index, step) in zip(steps.indices, steps) {
      if case .split(let separator) = step {
        if value.kind == .text { return split(value.text, separator, steps[(index + 1)...], arena) }
        continue
      }
      switch step.apply(to: value, arena) {
      case .value(let next): value = next
      case .invalid(let reason): return .invalid(reason)
      }
    }
    return .value(value)
  }

  private static func split(
    _ text: Bytes, _ separator: [UInt8], _ further: ArraySlice<TransformStep>, _ arena: ByteArena
  ) -> Result {
    var out: [UInt8] = [UInt8(ascii: "[")]
    var start = 0
    while true {
      let end = find(separator, in: text, from: start)
      if out.count > 1 { out.append(UInt8(ascii: ",")) }
      switch apply(further, to: .text(text.part(start, end ?? text.count)), arena) {
      case .value(let piece): JSONText.append(piece, to: &out, arena: arena)
      case .invalid(let reason): return .invalid(reason)
      }
      guard let end else { break }
      start = end + separator.count
    }
    out.append(UInt8(ascii: "]"))
    return .value(RawValue(kind: .structure, text: arena.copy(out)))
  }

  private static func find(_ separator: [UInt8], in text: Bytes, from start: Int) -> Int? {
    guard text.count - start >= separator.count else { return nil }
    for index in start...text.count - separator.count where text[index] == separator[0] {
      if text.part(index, index + separator.count).equals(separator) { return index }
    }
    return nil
  }

  /// One step. What it is not for passes unchanged.
  private func apply(to value: RawValue, _ arena: ByteArena) -> Result {
    if case .shift(let places) = self { return Self.shift(value, places, arena) }
    guard value.kind == .text else { return .value(value) }
    let text = value.text
    switch self {
    case .trim: return .value(text.trimmed.count == text.count ? value : .text(text.trimmed))
    case .lowercase: return .value(.text(TextCase.lowercase(text, into: arena)))
    case .uppercase: return .value(.text(TextCase.uppercase(text, into: arena)))
    case .stripHTML: return .value(.text(HTMLText.plain(text, into: arena)))
    case .squeeze: return .value(.text(text.squeezed(into: arena)))
    case .urlDecode:
      return PercentEncoding.decode(text, into: arena).map { .value(.text($0)) }
        ?? .invalid("\(value.shape), percent-decoded, is not UTF-8")
    case .prefix(let bytes): return .value(.text(arena.copy(bytes + text)))
    case .suffix(let bytes): return .value(.text(arena.copy(Array(text) + bytes)))
    case .extract(let expression): return Self.extract(text, expression)
    case .replace(let expression, let replacement):
      var out: [UInt8] = []
      if let reason = replacement.replaceAll(in: text, of: expression, into: &out) { return .invalid(reason) }
      return .value(.text(arena.copy(out)))
    case .split, .shift: return .value(value)
    }
  }

  /// Group 1, or the match when there is no group; no match, and a group that took no part, are null.
  private static func extract(_ text: Bytes, _ expression: RegularExpression) -> Result {
    let group = expression.groupCount > 0 ? 1 : 0
    switch expression.search(text, { $0.range(group) }) {
    case .found(let range?): return .value(.text(text.part(range.lowerBound, range.upperBound)))
    case .found(nil), .none: return .value(.null)
    case .failed(let reason): return .invalid(reason)
    }
  }

  /// A number, or numeric text with white space around it or not, stays of its kind.
  private static func shift(_ value: RawValue, _ places: Int, _ arena: ByteArena) -> Result {
    guard value.kind == .number || value.kind == .text, let number = Numeral(value.text.trimmed) else {
      return .value(value)
    }
    guard let text = number.plain(shift: places, into: arena) else {
      return .invalid("the number has too many digits to move its point")
    }
    return .value(value.kind == .number ? .number(text) : .text(text))
  }
}

extension RegularExpression {
  /// Compiles a part of a conversion.
  convenience init(_ pattern: String, _ part: ConversionIssue.Part) throws(ConversionIssue) {
    do throws(Fault) {
      try self.init(pattern)
    } catch {
      throw ConversionIssue(part, .badRegularExpression, "the regular expression cannot be read: \(error.message)")
    }
  }
}
