import Diagnostics
import Foundation
import MappingLanguage
import Testing

/// Whatever stands in the place of a value, reading ends with findings.
struct DamagedMappingTests {
  private static let wholes = [MappingReaderTests.whole, RecordDeclarationTests.whole]

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  @Test(arguments: wholes, ["", "[a]", "{a: b}", "5", "'${'", "[]", "{}", "[{a: [b]}]"])
  func `a mapping with another value in any of its lines is read to its end`(_ whole: String, _ value: String) {
    let lines = Self.lines(of: whole)
    for (index, line) in lines.enumerated() {
      guard let colon = line.range(of: ": ") else { continue }
      var damaged = lines
      damaged[index] = line[..<colon.upperBound] + value
      let (mapping, found) = Reading.text(damaged.joined(separator: "\n"))
      #expect(mapping != nil || found.containsErrors, "\(damaged[index])")
    }
  }

  @Test(arguments: wholes)
  func `a mapping that lacks any of its lines is read to its end`(_ whole: String) {
    let lines = Self.lines(of: whole)
    for index in lines.indices {
      var damaged = lines
      damaged.remove(at: index)
      let (mapping, found) = Reading.text(damaged.joined(separator: "\n"))
      #expect(mapping != nil || found.containsErrors, "\(lines[index])")
    }
  }

  @Test(arguments: wholes)
  func `a mapping that ends anywhere is read to its end`(_ whole: String) {
    let lines = Self.lines(of: whole)
    for end in lines.indices {
      let (mapping, found) = Reading.text(lines[..<end].joined(separator: "\n"))
      #expect(mapping != nil || found.containsErrors)
    }
  }

  @Test(arguments: wholes)
  func `what is left out of the mapping was reported`(_ text: String) throws {
    let whole = try Reading.clean(text)
    let lines = Self.lines(of: text)
    for (index, line) in lines.enumerated() {
      guard let colon = line.range(of: ": ") else { continue }
      var damaged = lines
      damaged[index] = line[..<colon.upperBound] + "[[[a]]]"
      let (mapping, found) = Reading.text(damaged.joined(separator: "\n"))
      guard let mapping else { continue }
      if !isWhole(mapping, beside: whole) { #expect(found.containsErrors, "\(line)") }
    }
  }

  private func isWhole(_ mapping: Mapping, beside whole: Mapping) -> Bool {
    func counts(_ mapping: Mapping) -> [Int] {
      let records = mapping.records
      return [
        records.count, mapping.endpoints.count, mapping.tests.count, mapping.errors.count,
        records.reduce(0) { $0 + $1.fields.count + $1.relationships.count + $1.indexes.count },
        records.reduce(0) { $0 + ($1.cases?.count ?? 0) }, records.count { $0.filter != nil },
        records.count { $0.tombstone != nil }, records.count { $0.sweep != nil },
        records.reduce(0) { $0 + $1.relationships.count { $0.complete != nil } },
        records.reduce(0) { $0 + $1.fields.count { $0.references != nil } },
      ]
    }
    return zip(counts(mapping), counts(whole)).allSatisfy { $0 >= $1 }
  }
}
