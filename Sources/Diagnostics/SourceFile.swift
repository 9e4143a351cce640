/// A text that diagnostics point into: a mapping, or one of the files that it includes.
///
/// Text is bytes. Columns count Unicode scalars from 1, so that an editor's cursor lands on the place.
package final class SourceFile: Sendable {
  /// The name as the user gave it.
  package let name: String
  package let bytes: [UInt8]
  private let lineStarts: [Int]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
    lineStarts = starts
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
    let offset = max(0, min(offset, bytes.count))
    var low = 0
    var high = lineStarts.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    let scalars = bytes[lineStarts[low]..<offset].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    return SourcePosition(line: low + 1, column: scalars + 1, offset: offset)
  }

  /// The span between two byte offsets.
  package func span(_ start: Int, _ end: Int) -> SourceSpan {
    SourceSpan(file: self, start: position(at: start), end: position(at: max(start, end)))
  }
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
}
