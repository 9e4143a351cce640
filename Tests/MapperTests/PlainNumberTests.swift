// For the long quotient and single names, which mapping does not offer by themselves.
@testable import Mapper
import PlanCompiler
import JSONReading
import TestSupport
import Testing

struct PlainNumberTests {
  private func real(_ text: String) -> Double? { Array(text.utf8).withUnsafeBufferPointer(PlainNumber.real) }
  private func integer(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBufferPointer(PlainNumber.integer) }

  @Test(arguments: [
    "9007199254740993", "9007199254740995", "9007199254740994.5", "9007199254740993.0", "4503599627370496.5",
    "4503599627370497.5", "9999999999999999999", "0.999999999999999999", "0.100000000000000005",
    "1.000000000000000111",
    "0.000000000000000001", "123456789.0123456789", "-566.7660625541783", "-0.0", "0", "12345678", "1234567890123456.7",
  ])
  func `digits that no double holds are rounded once, to the nearest, and halves to even`(_ text: String) {
    #expect(real(text)?.bitPattern == Double(text)?.bitPattern)
  }

  @Test(arguments: Seed.trials(20))
  func `a number is the double that is nearest`(_ seed: UInt64) {
    var random = TestRandom(seed: seed)
    for _ in 0..<2000 {
      let count = Int.random(in: 1...19, using: &random)
      let digits = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }
      let whole = Int.random(in: 1...count, using: &random)
      let text =
        (Bool.random(using: &random) ? "-" : "") + digits[..<whole].joined()
        + (whole < count ? "." + digits[whole...].joined() : "")
      #expect(real(text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test(arguments: ["1e3", "1.5E-7", "0.12345678e5", "12345678901234567890", "0.12345678901234567890"])
  func `an exponent, or more than 19 digits, is for the long way`(_ text: String) { #expect(real(text) == nil) }

  @Test func `integers are whole to the last digit, and what does not fit is none`() {
    for text in ["0", "-0", "7", "12345678", "123456789", "-1234567890123456789", "9223372036854775807"] {
      #expect(integer(text) == Int64(text), "\(text)")
    }
    for text in ["9223372036854775808", "9999999999999999999", "-9999999999999999999", "18446744073709551616"] {
      #expect(integer(text) == nil, "\(text)")
    }
  }
}

struct MemberNamesTests {
  /// Names that share beginnings, ends and lengths.
  private static func name(_ random: inout TestRandom) -> [UInt8] {
    let letters = Array("ab_é".utf8)
    let count = Int.random(in: 0...24, using: &random)
    return (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
  }

  @Test(arguments: Seed.trials(20))
  func `a name is found where it is, and nowhere else`(_ seed: UInt64) {
    var random = TestRandom(seed: seed)
    // More than a table of hashes tells apart.
    let count = [1, 3, 20, 300].randomElement(using: &random) ?? 1
    let known = (0..<count).map { _ in JSONName(bytes: Self.name(&random)) }
    let tree = MemberTree(known.map { [$0] })
    let names = MemberNames(tree)
    defer { names.deallocate() }
    for wanted in known.map(\.bytes) + (0..<300).map({ _ in Self.name(&random) }) {
      let expected = tree.nodes.indices.dropFirst().first { Array(tree.names[tree.nodes[$0].name]) == wanted } ?? -1
      let quoted = wanted + Array("\": 1234567".utf8)
      let found = quoted.withUnsafeBufferPointer { text in
        text.baseAddress.map { names.child(of: names.nodes[0], $0, wanted.count) }
      }
      #expect(found == expected, "\(wanted) among \(count)")
      #expect(wanted.withUnsafeBufferPointer { names.child(of: names.nodes[0], $0) } == expected)
    }
  }
}
