import CStage1
import Foundation
// For windows of a few bytes, and to count them.
@testable import JSONReading
import Testing

struct WindowTests {
  @Test func `stage 1 gives the positions that the walk is built on`() throws {
    let text = Array(#" {"a" : "b\"{", "c":[1.5 ,true],"d":"é" x"#.utf8)
    let scanner = Stage1()
    #expect(
      text.withUnsafeBufferPointer { scanner.scan($0.baseAddress ?? scannerText, count: text.count) } == .positions)
    let positions = Array(UnsafeBufferPointer(start: scanner.positions, count: scanner.count + 2)).map(Int.init)
    #expect(positions == [1, 2, 6, 8, 14, 16, 19, 20, 21, 25, 26, 30, 31, 32, 35, 36, 41, text.count, text.count])
  }

  @Test func `stage 1 tells what keeps it from giving positions`() {
    func verdict(_ bytes: [UInt8]) -> Stage1.Verdict {
      bytes.withUnsafeBufferPointer { Stage1().scan($0.baseAddress ?? scannerText, count: bytes.count) }
    }
    #expect(verdict([]) == .blank)
    #expect(verdict(Array(" \n".utf8)) == .blank)
    #expect(verdict(Array("[\"a".utf8)) == .openString)
    #expect(verdict(Array("[\"a\n\"]".utf8)) == .broken)
    #expect(verdict([UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\"")]) == .broken)
  }

  /// 12 MB of one array, in a file.
  private func largeArray() throws -> (url: URL, count: Int) {
    let url = FileManager.default.temporaryDirectory.appending(path: "window-tests-\(UUID().uuidString).json")
    let count = 120_000
    var text = "{\"items\": ["
    for index in 0..<count {
      text += index == 0 ? "" : ","
      text += #"{"id":\#(index),"note":"some text, with \"quotes\" and é, to fill the line up to a hundred bytes"}"#
    }
    text += "], \"n\": 1}"
    try Data(text.utf8).write(to: url)
    return (url, count)
  }

  struct Sum: RecordReceiver {
    var ids = 0
    var kept: [AnyObject] = []
    var keeps = 0

    mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws {
      ids += Int(record.member(named: JSONName("id"))?.stringValue ?? "") ?? -1
      guard keeps > 0, kept.last !== window else { return }
      kept.append(window)
      if kept.count > keeps { kept.removeFirst() }
    }
  }

  @Test func `an array of 12 MB takes one window, and more only when windows are kept`() throws {
    let (url, count) = try largeArray()
    defer { try? FileManager.default.removeItem(at: url) }
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("items"))])
    for (keeps, most) in [(0, 1), (3, 6)] {
      var sum = Sum(keeps: keeps)
      let reader = BodyReader(tree: tree)
      let summary = try reader.read(.file(url.path), into: &sum)
      #expect(summary.records == count)
      #expect(sum.ids == count * (count - 1) / 2)
      #expect(reader.windowsMade <= most)
    }
  }

  @Test func `a window that is kept is not written to again`() throws {
    let json = "[" + (0..<500).map { #"{"n":"value \#($0)"}"# }.joined(separator: ",\n") + "]"
    struct Keeper: RecordReceiver {
      var kept: [(window: AnyObject, text: UnsafeRawBufferPointer)] = []
      mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws {
        kept.append((window, record.rawText))
      }
    }
    var keeper = Keeper()
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("."))])
    let reader = BodyReader(tree: tree, limits: JSONLimits(), format: BodyFormat(), windowSize: 128)
    _ = try reader.read(.memory(Array(json.utf8)), into: &keeper)
    for (index, record) in keeper.kept.enumerated() {
      #expect(String(decoding: record.text, as: UTF8.self) == #"{"n":"value \#(index)"}"#)
    }
    #expect(keeper.kept.count == 500)
  }

  @Test func `a file that is not there is an error that names it`() throws {
    var sum = Sum()
    let error = #expect(throws: JSONError.self) {
      _ = try BodyReader(tree: PlaceTree(places: [])).read(.file("/nowhere/body.json"), into: &sum)
    }
    #expect(error?.code == .io)
    #expect(error?.message.contains("/nowhere/body.json") == true)
  }

  @Test func `a pipe is read to its end`() throws {
    let pipe = Pipe()
    Thread.detachNewThread {
      for part in ["[{\"id\"", ":1},", "{\"id\":2", "0}]"] {
        pipe.fileHandleForWriting.write(Data(part.utf8))
        usleep(2000)
      }
      try? pipe.fileHandleForWriting.close()
    }
    var sum = Sum()
    let tree = PlaceTree(places: [PlaceTree.Place(path: path("."))])
    _ = try BodyReader(tree: tree).read(.stream(pipe.fileHandleForReading.fileDescriptor), into: &sum)
    #expect(sum.ids == 21)
  }

  private let scannerText = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
}
