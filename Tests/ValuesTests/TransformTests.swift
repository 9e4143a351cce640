import Glibc
import Records
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct TransformTests {
  @Test func `transforms do what their names say`() throws {
    let table: [([Transform], String, String)] = [
      ([.trim, .lowercase], "\"  Big OAK \"", "'big oak'"), ([.lowercase, .trim], "\"\\u00a0ÄÖ \"", "'äö'"),
      ([.uppercase], "\"straße\"", "'STRASSE'"), ([.squeeze, .uppercase], "\"a  b\\n\\tc\"", "'A B C'"),
      ([.squeeze], "\"  a\\u3000\\u00a0b \"", "' a b '"), ([.trim], "null", "null"), ([.trim], "5", "'5'"),
      ([.urlDecode], "\"caf%C3%A9%20bar\"", "'café bar'"), ([.urlDecode], "\"100% a+b %zz %4\"", "'100% a+b %zz %4'"),
      ([.urlDecode], "\"%ff\"", "invalid"), ([.urlDecode], "\"%41\"", "'A'"),
      ([.prefix("https://x/"), .suffix("?s=1")], "\"a.png\"", "'https://x/a.png?s=1'"), ([.prefix("a")], "1", "'1'"),
      ([.replace(pattern: "[^0-9]", with: "")], "\"1,234 m\"", "'1234'"),
      (
        [.replace(pattern: "(\\w+) (?<last>\\w+)", with: "${last}, $1 $$0 $0")], "\"Ada Byron\"",
        "'Byron, Ada $0 Ada Byron'"
      ),
      ([.replace(pattern: "x*", with: "-")], "\"axxé\"", "'-a--é-'"),
      ([.replace(pattern: "(a)|b", with: "[$1]")], "\"ab\"", "'[a][]'"),
      ([.replace(pattern: "^", with: ">")], "\"\"", "'>'"),
      ([.extract("/items/([0-9]+)")], "\"https://x.test/items/42?z=1\"", "'42'"),
      ([.extract("/items/([0-9]+)")], "\"https://x.test/\"", "null"), ([.extract("[0-9]+")], "\"ab12\"", "'12'"),
      ([.extract("a(b)?")], "\"a\"", "null"), ([.extract("\\p{Lu}")], "\"éÉ\"", "'É'"),
      ([.extract("x"), .trim], "\"a\"", "null"),
      ([.shift(-2)], "\"1999\"", "'19.99'"), ([.shift(-2)], "\" 1999 \"", "'19.99'"),
      ([.shift(-2)], "\"n/a\"", "'n/a'"),
      ([.shift(-2)], "true", "'true'"), ([.shift(1)], "\"1.50\"", "'15.0'"), ([.shift(3)], "1.5", "'1500'"),
      ([.shift(-2), .prefix("$")], "\"5\"", "'$0.05'"), ([.shift(16_383), .shift(16_383)], "1e131000", "invalid"),
    ]
    for (transforms, json, expected) in table {
      #expect(
        try Trial.run(ConversionSpec(type: .text, transforms: transforms), json) == expected, "\(transforms) of \(json)"
      )
    }
  }

  @Test func `shift moves the point exactly`() throws {
    let spec = ConversionSpec(type: .decimal, transforms: [.shift(-2)])
    let table = [
      ("1999", "'19.99'"), ("\"1999\"", "'19.99'"), ("5", "'0.05'"), ("-70", "'-0.70'"), ("0", "'0.00'"),
      ("2000", "'20.00'"),
      ("123456789012345678901", "'1234567890123456789.01'"), ("null", "null"), ("10.5", "'0.105'"), ("-0", "'0.00'"),
      ("\"\"", "null"),
    ]
    for (json, expected) in table { #expect(try Trial.run(spec, json) == expected, "\(json)") }
    let grams = ConversionSpec(type: .integer, transforms: [.trim, .shift(3)])
    for (json, expected) in [("1.5", "1500"), ("\" 0.25 \"", "250"), ("2", "2000"), ("0.00075", "invalid")] {
      #expect(try Trial.run(grams, json) == expected, "\(json)")
    }
  }

  @Test func `split makes an array, and further transforms apply to each piece`() throws {
    let table: [([Transform], String, String)] = [
      ([.split(",")], "\"a,b\"", #"'["a","b"]'"#), ([.split(",")], "\"a\"", #"'["a"]'"#),
      ([.split(",")], "\"\"", #"'[""]'"#),
      ([.split(","), .trim, .uppercase], "\"a , b,\"", #"'["A","B",""]'"#),
      ([.split(", ")], #""a, \"b\"\n""#, #"'["a","\"b\"\n"]'"#),
      ([.split(";"), .split(",")], "\"a,b;c\"", #"'[["a","b"],["c"]]'"#),
      ([.split(","), .extract("[0-9]")], "\"1,a\"", #"'["1",null]'"#),
      ([.split(",")], "5", "'5'"), ([.split("aa")], "\"aaa\"", #"'["","a"]'"#),
    ]
    for (transforms, json, expected) in table {
      #expect(
        try Trial.run(ConversionSpec(type: .json, transforms: transforms), json) == expected, "\(transforms) of \(json)"
      )
    }
  }

  @Test func `tags go and entities become characters`() throws {
    let spec = ConversionSpec(type: .text, transforms: [.stripHTML])
    let table = [
      ("<p>Fish &amp; <b>chips</b></p>", "Fish & chips"), ("a < b && c > d", "a < b && c > d"), ("x<3", "x<3"),
      ("&lt;b&gt; &#39;q&#x27; &nbsp;|&rsquo;|&NotEqualTilde;", "<b> 'q' \u{A0}|’|≂̸"),
      ("&bogus; &#0; &#xD800; &amp", "&bogus; &#0; &#xD800; &amp"),
      ("<a title='x > y' href=z>t</a>", "t"), ("<!-- <b> -->a<br/>b<!DOCTYPE html>", "ab"),
      ("don't <i>stop</i> it's", "don't stop it's"),
      ("<script>if (a<b) {}</script>c<style>x</style>", "c"), ("open <b", "open <b"), ("&#146;", "’"),
      ("&amp;lt;", "&lt;"),
      ("<script>a</script", "a</script"), ("<script>a<b>c</script", "ac</script"),
      ("<a x='<b>c</b>d", "<a x='cd"), ("<!-- a<b>c", "<!-- ac"), ("<a x='<a y=\\\">c", "<a x='<a y=\">c"),
      ("<script>a</script>b<script>c</script >d", "bd"), ("<style>a<script>b</style>c</script>", "c"),
      ("<scripty>a</scripty>", "a"), ("<a b>don't</a>", "don't"),
    ]
    for (html, expected) in table {
      #expect(try Trial.run(spec, "\"\(html)\"") == "'\(expected)'", "\(html)")
    }
  }

  /// A scan of the rest for each piece would take hours, not a moment: the limit is against hanging.
  @Test(.timeLimit(.minutes(5))) func `stripping tags that never end does not hang`() throws {
    let spec = ConversionSpec(type: .text, transforms: [.stripHTML])
    let pieces = [
      "<a ", "<!--", "<!", "<?", "<script>", "<style>", "</script", "<a b='", "<a b=\\\"'", "<a ='\\\"", "&amp", "&#",
      "<",
      "<script></scrip", "<script></script ", "<a b='<a b=\\\"",
    ]
    for piece in pieces {
      for end in ["", "b='>", "b=\\\">", "</script"] {
        #expect(try Trial.run(spec, "\"" + String(repeating: piece, count: 20_000) + end + "\"") != "invalid")
      }
    }
  }

  @Test func `the order is transform, map, blank, type, check`() throws {
    var spec = ConversionSpec(
      type: .boolean, transforms: [.trim, .uppercase],
      map: [(.text("Y"), .boolean(true)), (.text("N"), .boolean(false)), (.text("-"), .null), (.text("?"), .text(" "))])
    for (json, expected) in [
      ("\" y \"", "1"), ("\"N\"", "0"), ("\"-\"", "null"), ("\"?\"", "null"), ("\"maybe\"", "invalid"),
      ("null", "null"), ("\"\"", "invalid"),
    ] {
      #expect(try Trial.run(spec, json) == expected, "\(json)")
    }
    spec.mapElse = .boolean(false)
    #expect(try Trial.run(spec, "\"maybe\"") == "0")
    #expect(try Trial.run(spec, "[]") == "0")
    let blank = ConversionSpec(type: .integer, transforms: [.replace(pattern: "[^0-9]", with: "")])
    for (json, expected) in [("\"1,234 m\"", "1234"), ("7", "7"), ("\"none\"", "null")] {
      #expect(try Trial.run(blank, json) == expected, "\(json)")
    }
  }

  @Test func `a table compares as conditions do`() throws {
    let spec = ConversionSpec(
      type: .text, map: [(.number("1"), .text("small")), (.text("2"), .text("large")), (.boolean(true), .text("yes"))],
      mapElse: .text("other"))
    for (json, expected) in [
      ("1", "small"), ("\"1\"", "small"), ("1.0", "small"), ("\"1.00\"", "small"), ("\" 1\"", "other"), ("2", "large"),
      ("true", "yes"),
      ("\"true\"", "other"), ("9", "other"), ("\"2.0\"", "other"),
    ] {
      #expect(try Trial.run(spec, json) == "'\(expected)'", "\(json)")
    }
  }

  @Test func `what cannot be compiled is an issue of its part`() {
    let table: [(ConversionSpec, [ConversionIssue.Part], ConversionIssue.Kind)] = [
      (ConversionSpec(type: .text, transforms: [.trim, .extract("([0-9")]), [.transform(1)], .badRegularExpression),
      (ConversionSpec(type: .text, check: Check(pattern: "a{2,1}")), [.checkPattern], .badRegularExpression),
      (ConversionSpec(type: .text, transforms: [.replace(pattern: "a", with: "$1")]), [.transform(0)], .badValue),
      (ConversionSpec(type: .text, transforms: [.replace(pattern: "(a)", with: "\\1")]), [.transform(0)], .badValue),
      (ConversionSpec(type: .text, transforms: [.replace(pattern: "(a)", with: "$")]), [.transform(0)], .badValue),
      (ConversionSpec(type: .text, transforms: [.split("")]), [.transform(0)], .badValue),
      (ConversionSpec(type: .text, transforms: [.shift(1_000_000)]), [.transform(0)], .badValue),
      (
        ConversionSpec(
          type: .boolean, map: [(.text("Y"), .boolean(true)), (.text("N"), .text("nope"))], mapElse: .text("x")),
        [.mapElse, .mapValue(1)], .badConstant
      ),
      (
        ConversionSpec(type: .integer, check: Check(min: .text("a"), max: .text("b"))), [.checkMin, .checkMax],
        .badConstant
      ),
      (ConversionSpec(type: .integer, check: Check(min: .number("5"), max: .number("4"))), [.checkMin], .badValue),
      (ConversionSpec(type: .integer, check: Check(min: .number("4.5"), max: .number("4"))), [.checkMin], .badValue),
      (
        ConversionSpec(type: .date, check: Check(min: .text("2015-07-04"), max: .text("2015-07-03"))), [.checkMin],
        .badValue
      ),
      (ConversionSpec(type: .text, check: Check(minLength: 5, maxLength: 4)), [.checkLength], .badValue),
      (ConversionSpec(type: .json, check: Check(min: .number("5"))), [.checkMin], .badValue),
      (ConversionSpec(type: .date, check: Check(oneOf: [.text("2015-02-30")])), [.checkOneOf(0)], .badConstant),
      (ConversionSpec(type: .timestamp, timeZone: "Europe/Pariss"), [.timeZone], .unknownTimeZone),
    ]
    for (spec, parts, kind) in table {
      let issues = Trial.issues(spec)
      #expect(issues.map(\.part) == parts && issues.allSatisfy { $0.kind == kind }, "\(issues)")
    }
  }

  @Test func `a pattern that would take for ever is invalid`() throws {
    let text = "\"" + String(repeating: "a", count: 40) + "!\""
    let expected = "the pattern took too many steps"
    #expect(try Trial.reason(ConversionSpec(type: .text, transforms: [.extract("^(a+)+$")]), text) == expected)
    #expect(
      try Trial.reason(ConversionSpec(type: .text, transforms: [.replace(pattern: "^(a+)+$", with: "")]), text)
        == expected)
    #expect(try Trial.reason(ConversionSpec(type: .text, check: Check(pattern: "^(a+)+$")), text) == expected)
  }

  @Test func `constants are read by their type, dates also as ISO 8601`() throws {
    let arena = ByteArena()
    let date = try Trial.conversion(ConversionSpec(type: .date, formats: ["dd.MM.yyyy"], transforms: [.prefix("x")]))
    for literal in ["03.04.2024", "2024-04-03"] {
      #expect(Trial.text(date.convert(.text(literal), into: arena)) == "'2024-04-03'")
    }
    let table: [(ColumnType, Literal, String)] = [
      (.integer, .text("unknown"), "invalid"), (.integer, .number("+5"), "5"), (.integer, .number("0x1F"), "31"),
      (.real, .number(".5"), "real 0.5"),
      (.decimal, .number("5."), "'5'"), (.real, .number(".inf"), "invalid"), (.text, .number("1.50"), "'1.50'"),
      (.integer, .null, "null"),
      (.json, .text("a\"b"), "'\"a\\\"b\"'"), (.json, .boolean(true), "'true'"),
      (.boolean, .text("perhaps"), "invalid"), (.any, .boolean(true), "1"),
      (.integer, .text(""), "null"),
    ]
    for (type, literal, expected) in table {
      let conversion = try Trial.conversion(ConversionSpec(type: type))
      #expect(Trial.text(conversion.convert(literal, into: arena)) == expected, "\(type) of \(literal)")
    }
  }
}
