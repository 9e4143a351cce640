import Diagnostics
import MarkedYAML

/// The comments of a YAML text, which its tree does not have.
///
/// A `#` begins one at the start of a line or behind white space, unless a scalar holds it: there it is text. Only
/// comments that begin with `ingest:` are looked for.
struct CommentScanner {
  struct Found {
    /// What stands behind the `#`.
    let text: String
    let span: SourceSpan
    /// The line that it is about: its own, or the next one that is no comment when it has the line to itself.
    let line: Int
  }

  private(set) var comments: [Found] = []

  /// False when the text certainly has no such comment: it need not be read once more.
  static func mayFind(in bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while let sign = rest.firstIndex(of: UInt8(ascii: "#")) {
      rest = rest[(sign + 1)...]
      if rest.drop(while: isBlank).starts(with: "ingest:".utf8) { return true }
    }
    return false
  }

  /// Nothing is found in a text that cannot be read.
  init(_ file: SourceFile) {
    let (root, _) = YAMLReader.read(file)
    guard let root else { return }
    var scalars: [Range<Int>] = []
    Self.collect(root, in: file, &scalars)
    scalars.sort { $0.lowerBound < $1.lowerBound }
    for number in 1...file.lineCount {
      let line = file.line(number)
      guard let start = Self.start(in: line, outside: scalars) else { continue }
      let text = String(decoding: line[(start + 1)...], as: UTF8.self)
      let isAlone = line[..<start].allSatisfy(Self.isBlank)
      let span = file.span(start, line.endIndex)
      comments.append(Found(text: text, span: span, line: isAlone ? Self.next(after: number, in: file) : number))
    }
  }

  /// The place of the `#`.
  private static func start(in line: ArraySlice<UInt8>, outside scalars: [Range<Int>]) -> Int? {
    var at = line.startIndex
    while let sign = line[at...].firstIndex(of: UInt8(ascii: "#")) {
      at = sign + 1
      guard sign == line.startIndex || isBlank(line[sign - 1]), !holds(scalars, sign) else { continue }
      // All that follows is the comment's own text.
      return line[at...].drop(while: isBlank).starts(with: "ingest:".utf8) ? sign : nil
    }
    return nil
  }

  private static func next(after number: Int, in file: SourceFile) -> Int {
    var next = number + 1
    while next <= file.lineCount, file.line(next).drop(while: isBlank).first == UInt8(ascii: "#") { next += 1 }
    return next
  }

  /// Does a scalar hold the place? They do not overlap, and are sorted.
  private static func holds(_ scalars: [Range<Int>], _ offset: Int) -> Bool {
    var (low, high) = (0, scalars.count)
    while low < high {
      let middle = (low + high) / 2
      if scalars[middle].upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low < scalars.count && scalars[low].contains(offset)
  }

  /// Depth is bounded by the YAML reader.
  private static func collect(_ node: YAMLNode, in file: SourceFile, _ scalars: inout [Range<Int>]) {
    switch node.content {
    case .scalar: add(node.span, &scalars)
    case .sequence(let items): for item in items { collect(item, in: file, &scalars) }
    case .mapping(let entries):
      for entry in entries {
        add(entry.keySpan, &scalars)
        collect(entry.value, in: file, &scalars)
      }
    }
  }

  private static func add(_ span: SourceSpan, _ scalars: inout [Range<Int>]) {
    if span.end.offset > span.start.offset { scalars.append(span.start.offset..<span.end.offset) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
