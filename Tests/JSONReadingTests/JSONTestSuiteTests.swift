import JSONReading
import Testing

@Suite(.enabled(if: Corpus.folder != nil, "the corpora are not there"))
struct JSONTestSuiteTests {
  @Test func `what must be read is read`() throws {
    let files = try Corpus.json("y_")
    #expect(files.count == 95)
    for file in files {
      #expect(throws: Never.self, "\(file.name)") { try JSONDocument(file.bytes) }
    }
  }

  @Test func `what must be refused is refused`() throws {
    let files = try Corpus.json("n_")
    #expect(files.count == 188)
    for file in files {
      #expect(throws: JSONError.self, "\(file.name)") { try JSONDocument(file.bytes) }
    }
  }

  /// What the suite leaves open, and this reader accepts: numbers of any size, whose text is kept.
  static let accepted: Set<String> = [
    "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
    "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
    "i_number_real_underflow.json", "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
    "i_number_very_big_negative_int.json", "i_structure_500_nested_arrays.json",
    "i_structure_UTF-8_BOM_empty_object.json",
  ]

  @Test func `what may be either has a pinned verdict`() throws {
    let files = try Corpus.json("i_")
    #expect(files.count == 35)
    for file in files {
      let isRead = (try? JSONDocument(file.bytes)) != nil
      #expect(isRead == Self.accepted.contains(file.name), "\(file.name)")
    }
  }
}
