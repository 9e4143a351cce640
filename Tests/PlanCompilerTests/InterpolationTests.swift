import Diagnostics
import MappingLanguage
import PlanCompiler
import Records
import TestSupport
import Testing
import Values

struct InterpolationTests {
  private static let scope = Interpolation(
    variables: [
      .init(name: "word", type: nil, value: .text("a/b c")), .init(name: "count", type: .integer, value: .number("5")),
      .init(name: "flag", type: nil, value: .boolean(true)), .init(name: "nothing", type: nil, value: .null),
      .init(name: "day", type: .date, value: .text("2015-07-04")),
      .init(name: "at", type: .timestamp, value: .text("2015-07-04T23:30:00-02:00")),
      .init(name: "open", type: .integer, value: nil), .init(name: "caf\u{e9}", type: nil, value: .text("nfc")),
    ],
    now: Instant(seconds: 1_436_054_399), secret: { $0 == "KEY" ? "plum" : nil },
    environment: { $0 == "HOME_PAGE" ? "home" : nil })

  /// The template of a parameter, read from a mapping as users write it.
  private func template(_ value: String) throws -> Template {
    let names = Self.scope.variables.map { "\($0.name): {type: \($0.type?.rawValue ?? "text")}" }.joined(
      separator: ", ")
    let text =
      "ingest: 1\nsource: {name: demo, base_url: 'http://a.test', params: {p: \(value)}}\nvariables: {\(names)}\n"
    let (mapping, findings) = MappingReader.read(SourceFile(name: "m.yaml", text: text)) { _ throws(IncludeFailure) in
      throw IncludeFailure(reason: "none")
    }
    guard let template = mapping?.source.params.first?.values.first?.value, !findings.containsErrors else {
      throw FixtureError(DiagnosticPrinter.text(findings, colour: false))
    }
    return template
  }

  @Test(arguments: [
    ("plain", "plain"), ("12", "12"), ("1.50", "1.50"), ("012", "012"), ("'${word}'", "a/b c"), ("'x${count}y'", "x5y"),
    ("'${flag}'", "true"), ("'[${nothing}]'", "[]"), ("'$${word}'", "${word}"), ("'${env.HOME_PAGE}'", "home"),
    ("'Bearer ${secret.KEY}'", "Bearer plum"), ("'${day:yyyyMMdd}'", "20150704"),
    ("'${at:yyyy-MM-dd HH}'", "2015-07-05 01"),
    ("'${today}'", "2015-07-04"), ("'${today-7d}'", "2015-06-27"), ("'${today+1d}'", "2015-07-05"),
    ("'${today-4d:dd.MM.yy}'", "30.06.15"), ("'${now}'", "2015-07-04T23:59:59Z"), ("'${now:HHmmss}'", "235959"),
    ("'${today-1d}/${today}'", "2015-07-03/2015-07-04"),
  ])
  func `a template gives its text`(_ value: String, _ expected: String) throws {
    guard case .text(let text) = Self.scope.text(of: try template(value)) else {
      Issue.record("\(value) gives no text")
      return
    }
    #expect(text == expected)
  }

  @Test(arguments: [
    ("'${open}'", "open"), ("'x${open}'", "open"), ("'${env.NONE}'", "env.NONE"), ("'${secret.NONE}'", "secret.NONE"),
  ])
  func `what has no value is named`(_ value: String, _ name: String) throws {
    guard case .unresolved(let found) = Self.scope.text(of: try template(value)) else {
      Issue.record("\(value) has a value")
      return
    }
    #expect(found == name)
  }

  @Test(arguments: ["word", "count", "flag"])
  func `a date pattern needs a date`(_ name: String) throws {
    guard case .invalid(let message) = Self.scope.text(of: .variable(name, pattern: "yyyy")) else {
      Issue.record("\(name) gives a text")
      return
    }
    #expect(message == "'\(name)' is no date, so it cannot be written as 'yyyy'")
  }

  @Test(arguments: [
    ("'${count}'", Literal.number("5")), ("'${flag}'", .boolean(true)), ("'${nothing}'", .null),
    ("'${word}'", .text("a/b c")), ("'${count} '", .text("5 ")), ("12", .number("12")), ("'12'", .text("12")),
    ("true", .boolean(true)), ("'$${count}'", .text("${count}")), ("'${day:yyyy}'", .text("2015")),
  ])
  func `a value that is one reference keeps its type`(_ value: String, _ expected: Literal) throws {
    guard case .literal(let literal) = Self.scope.literal(of: try template(value)) else {
      Issue.record("\(value) gives no literal")
      return
    }
    #expect(literal == expected)
  }

  @Test func `references alone are encoded`() throws {
    let outcome = Self.scope.text(of: try template("'a b/${word}'")) { "<\($0)>" }
    guard case .text(let text) = outcome else {
      Issue.record("no text")
      return
    }
    #expect(text == "a b/<a/b c>")
  }

  @Test func `without secrets none is read`() throws {
    var scope = Self.scope
    scope.secret = nil
    guard case .unresolved = scope.text(of: try template("'${secret.KEY}'")) else {
      Issue.record("a secret was read")
      return
    }
  }

  @Test func `names of variables are compared by their bytes`() {
    guard case .text("nfc") = Self.scope.text(of: .variable("caf\u{e9}", pattern: nil)) else {
      Issue.record("the variable is not found")
      return
    }
    guard case .invalid = Self.scope.text(of: .variable("cafe\u{301}", pattern: nil)) else {
      Issue.record("another name is taken for it")
      return
    }
  }

  @Test func `constants and patterns take the variables' values`() throws {
    let text = """
      ingest: 1
      source: {name: demo}
      variables: {version: {type: integer, default: 3}, word: a/b}
      records: {Item: {key: id, fields: {id: , v: {type: integer, const: "${version}"}}}}
      endpoints: {e: {path: "/v${version}/${word}/x", fetch: false, records: {a: Item}}}
      """
    let plan = try Compiling.plan(text)
    guard case .constant(let constant) = plan.rows[0].fields[1].source else {
      Issue.record("no constant")
      return
    }
    #expect(constant.cell.kind == .integer && constant.cell.integerValue == 3)
    #expect(plan.router.descriptors[0].pattern.text == "/v3/a%2Fb/x")
    #expect(plan.router.descriptors[0].pattern.match(PathPattern.segments(ofPath: "/v3/a%2Fb/x")) != nil)
    #expect(plan.router.descriptors[0].pattern.match(PathPattern.segments(ofPath: "/v3/a/b/x")) == nil)
  }

  @Test func `a variable without a value is a fault of a run, not of a check`() {
    let text = """
      ingest: 1
      source: {name: demo}
      variables: {version: {type: integer}}
      records: {Item: {key: id, fields: {id: , v: {const: "${version}"}}}}
      endpoints: {e: {path: /e, fetch: false, records: {a: Item}}}
      """
    let variable = Interpolation.Variable(name: "version", type: .integer, value: nil)
    #expect(Compiling.of(text, scope: Compiling.scope(checking: true, variables: [variable])).plan != nil)
    let run = Compiling.of(text, scope: Compiling.scope(checking: false, variables: [variable]))
    #expect(run.plan == nil && run.diagnostics.map(\.code) == [.badInterpolation])
  }
}
