import Diagnostics
import Records
import Values

/// Formats of one field that read one text as two dates: the first of them always wins, perhaps wrongly.
enum AmbiguousFormats {
  /// A day whose year, month and day could each be mistaken for another.
  private static let probe = Instant(iso: "2001-02-03T04:05:06Z")

  /// A warning at each format that an earlier one contradicts.
  static func check(_ field: FieldDeclaration, in context: ReadingContext) {
    let formats = field.conversion.formats
    guard formats.count > 1, formats.count <= 100 else { return }
    for second in formats.indices.dropFirst() {
      guard let span = field.conversionSpans[.format(second)],
        let first = formats[..<second].first(where: {
          contradict(FormatPair(first: $0, second: formats[second], type: field.conversion.type), in: context)
        })
      else { continue }
      context.report(
        .badDatePattern, "'\(first)' and '\(formats[second])' read one text as two dates; the first one counts",
        at: span,
        hint: "keep the one that the API means", severity: .warning)
    }
  }

  private static func contradict(_ pair: FormatPair, in context: ReadingContext) -> Bool {
    if let known = context.contradictions[pair] { return known }
    let found = contradict(pair.first, pair.second, pair.type)
    context.contradictions[pair] = found
    return found
  }

  private static func contradict(_ first: String, _ second: String, _ type: ColumnType) -> Bool {
    [(first, second), (second, first)].contains { written, other in
      guard let probe, let text = (try? DateFormat(written))?.format(probe), let meant = read(text, written, type),
        let taken = read(text, other, type)
      else { return false }
      return !meant.isSame(as: taken)
    }
  }

  private static func read(_ text: String, _ format: String, _ type: ColumnType) -> String? {
    let arena = ByteArena()
    guard let conversion = Conversion.compile(ConversionSpec(type: type, formats: [format])).conversion,
      case .cell(let cell) = conversion.convert(.text(text), into: arena)
    else { return nil }
    return cell.stringValue
  }
}

/// Two formats of one field, and its type.
struct FormatPair: Hashable {
  let first: String
  let second: String
  let type: ColumnType
}
