import Foundation
import Records
import TestSupport
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct NaughtyTextTests {
  private static let file = PackageRoot.corpora("naughty-strings.json")

  private static func naughtyTexts() throws -> [String] {
    try JSONDecoder().decode([String].self, from: Data(contentsOf: try #require(file)))
  }

  @Test(.enabled(if: file != nil)) func `naughty texts stay as they are, and no type crashes on them`() throws {
    let texts = try Self.naughtyTexts()
    try #require(texts.count > 400)
    let all = try ColumnType.allCases.map { try Trial.conversion(ConversionSpec(type: $0)) }
    let every: [Transform] = [
      .trim, .squeeze, .stripHTML, .urlDecode, .replace(pattern: "(.)", with: "$1"), .split(","), .lowercase,
      .uppercase,
    ]
    let steps = try Trial.conversion(ConversionSpec(type: .json, transforms: every))
    for text in texts {
      let arena = ByteArena()
      let raw = RawValue.text(arena.copy(text))
      for conversion in all {
        let converted = conversion.convert(raw, into: arena)
        guard conversion.type == .text || conversion.type == .any else { continue }
        guard case .cell(let cell) = converted else {
          Issue.record("a text is refused as \(conversion.type)")
          continue
        }
        #expect(cell.rawBytes.elementsEqual(text.utf8))
      }
      guard case .cell(let cell) = all.first(where: { $0.type == .json })?.convert(raw, into: arena) else { continue }
      // What is written as JSON is read as the same text.
      let back = try Trial.raw(cell.stringValue, arena)
      #expect(back.text.elementsEqual(text.utf8))
      if case .cell(let cell) = steps.convert(raw, into: arena) { _ = try Trial.raw(cell.stringValue, arena) }
    }
  }

  @Test func `no bytes crash a type, a format or a transform`() throws {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("0123456789+-.eE:TZ /,{}()\\\"'<>&;%=abAMPM\u{A0}é日😀".utf8) + [0, 0xC2, 0xE2, 0x80, 0xFF]
    let formats = [
      "iso8601", "rfc2822", "epoch_s", "epoch_ns", "dotnet", "EEE MMM d h:mm:ss a Z yyyy", "yyyy-DDD'T'HH z",
    ]
    var conversions = try ColumnType.allCases.map { try Trial.conversion(ConversionSpec(type: $0)) }
    conversions += try formats.map {
      try Trial.conversion(ConversionSpec(type: .timestamp, formats: [$0], timeZone: "Europe/Berlin"))
    }
    conversions += try [
      [.trim, .squeeze, .stripHTML, .urlDecode, .uppercase], [.replace(pattern: "\\b", with: "$0-")],
      [.extract("(a|b)*")],
      [.split("e"), .shift(3)],
    ].map { try Trial.conversion(ConversionSpec(type: .text, transforms: $0)) }
    for _ in 0..<2000 {
      let arena = ByteArena()
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      let raw = RawValue.text(bytes.withUnsafeBytes { arena.copy($0) })
      for conversion in conversions { _ = conversion.convert(raw, into: arena) }
    }
  }

  @Test func `threads share a conversion`() async throws {
    let conversion = try Trial.conversion(
      ConversionSpec(
        type: .integer, transforms: [.replace(pattern: "[^0-9]+", with: "")], check: Check(pattern: "^[0-9]+$")))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          (0..<2000).allSatisfy { index in
            let arena = ByteArena()
            let raw = RawValue.text(arena.copy("n\(number)-\(index)"))
            return Trial.text(conversion.convert(raw, into: arena)) == String(Int("\(number)\(index)") ?? -1)
          }
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
