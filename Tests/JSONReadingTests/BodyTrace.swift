// For windows of a few bytes, which the package API does not offer.
@testable import JSONReading

/// Writes down what a reader hands out.
struct BodyTrace: RecordReceiver {
  var lines: [String] = []
  var kept: [AnyObject] = []
  var keepsWindows = false

  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws {
    var line = "\(position.place) \(JSONPointer(position.steps)) \(String(decoding: record.rawText, as: UTF8.self))"
    if !position.captures.isEmpty {
      line += " <" + position.captures.map { $0?.root.stringValue ?? "-" }.joined(separator: "|") + ">"
    }
    lines.append(line)
    if keepsWindows { kept.append(window) }
  }
}

/// Key paths in the notation of the mapping language, as far as tests need it.
func path(_ text: String) -> KeyPath {
  var steps: [KeyPath.Step] = []
  for part in text.split(separator: ".") {
    let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
    if pieces[0] == "*" {
      steps.append(.eachMember)
    } else if pieces[0] != "" {
      steps.append(.member(JSONName(String(pieces[0]))))
    }
    for piece in pieces.dropFirst() {
      let index = piece.dropLast()
      steps.append(index == "*" ? .eachElement : .element(Int(index) ?? 0))
    }
  }
  return KeyPath(origin: .value, steps: steps, text: text)
}

func capture(_ place: Int?, _ levels: Int, _ members: String...) -> PlaceTree.Capture {
  PlaceTree.Capture(place: place, levels: levels, members: members.map { JSONName($0) })
}

/// What a body gives with windows of this size: the records, then the summary, or the error.
func trace(
  _ json: some Sequence<UInt8>, _ tree: PlaceTree, limits: JSONLimits = JSONLimits(), format: BodyFormat = BodyFormat(),
  window: Int
) -> (lines: [String], summary: BodySummary?, error: JSONError?) {
  var receiver = BodyTrace()
  let reader = BodyReader(tree: tree, limits: limits, format: format, windowSize: window)
  do {
    let summary = try reader.read(.memory(Array(json)), into: &receiver)
    return (receiver.lines, summary, nil)
  } catch let error as JSONError {
    return (receiver.lines, nil, error)
  } catch {
    return (receiver.lines, nil, JSONError(.io, "\(error)", offset: 0, line: 0))
  }
}
