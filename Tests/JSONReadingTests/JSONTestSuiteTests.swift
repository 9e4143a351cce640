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

/// The same files through the reader of bodies, cut into windows at every place.
@Suite(.enabled(if: Corpus.folder != nil, "the corpora are not there"))
struct JSONTestSuiteWindowTests {
  static let sizes = [1, 2, 3, 5, 7, 8, 11, 16, 64]
  /// An empty body and a blank one are no JSON text, but successes without records.
  static let blank: Set<String> = [
    "n_structure_no_data.json", "n_single_space.json", "n_structure_UTF8_BOM_no_data.json",
  ]

  @Test(arguments: ["y_", "n_", "i_"])
  func `windows of every size change no verdict`(_ kind: String) throws {
    let trees = [["."], ["a"], [".*"], ["[*]", "[-1]"]].map { places in
      PlaceTree(places: places.map { PlaceTree.Place(path: path($0)) })
    }
    for file in try Corpus.json(kind) where file.bytes.count < 10_000 && !Self.blank.contains(file.name) {
      let isRead = (try? JSONDocument(file.bytes)) != nil
      for (index, tree) in trees.enumerated() {
        let whole = trace(file.bytes, tree, window: 1 << 20)
        // UTF-16 with a mark is text to the reader of bodies, not to the one of documents.
        let expected = isRead || file.name == "i_string_UTF-16LE_with_BOM.json"
        let mayRepeat = (index == 1 || index == 2) && file.name.contains("duplicated")
        #expect((whole.error == nil) == expected || mayRepeat, "\(file.name): \(whole.error?.message ?? "read")")
        for size in Self.sizes {
          let cut = trace(file.bytes, tree, window: size)
          #expect((cut.error == nil) == (whole.error == nil), "\(file.name), window of \(size)")
          if whole.error == nil { #expect(cut.lines == whole.lines, "\(file.name), window of \(size)") }
        }
      }
    }
  }

  @Test func `the two deepest files are refused, not crashed on`() throws {
    let deep = try Corpus.json("n_structure_").filter { $0.bytes.count >= 10_000 }
    #expect(deep.count == 2)
    for file in deep {
      for size in [64, 1 << 20] {
        let tree = PlaceTree(places: [PlaceTree.Place(path: path("a"))])
        #expect(trace(file.bytes, tree, window: size).error?.code == .limitDepth, "\(file.name)")
      }
    }
  }
}
