import Diagnostics

/// A text that libyaml can read whole: valid UTF-8 without a byte order mark and without raw control characters.
///
/// libyaml follows YAML 1.1 in some scalars: it takes U+0085, U+2028 and U+2029 for line breaks, and refuses others
/// that YAML 1.2 allows within quotes. These go in disguise, as private scalars that the text does not use, and come
/// back with `restored(_:)`: scalar for scalar, so that counted places stay right.
struct CheckedText {
  /// What libyaml is given.
  let bytes: ArraySlice<UInt8>
  /// The number of scalars in the file before the first that libyaml sees: 1 with a byte order mark.
  let scalarsBefore: Int
  private let disguise: Disguise?

  /// Fails with a finding at the first byte that cannot be read.
  init(_ file: SourceFile, limit: Int = YAMLLimits.bytes) throws(YAMLFailure) {
    guard file.bytes.count <= limit else {
      // Its true size is not known: who reads files stops somewhere behind the limit.
      let message = "the file has more than the \(limit) bytes that are read"
      throw YAMLFailure(Diagnostic(.yamlLimit, message, at: file.span(0, 0)))
    }
    let start = file.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    scalarsBefore = start == 0 ? 0 : 1
    try Self.checkDirectives(file)
    let needsDisguise = try Self.check(file, from: start)
    let body = Self.body(file, from: start)
    guard needsDisguise else {
      (bytes, disguise) = (body, nil)
      return
    }
    guard let disguise = Disguise(for: Self.scalars(body)) else {
      let message = "the file uses too many different private characters"
      throw YAMLFailure(Diagnostic(.yamlLimit, message, at: file.span(0, 0)))
    }
    bytes = Array(String(String.UnicodeScalarView(Self.scalars(body).map(disguise.putOn))).utf8)[...]
    self.disguise = disguise
  }

  /// The text behind the byte order mark. A last line of blanks gets its line break, without which libyaml takes the
  /// blanks for a part of the block scalar before them.
  private static func body(_ file: SourceFile, from start: Int) -> ArraySlice<UInt8> {
    let lastLine = file.line(file.lineCount)
    let isBlank = !lastLine.isEmpty && lastLine.allSatisfy { $0 == UInt8(ascii: " ") }
    return isBlank ? file.bytes[start...] + [UInt8(ascii: "\n")] : file.bytes[start...]
  }

  /// The text of a scalar as the file has it.
  func restored(_ text: String) -> String {
    guard let disguise else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map(disguise.takeOff)))
  }

  /// Does the text hold a scalar that YAML allows within quotes only? Ask it of restored text without quotes.
  func needsQuotes(_ restored: String) -> Bool {
    disguise != nil
      && restored.unicodeScalars.contains { Disguise.isNeeded(for: $0.value) && !Disguise.breaks.contains($0.value) }
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> String.UnicodeScalarView {
    String(decoding: bytes, as: UTF8.self).unicodeScalars
  }

  /// libyaml compares each `%TAG` with all before it, so their number has a limit.
  private static func checkDirectives(_ file: SourceFile) throws(YAMLFailure) {
    var count = 0
    for line in 1...file.lineCount where file.line(line).first == UInt8(ascii: "%") {
      count += 1
      guard count > YAMLLimits.directives else { continue }
      let message = "the file has more than \(YAMLLimits.directives) lines that begin with '%'"
      let start = file.line(line).startIndex
      throw YAMLFailure(Diagnostic(.yamlLimit, message, at: file.span(start, start + 1)))
    }
  }

  /// Does the text hold scalars that must be disguised?
  private static func check(_ file: SourceFile, from start: Int) throws(YAMLFailure) -> Bool {
    var needsDisguise = false
    var offset = start
    let bytes = file.bytes
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x80 {
        if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D {
          throw YAMLFailure(.controlCharacter(byte, at: file.span(offset, offset + 1)))
        }
        if byte == 0x7F { needsDisguise = true }
        offset += 1
        continue
      }
      guard let (scalar, length) = UTF8Scalar.read(bytes, at: offset) else {
        throw YAMLFailure(.notUTF8(file, at: offset))
      }
      if Disguise.isNeeded(for: scalar) { needsDisguise = true }
      offset += length
    }
    return needsDisguise
  }
}

extension Diagnostic {
  /// A control character stands in the file as it is.
  fileprivate static func controlCharacter(_ byte: UInt8, at span: SourceSpan) -> Diagnostic {
    let name = byte == 0 ? "NUL" : "the control character \\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    return Diagnostic(
      .yamlSyntax, "\(name) cannot stand in a YAML file", at: span,
      hint: "in double quotes it can be written as an escape, as \"\\x" + (byte < 16 ? "0" : "")
        + String(byte, radix: 16) + "\"")
  }

  /// A byte does not belong to UTF-8; a file in UTF-16 is recognised by its byte order mark.
  fileprivate static func notUTF8(_ file: SourceFile, at offset: Int) -> Diagnostic {
    let isUTF16 = file.bytes.starts(with: [0xFF, 0xFE]) || file.bytes.starts(with: [0xFE, 0xFF])
    return Diagnostic(
      .yamlSyntax, isUTF16 ? "the file is UTF-16, not UTF-8" : "the file is not UTF-8 here",
      at: file.span(offset, offset + 1), hint: "save the file as UTF-8")
  }
}
