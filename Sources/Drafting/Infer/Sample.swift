package import JSONReading
import Records

/// The bodies of one file, as far as a draft looks at them: their values are not kept.
package struct Sample {
  /// The largest JSON text that is looked at; lines of NDJSON may be any number.
  package static let bound = 256 << 20

  package let stem: String
  package let isNDJSON: Bool
  package let isLenient: Bool
  let shape: ValueShape

  /// Reads a JSON text, or lines. Comments and trailing commas are no fault.
  ///
  /// - Parameter number: tells bodies apart; the same id in two of them is no repeat.
  package init(
    _ source: BodySource, stem: String, number: Int, isNDJSON: Bool
  ) throws(JSONError) {
    self.stem = stem
    self.isNDJSON = isNDJSON
    var collector = ShapeCollector(body: number)
    if isNDJSON {
      isLenient = false
      try Self.readLines(source, into: &collector)
    } else {
      isLenient = try Self.readText(source, into: &collector)
    }
    shape = collector.shape
  }

  /// Is it lenient?
  private static func readText(_ source: BodySource, into collector: inout ShapeCollector) throws(JSONError) -> Bool {
    do throws(JSONError) {
      let document = try JSONDocument(source, bound: bound)
      collector.add(document.root)
      return false
    } catch {
      guard error.code == .syntax, source.isRepeatable,
        let document = try? JSONDocument(source, format: BodyFormat(isLenient: true), bound: bound)
      else { throw error }
      collector.add(document.root)
      return true
    }
  }

  private static func readLines(
    _ source: BodySource, into collector: inout ShapeCollector
  ) throws(JSONError) {
    let path = KeyPath(origin: .value, steps: [], text: ".")
    let reader = NDJSONReader(tree: PlaceTree(places: [.init(path: path)]))
    var failure: JSONError?
    do {
      try reader.readLines(source, into: &collector, begin: { _, _ in }) { _, fault, _, _ in
        failure = fault
        return fault == nil
      }
    } catch let error as JSONError {
      failure = error
    } catch {
      preconditionFailure("a collector throws nothing")
    }
    if let failure { throw failure }
  }
}

/// Lays values over one another.
private struct ShapeCollector: RecordReceiver {
  let shape = ValueShape()
  private let arena = ByteArena()
  private let body: Int

  init(body: Int) { self.body = body }

  func add(_ value: JSONValue) { shape.add(value, body: body, arena) }

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws {
    add(record)
  }
}
