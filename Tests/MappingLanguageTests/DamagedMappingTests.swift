import Diagnostics
import Foundation
import MappingLanguage
import Testing

/// Whatever stands in the place of a value, reading ends with findings.
struct DamagedMappingTests {
  private static let lines = MappingReaderTests.whole.split(separator: "\n", omittingEmptySubsequences: false)
    .map { String($0) }

  @Test(arguments: ["", "[a]", "{a: b}", "5", "'${'", "[]", "[{a: [b]}]"])
  func `a mapping with another value in any of its lines is read to its end`(_ value: String) {
    for (index, line) in Self.lines.enumerated() {
      guard let colon = line.range(of: ": ") else { continue }
      var damaged = Self.lines
      damaged[index] = line[..<colon.upperBound] + value
      let (mapping, found) = Reading.text(damaged.joined(separator: "\n"))
      #expect(mapping != nil || found.containsErrors, "\(damaged[index])")
    }
  }

  @Test func `a mapping that lacks any of its lines is read to its end`() {
    for index in Self.lines.indices {
      var damaged = Self.lines
      damaged.remove(at: index)
      let (mapping, found) = Reading.text(damaged.joined(separator: "\n"))
      #expect(mapping != nil || found.containsErrors, "\(Self.lines[index])")
    }
  }

  @Test func `a mapping that ends anywhere is read to its end`() {
    for end in Self.lines.indices {
      let (mapping, found) = Reading.text(Self.lines[..<end].joined(separator: "\n"))
      #expect(mapping != nil || found.containsErrors)
    }
  }

  @Test func `what is left out of the mapping was reported`() throws {
    let whole = try Reading.clean(MappingReaderTests.whole)
    for (index, line) in Self.lines.enumerated() {
      guard let colon = line.range(of: ": ") else { continue }
      var damaged = Self.lines
      damaged[index] = line[..<colon.upperBound] + "[[[a]]]"
      let (mapping, found) = Reading.text(damaged.joined(separator: "\n"))
      guard let mapping else { continue }
      let isSmaller =
        mapping.records.count < whole.records.count || mapping.endpoints.count < whole.endpoints.count
        || mapping.tests.count < whole.tests.count || mapping.errors.count < whole.errors.count
      if isSmaller { #expect(found.containsErrors, "\(line)") }
    }
  }
}
