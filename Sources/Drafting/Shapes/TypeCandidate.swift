import Records
import Values

/// A type that texts may have, with the notation that they are written in.
struct TypeCandidate: Sendable {
  let type: ColumnType
  /// Nil: the type's own notation.
  let format: String?
  private let conversion: Conversion
  /// What a text must look like beyond what the type accepts, so that nothing is taken for a date by chance.
  private let looks: @Sendable (UnsafeRawBufferPointer) -> Bool
  /// The stored text must be the one that came.
  private let isVerbatim: Bool

  private init?(
    _ type: ColumnType, format: String? = nil, isVerbatim: Bool = false,
    looks: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
  ) {
    let spec = ConversionSpec(type: type, formats: format.map { [$0] } ?? [])
    guard let conversion = Conversion.compile(spec).conversion else { return nil }
    (self.type, self.format, self.conversion, self.isVerbatim, self.looks) = (
      type, format, conversion, isVerbatim, looks
    )
  }

  /// Does it take the text?
  func takes(_ raw: RawValue, _ arena: ByteArena) -> Bool {
    guard looks(raw.text), case .cell(let cell) = conversion.convert(raw, into: arena) else { return false }
    return !isVerbatim || cell.kind == .text && cell.rawBytes.elementsEqual(raw.text)
  }

  /// In the order in which they are preferred.
  static let all: [TypeCandidate] =
    [
      TypeCandidate(.uuid, isVerbatim: true) { $0.count == 36 },
      TypeCandidate(.url, isVerbatim: true) { $0.starts(with: "http".utf8) },
      TypeCandidate(.date, isVerbatim: true) { $0.count == 10 },
      TypeCandidate(.timestamp) { $0.count >= 16 && ($0[10] | 0x20 == UInt8(ascii: "t") || $0[10] == 0x20) },
      TypeCandidate(.time, isVerbatim: true) { $0.count >= 8 && $0[2] == UInt8(ascii: ":") },
    ].compactMap(\.self) + written

  private static let written: [TypeCandidate] = [
    ("rfc2822", .timestamp), ("dotnet", .timestamp), ("yyyy/MM/dd", .date), ("yyyy/MM/dd HH:mm:ss", .timestamp),
    ("dd.MM.yyyy", .date), ("dd.MM.yyyy HH:mm", .timestamp), ("dd.MM.yyyy HH:mm:ss", .timestamp),
    ("dd/MM/yyyy", .date), ("MM/dd/yyyy", .date), ("dd/MM/yyyy HH:mm:ss", .timestamp),
    ("MM/dd/yyyy HH:mm:ss", .timestamp), ("EEE MMM dd HH:mm:ss Z yyyy", .timestamp), ("MMM d, yyyy", .date),
    ("MMMM d, yyyy", .date), ("d MMM yyyy", .date), ("yyyyMMdd'T'HHmmssX", .timestamp),
  ].compactMap { format, type in
    TypeCandidate(type, format: format) { text in
      text.count >= 8 && text.count <= 64 && text.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }
}
