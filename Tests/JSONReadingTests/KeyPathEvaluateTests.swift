import JSONReading
import Testing

struct KeyPathEvaluateTests {
  struct Case: Sendable {
    var json: String
    var steps: [KeyPath.Step]
    var expected: String
  }

  static let a = KeyPath.Step.member(JSONName("a"))
  static let b = KeyPath.Step.member(JSONName("b"))

  static let cases: [Case] = [
    Case(json: #"{"a":1}"#, steps: [], expected: #"{"a":1}"#),
    Case(json: #"{"a":{"b":1}}"#, steps: [a, b], expected: "1"),
    Case(json: #"{"a":{"b":null}}"#, steps: [a, b], expected: "null"),
    Case(json: #"{"a":null}"#, steps: [a, b], expected: "missing"),
    Case(json: #"{}"#, steps: [a, b], expected: "missing"),
    Case(json: #"{"a":[]}"#, steps: [a, b], expected: "missing"),
    Case(json: #"{"a":[1]}"#, steps: [a, b], expected: "array at 1"),
    Case(json: #"{"a":"x"}"#, steps: [a, b], expected: "string at 1"),
    Case(json: #"{"a":1,"a":2}"#, steps: [a], expected: "2"),
    Case(json: #"{"\u0061":1}"#, steps: [a], expected: "1"),
    Case(json: #"{"A":1}"#, steps: [a], expected: "missing"),
    Case(json: #"{"a":["x","y","z"]}"#, steps: [a, .element(0)], expected: #""x""#),
    Case(json: #"{"a":["x","y","z"]}"#, steps: [a, .element(-1)], expected: #""z""#),
    Case(json: #"{"a":["x","y","z"]}"#, steps: [a, .element(3)], expected: "missing"),
    Case(json: #"{"a":["x","y","z"]}"#, steps: [a, .element(-4)], expected: "missing"),
    Case(json: #"{"a":[]}"#, steps: [a, .element(0)], expected: "missing"),
    Case(json: #"{"a":{}}"#, steps: [a, .element(0)], expected: "object at 1"),
    Case(json: #"{"a":null}"#, steps: [a, .element(0)], expected: "missing"),
    Case(json: #"[1]"#, steps: [.element(0)], expected: "1"),
    Case(json: #"{"a":[{"b":1},{},{"b":3}]}"#, steps: [a, .eachElement, b], expected: "[1,-,3]"),
    Case(json: #"{"a":[{"b":1},null]}"#, steps: [a, .eachElement, b], expected: "[1,-]"),
    Case(json: #"{"a":[]}"#, steps: [a, .eachElement, b], expected: "[]"),
    Case(json: #"{"a":null}"#, steps: [a, .eachElement, b], expected: "missing"),
    Case(json: #"{"a":{"b":1}}"#, steps: [a, .eachElement, b], expected: "object at 1"),
    Case(json: #"{"a":[1]}"#, steps: [a, .eachElement, b], expected: "number at 2"),
    Case(json: #"{"a":[[1,2],[],[3]]}"#, steps: [a, .eachElement, .eachElement], expected: "[1,2,3]"),
    Case(json: #"{"a":[{"b":[1]},{}]}"#, steps: [a, .eachElement, b, .eachElement], expected: "[1,-]"),
    Case(json: #"{"a":{"x":{"b":1},"y":{}}}"#, steps: [a, .eachMember, b], expected: "[1,-]"),
    Case(json: #"{"a":[1]}"#, steps: [a, .eachMember], expected: "array at 1"),
    Case(json: #"{"a":[]}"#, steps: [a, .eachMember], expected: "missing"),
  ]

  @Test(arguments: cases)
  func `a key path leads to the value, or says why not`(_ sample: Case) throws {
    let document = try JSONDocument(Array(sample.json.utf8))
    let path = KeyPath(origin: .value, steps: sample.steps, text: "")
    #expect(Self.text(path.evaluate(on: document.root)) == sample.expected)
  }

  static func text(_ lookup: KeyPathLookup) -> String {
    func raw(_ value: JSONValue) -> String { String(decoding: value.rawText, as: UTF8.self) }
    switch lookup {
    case .missing: return "missing"
    case .value(let value): return raw(value)
    case .projection(let values): return "[" + values.map { $0.map(raw) ?? "-" }.joined(separator: ",") + "]"
    case .wrongShape(let found, let step): return "\(found) at \(step)"
    }
  }
}
