/// A text that diagnostics point into: a mapping, or one of the files that it includes.
///
/// Text is bytes. Columns count Unicode scalars from 1, so that an editor's cursor lands on the place; a byte order
/// mark is no column. Any bytes will do: in a text that is not UTF-8, whatever cannot continue a scalar counts as one.
package final class SourceFile: Sendable {
  /// The name as the user gave it.
  package let name: String
  package let bytes: [UInt8]
  private let lineStarts: [Int]
  /// How many scalars begin before each stride of bytes: what makes a position cheap in a line of megabytes.
  private let scalarsBefore: [Int]
  private static let stride = 64
  /// Is every byte a scalar?
  private let isASCII: Bool

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    var counts = [0]
    var scalars = 0
    for offset in bytes.indices {
      let byte = bytes[offset]
      if !byte.continuesScalar { scalars += 1 }
      if byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
      if (offset + 1) % Self.stride == 0 { counts.append(scalars) }
    }
    lineStarts = starts
    scalarsBefore = counts
    isASCII = scalars == bytes.count
  }

  package convenience init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// Number of lines; a text that ends with a line break has an empty last one.
  package var lineCount: Int { lineStarts.count }

  /// The bytes of a line, counted from 1, without its line break.
  package func line(_ number: Int) -> ArraySlice<UInt8> {
    guard number >= 1, number <= lineStarts.count else { return [] }
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return bytes[start..<end]
  }

  /// The position of a byte offset; an offset beyond the end is the end.
  package func position(at offset: Int) -> SourcePosition {
    let offset = max(lineStarts[0], min(offset, bytes.count))
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    let column = scalars(before: offset) - scalars(before: lineStarts[low]) + 1
    return SourcePosition(line: low + 1, column: column, offset: offset)
  }

  /// The span between two byte offsets.
  package func span(_ start: Int, _ end: Int) -> SourceSpan {
    let first = position(at: start)
    let offset = max(lineStarts[0], min(max(start, end), bytes.count))
    // Most spans end in the line in which they start.
    guard first.line == lineStarts.count || offset < lineStarts[first.line] else {
      return SourceSpan(file: self, start: first, end: position(at: offset))
    }
    let width = isASCII ? offset - first.offset : scalars(before: offset) - scalars(before: first.offset)
    let last = SourcePosition(line: first.line, column: first.column + width, offset: offset)
    return SourceSpan(file: self, start: first, end: last)
  }

  /// How many scalars begin before a byte offset, a byte order mark included.
  package func scalars(before offset: Int) -> Int {
    let offset = max(0, min(offset, bytes.count))
    guard !isASCII else { return offset }
    let block = offset / Self.stride
    var count = scalarsBefore[block]
    for byte in bytes[(block * Self.stride)..<offset] where !byte.continuesScalar { count += 1 }
    return count
  }

  /// Where the scalar of that number begins, counted from 0, a byte order mark included; the end when there is none.
  package func offset(ofScalar number: Int) -> Int {
    guard !isASCII else { return max(0, min(number, bytes.count)) }
    var low = 0
    var high = scalarsBefore.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if scalarsBefore[middle] <= number { low = middle } else { high = middle - 1 }
    }
    var count = scalarsBefore[low]
    var offset = low * Self.stride
    while offset < bytes.count {
      if !bytes[offset].continuesScalar {
        if count == number { return offset }
        count += 1
      }
      offset += 1
    }
    return bytes.count
  }
}

extension UInt8 {
  /// Is it the second or a later byte of a scalar in UTF-8?
  fileprivate var continuesScalar: Bool { self & 0xC0 == 0x80 }
}

/// A place in a text: line and column from 1 (the column in Unicode scalars), offset in bytes from 0.
package struct SourcePosition: Hashable, Comparable, Sendable {
  package let line: Int
  package let column: Int
  package let offset: Int

  package init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }

  package static func < (a: SourcePosition, b: SourcePosition) -> Bool { a.offset < b.offset }
}

/// A stretch of a text, from its first byte up to and without its end.
package struct SourceSpan: Sendable {
  package let file: SourceFile
  package let start: SourcePosition
  package let end: SourcePosition

  package init(file: SourceFile, start: SourcePosition, end: SourcePosition) {
    self.file = file
    self.start = start
    self.end = end
  }

  /// What stands there.
  package var text: String { String(decoding: file.bytes[start.offset..<end.offset], as: UTF8.self) }

  /// `mapping.yaml:3:14`, where it starts.
  package var place: String { "\(file.name):\(start.line):\(start.column)" }

  /// Does the other one begin within it, in the same file?
  package func holds(startOf other: SourceSpan) -> Bool {
    file === other.file && start <= other.start && other.start < end
  }
}
