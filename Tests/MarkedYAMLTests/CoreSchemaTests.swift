import MarkedYAML
import Testing

struct CoreSchemaTests {
  @Test(arguments: [
    ("", "null"), ("~", "null"), ("null", "null"), ("Null", "null"), ("NULL", "null"), ("nULL", "'nULL'"),
    ("true", "true"), ("True", "true"), ("TRUE", "true"), ("false", "false"), ("False", "false"), ("FALSE", "false"),
    ("no", "'no'"), ("yes", "'yes'"), ("on", "'on'"), ("off", "'off'"), ("y", "'y'"), ("tRue", "'tRue'"),
    ("0", "int 0"), ("-0", "int -0"), ("12", "int 12"), ("+5", "int +5"), ("-17", "int -17"),
    ("123456789012345678901234567890", "int 123456789012345678901234567890"),
    ("1.0", "real 1.0"), ("0.1", "real 0.1"), ("-.5", "real -.5"), ("5.", "real 5."), ("1e3", "real 1e3"),
    ("1.5E-7", "real 1.5E-7"), ("1e400", "real 1e400"), ("0e0", "real 0e0"),
    ("012", "'012'"), ("-012", "'-012'"), ("00", "'00'"), ("01.5", "'01.5'"), ("1_000", "'1_000'"),
    ("0o7", "'0o7'"), ("0x1F", "'0x1F'"), ("0b1", "'0b1'"), (".inf", "'.inf'"), ("-.inf", "'-.inf'"),
    (".nan", "'.nan'"), (".", "'.'"), ("+", "'+'"), ("1e", "'1e'"), ("e3", "'e3'"), ("1.2.3", "'1.2.3'"),
    ("1 2", "'1 2'"), ("190:20:30", "'190:20:30'"), ("2015-07-01", "'2015-07-01'"), ("٣", "'٣'"),
  ])
  func `a plain scalar is what the core rules say`(_ text: String, _ value: String) {
    #expect(Outline("a: \(text)\n").value == "{a: \(value)}")
  }

  @Test(arguments: [
    ("\"12\"", "'12'"), ("'true'", "'true'"), ("\"\"", "''"), ("|\n  12", "'12\n'"), (">-\n  null", "'null'"),
    ("! 12", "'12'"), ("!!str 12", "'12'"), ("!!str", "''"), ("!!str null", "'null'"), ("!!int 12", "int 12"),
    ("!!int \"12\"", "int 12"), ("!!float 1.5", "real 1.5"), ("!!float 12", "real 12"), ("!!bool true", "true"),
    ("!!null ~", "null"), ("!!null", "null"), ("!!seq [1]", "[int 1]"), ("!!map {b: 1}", "{b: int 1}"),
    ("!<tag:yaml.org,2002:str> 1", "'1'"),
  ])
  func `quotes and tags of the core schema decide`(_ text: String, _ value: String) {
    let outline = Outline("a: \(text)\n")
    #expect(outline.findings == [])
    #expect(outline.value == "{a: \(value)}")
  }

  @Test(arguments: [
    "!mine x", "!!binary aGk=", "!!int 012", "!!int x", "!!bool yes", "!!null x", "!!seq x", "!!str [a]", "!!map [a]",
    "!!seq {a: 1}", "!mine [a]", "!!set {a}", "!!timestamp 2001-01-01", "!<tag:example.org,2000:x> 1", "!!merge <<",
    "!!strange x", "!!str%CC%81 x",
  ])
  func `another tag, or one that does not fit, is an error at its place`(_ text: String) {
    #expect(Outline("a: \(text)\n").findings == ["1:4 yaml-syntax"])
  }

  @Test(arguments: [
    ("5", "5"), ("+5", "5"), ("-5", "-5"), (".5", "0.5"), ("-.5e3", "-0.5e3"), ("5.", "5.0"), ("+5.E-3", "5.0E-3"),
    ("1.50", "1.50"), ("1e400", "1e400"), ("-0", "-0"), ("012", nil), ("x", nil), ("~", nil), ("true", nil),
  ])
  func `a number has a text that JSON has too`(_ text: String, _ number: String?) {
    guard case .mapping(let entries) = Outline("a: \(text)").root?.content,
      case .scalar(let scalar) = entries.first?.value.content
    else {
      Issue.record("no scalar")
      return
    }
    #expect(scalar.numberText == number)
  }
}
