import Diagnostics
import MarkedYAML

/// The mapping language as JSON Schema (draft 2020-12), made from the table: for editors, and for whoever checks
/// mappings without ingest.
///
/// It knows structure: keys, kinds of values, words, what is needed. What depends on another place of the mapping, such as
/// names of records, or needs a grammar of its own, such as key paths, is `ingest validate`'s matter. A mapping that
/// `validate` takes is valid here too.
package enum LanguageSchema {
  package static func json() -> String {
    let root: [(String, SchemaNode)] = [
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")), ("title", .text("A mapping of ingest")),
      ("$ref", .text("#/$defs/mapping")),
    ]
    let kinds = MapKind.allCases.map { ($0.rawValue, map($0)) }
    let others: [(String, SchemaNode)] = [
      ("condition", condition), ("scalar", .object([("type", .texts(["string", "number", "boolean"]))])),
      ("literal", .object([("type", .texts(["string", "number", "boolean", "null"]))])),
    ]
    return SchemaNode.object(root + [("$defs", .object(kinds + others))]).written() + "\n"
  }

  // MARK: maps

  private static func map(_ kind: MapKind) -> SchemaNode {
    let specs = LanguageTable.keys(of: kind)
    var members: [(String, SchemaNode)] = [
      ("title", .text(kind.title)), ("type", .text("object")),
      ("properties", .object(specs.map { ($0.name, property($0, of: kind)) })),
    ]
    members.append(("additionalProperties", kind == .expectation ? table : .boolean(false)))
    let required = specs.filter(\.isRequired).map(\.name)
    if !required.isEmpty { members.append(("required", .texts(required))) }
    if kind.hasOneKey { members += [("minProperties", .number(1)), ("maxProperties", .number(1))] }
    if kind == .conditionTest { members.append(("minProperties", .number(1))) }
    return .object(members)
  }

  /// Of `expect`: rows of a table.
  private static let table = anyOf([schema(LanguageTable.expectedRows), ref(.expectedTable)])

  private static func property(_ spec: KeySpec, of kind: MapKind) -> SchemaNode {
    var description = spec.summary
    if let text = spec.defaultText { description += ". Default: \(text)" }
    var value = members(of: spec.kind, words: spec.words)
    // A table may bear such a name too.
    if kind == .expectation { value = [("anyOf", .list([.object(value), table]))] }
    // To include nothing is no error.
    if spec.name == "include", case .either(let kinds) = spec.kind {
      value = either(kinds, isOneOrMany: false, words: [])
    }
    if kind.neverEmpty.contains(spec.name) { value += [("minItems", .number(1)), ("minProperties", .number(1))] }
    var members: [(String, SchemaNode)] = [("description", .text(description))] + value
    if let json = json(spec.example) { members.append(("examples", .list([.json(json)]))) }
    if let value = plainDefault(of: spec) { members.append(("default", value)) }
    return .object(members)
  }

  /// A default that is written as it would be in a mapping, rather than described.
  private static func plainDefault(of spec: KeySpec) -> SchemaNode? {
    guard let text = spec.defaultText else { return nil }
    switch spec.kind {
    case .boolean: return Bool(text).map(SchemaNode.boolean)
    case .integer: return Int(text).map(SchemaNode.number)
    case .word: return spec.words.contains(text) ? .text(text) : nil
    default: return nil
    }
  }

  /// YAML's flow form as JSON.
  private static func json(_ yaml: String) -> String? {
    YAMLReader.read(SourceFile(name: "example", text: yaml)).root?.jsonText
  }

  // MARK: values

  private static func schema(_ kind: ValueKind, words: [String] = []) -> SchemaNode {
    .object(members(of: kind, words: words))
  }

  private static func members(of kind: ValueKind, words: [String]) -> [(String, SchemaNode)] {
    switch kind {
    case .version: [("enum", .list([.number(1), .text("1")]))]
    case .word: [("enum", .list(words.map(SchemaNode.text) + (words.contains("null") ? [.json("null")] : [])))]
    case .boolean: [("type", .text("boolean"))]
    case .integer(let range): integer(range)
    case .duration: pattern("^[0-9]+(ms|s|m|h|d)$")
    case .size: pattern("^[0-9]+(KB|MB|GB)$")
    case .rate: pattern("^[0-9]+/(s|min|h|d)$")
    case .share: numberOrText("^[0-9]+([.][0-9])?%?$", 0...Int.max)
    case .status: numberOrText("^[1-5](xx|[0-9][0-9](-[1-5][0-9][0-9])?)$", 100...599)
    case .type: [("enum", .texts(LanguageTable.typeNames))]
    case .condition: [("$ref", .text("#/$defs/condition"))]
    case .literal: [("$ref", .text("#/$defs/literal"))]
    case .anything, .jsonTemplate: []
    case .map(let kind): [("$ref", .text("#/$defs/\(kind.rawValue)"))]
    case .dictionary(let keys, let inner): dictionary(keys, schema(inner, words: words))
    case .list(let inner): [("type", .text("array")), ("items", schema(inner, words: words))]
    case .optional(let inner): optional(members(of: inner, words: words))
    case .either(let kinds): either(kinds, isOneOrMany: kind.isOneOrMany, words: words)
    case .text, .name, .template, .url, .pathPattern, .keyPath, .pattern, .record, .endpoint, .reference, .outcome:
      [("$ref", .text("#/$defs/scalar"))]
    }
  }

  private static func pattern(_ pattern: String) -> [(String, SchemaNode)] {
    [("type", .text("string")), ("pattern", .text(pattern))]
  }

  private static func numberOrText(_ pattern: String, _ range: ClosedRange<Int>) -> [(String, SchemaNode)] {
    [("type", .texts(["integer", "string"])), ("pattern", .text(pattern))] + integer(range).dropFirst()
  }

  private static func integer(_ range: ClosedRange<Int>) -> [(String, SchemaNode)] {
    let bound: [(String, SchemaNode)] = range.upperBound == .max ? [] : [("maximum", .number(range.upperBound))]
    return [("type", .text("integer")), ("minimum", .number(range.lowerBound))] + bound
  }

  private static func dictionary(_ keys: ValueKind.Keys, _ value: SchemaNode) -> [(String, SchemaNode)] {
    var members: [(String, SchemaNode)] = [("type", .text("object")), ("additionalProperties", value)]
    if case .literal = keys { return members }
    members.append(("propertyNames", .object([("minLength", .number(1))])))
    return members
  }

  private static func optional(_ members: [(String, SchemaNode)]) -> [(String, SchemaNode)] {
    let null = SchemaNode.object([("type", .text("null"))])
    if members.count == 1, members[0].0 == "anyOf", case .list(let kinds) = members[0].1 {
      return [("anyOf", .list(kinds + [null]))]
    }
    return [("anyOf", .list([.object(members), null]))]
  }

  /// Of a value or a list of such, the list has one at least.
  private static func either(_ kinds: [ValueKind], isOneOrMany: Bool, words: [String]) -> [(String, SchemaNode)] {
    let schemas = kinds.map { kind -> SchemaNode in
      var members = members(of: kind, words: words)
      if isOneOrMany, case .list = kind { members.append(("minItems", .number(1))) }
      return .object(members)
    }
    return [("anyOf", .list(schemas))]
  }

  private static func anyOf(_ schemas: [SchemaNode]) -> SchemaNode { .object([("anyOf", .list(schemas))]) }

  private static func ref(_ kind: MapKind) -> SchemaNode { .object([("$ref", .text("#/$defs/\(kind.rawValue)"))]) }

  /// A map of key paths and tests, beside the combinators.
  private static var condition: SchemaNode {
    let test = ValueKind.either([.literal, .list(of: .literal), .map(.conditionTest)])
    return .object([
      ("title", .text("a condition")), ("type", .text("object")),
      (
        "properties",
        .object([
          (
            "any",
            .object([
              ("description", .text("one of these conditions holds")), ("type", .text("array")),
              ("items", schema(.condition)), ("minItems", .number(1)),
            ])
          ),
          (
            "not",
            .object([("description", .text("this condition does not hold")), ("$ref", .text("#/$defs/condition"))])
          ),
        ])
      ),
      ("additionalProperties", schema(test)), ("minProperties", .number(1)),
    ])
  }
}
