import Records
import Testing

@testable import Values  // numbers, patterns and rules are not seen by other targets

struct TypeTests {
  /// Each sentence of the closed table, type by type: JSON value, and what is stored.
  static let table: [(ColumnType, [(String, String)])] = [
    (
      .any,
      [
        ("\"7\"", "'7'"), ("7", "7"), ("7.5", "real 7.5"), ("true", "1"), ("false", "0"), ("\"\"", "''"),
        (#"{"a": [1, 2]}"#, #"'{"a":[1,2]}'"#), ("[ ]", "'[]'"), ("null", "null"),
        ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "'9223372036854775808'"),
        ("-9223372036854775808", "-9223372036854775808"), ("-9223372036854775809", "'-9223372036854775809'"),
        ("-0", "0"), ("5.0", "real 5.0"), ("1e3", "real 1000.0"), ("1e400", "'1e400'"), ("1e-400", "'1e-400'"),
        ("0.12345678901234567891", "'0.12345678901234567891'"), ("0.1", "real 0.1"),
        ("12345678901234.567891", "'12345678901234.567891'"), ("0.30000000000000004", "real 0.30000000000000004"),
        ("1.7976931348623157e308", "real 1.7976931348623157e+308"), ("5e-324", "real 5e-324"), ("3e-324", "'3e-324'"),
        ("9007199254740993.0", "'9007199254740993.0'"), ("1e22", "real 1e+22"), ("1e23", "real 1e+23"),
      ]
    ),
    (
      .text,
      [
        ("\" a \"", "' a '"), ("1.50", "'1.50'"), ("1E5", "'1E5'"), ("12345678901234567890", "'12345678901234567890'"),
        ("true", "'true'"), ("false", "'false'"), ("\"\"", "''"), ("\"   \"", "'   '"), ("[1]", "invalid"),
        (#"{"a":1}"#, "invalid"), ("null", "null"), (#""caf\u00e9 \ud83d\ude00\n""#, "'café 😀\n'"),
        (#""e\u0301""#, "'e\u{301}'"),
      ]
    ),
    (
      .integer,
      [
        ("5", "5"), ("\" 42 \"", "42"), ("5.0", "5"), ("1e3", "1000"), ("\"1e3\"", "1000"), ("\"-7.00\"", "-7"),
        ("\"+7\"", "7"), ("\"007\"", "7"), ("true", "1"), ("false", "0"), ("\"\"", "null"), ("\" \\t \"", "null"),
        ("\"\\u00a0\\u2003\\u300042\\u0085\"", "42"), ("\"\\u200b42\"", "invalid"),
        ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("\"9223372036854775807\"", "9223372036854775807"), ("9223372036854775808", "invalid"),
        ("-9223372036854775809", "invalid"), ("1e19", "invalid"), ("1e400", "invalid"), ("1e1000000000", "invalid"),
        ("1e99999999999999999999999", "invalid"), ("0e99999999999999999999999", "0"),
        ("1e-99999999999999999999", "invalid"),
        ("5.5", "invalid"), ("\"5.5\"", "invalid"), ("1e-1", "invalid"), ("10e-1", "1"), ("\"abc\"", "invalid"),
        ("\"12abc\"", "invalid"), ("\"1,000\"", "invalid"), ("\"1_000\"", "invalid"), ("\"0x10\"", "invalid"),
        ("[1]", "invalid"), (#"{"a":1}"#, "invalid"), ("\"NaN\"", "invalid"), ("\".5\"", "invalid"),
        ("\"5.\"", "invalid"),
        ("\"--5\"", "invalid"), ("\"1e\"", "invalid"), ("\"+\"", "invalid"), ("\"-\"", "invalid"), ("\"١\"", "invalid"),
        ("\"5 5\"", "invalid"), ("9223372036854775807.000", "9223372036854775807"), ("-0", "0"),
      ]
    ),
    (
      .real,
      [
        ("5", "real 5.0"), ("1.25", "real 1.25"), ("\"-2.5e2\"", "real -250.0"), ("\" 3 \"", "real 3.0"),
        ("1e999", "invalid"), ("\"1e999\"", "invalid"), ("-1e400", "invalid"), ("\"abc\"", "invalid"),
        ("true", "invalid"), ("\"inf\"", "invalid"), ("\"NaN\"", "invalid"), ("\"0x1p3\"", "invalid"),
        ("[1]", "invalid"),
        ("\"\"", "null"), ("1e-400", "real 0.0"), ("1e308", "real 1e+308"), ("1.7976931348623159e308", "invalid"),
        ("2.2250738585072011e-308", "real 2.225073858507201e-308"), ("0.1", "real 0.1"),
        ("9007199254740993", "real 9007199254740992.0"),
        ("1e23", "real 1e+23"), ("8.5e-3", "real 0.0085"), ("123456789012345e22", "real 1.23456789012345e+36"),
      ]
    ),
    (
      .decimal,
      [
        ("1.50", "'1.50'"), ("\"12345678901234567890.123456789\"", "'12345678901234567890.123456789'"),
        ("0.1", "'0.1'"),
        ("1e3", "'1000'"), ("1.5e-3", "'0.0015'"), ("\"007.10\"", "'7.10'"), ("-4", "'-4'"), ("\"1,5\"", "invalid"),
        ("true", "invalid"), ("\"abc\"", "invalid"), ("[1]", "invalid"), ("-0", "'0'"), ("-0.00", "'0.00'"),
        ("0e5", "'0'"), ("0e-3", "'0.000'"), ("1.50e1", "'15.0'"), ("\"+5\"", "'5'"), ("-1.5E+2", "'-150'"),
        ("12e-1", "'1.2'"), ("100e-2", "'1.00'"), ("\"00\"", "'0'"), ("\"000.5\"", "'0.5'"), ("\"\"", "null"),
        ("1e131072", "invalid"), ("1e-16384", "invalid"), ("1e1000000000", "invalid"), ("1e-1000000000", "invalid"),
        ("0e1000000000", "'0'"), ("0e-1000000000", "invalid"),
      ]
    ),
    (
      .boolean,
      [
        ("true", "1"), ("false", "0"), ("1", "1"), ("0", "0"), ("\"TRUE\"", "1"), ("\"f\"", "0"), ("\"Yes\"", "1"),
        ("\"n\"", "0"), ("\"ON\"", "1"), ("\"off\"", "0"), ("\"1\"", "1"), ("\"0\"", "0"), ("\" t \"", "1"),
        ("\"no\"", "0"), ("\"y\"", "1"), ("\"False\"", "0"), ("2", "invalid"), ("-1", "invalid"), ("\"2\"", "invalid"),
        ("\"maybe\"", "invalid"), ("\"ja\"", "invalid"), ("[true]", "invalid"), ("1.0", "invalid"), ("\"\"", "null"),
      ]
    ),
    (
      .uuid,
      [
        ("\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\"", "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'"),
        ("\"6ba7b8109dad11d180b400c04fd430c8\"", "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'"),
        ("\"{6ba7b810-9dad-11d1-80b4-00c04fd430c8}\"", "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'"),
        ("\" {6BA7B8109DAD11D180B400C04FD430C8} \"", "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'"),
        ("\"6ba7b810-9dad-11d1-80b4-00c04fd430c\"", "invalid"), ("\"6ba7b810-9dad-11d1-80b4-00c04fd430cg\"", "invalid"),
        ("\"6ba7b8109-dad-11d1-80b4-00c04fd430c8\"", "invalid"), ("\"{6ba7b8109dad11d180b400c04fd430c8\"", "invalid"),
        ("7", "invalid"), ("\"{}\"", "invalid"), ("\"\"", "null"),
      ]
    ),
    (
      .url,
      [
        ("\"https://example.test/a?b=c#d\"", "'https://example.test/a?b=c#d'"),
        ("\"ftp://files.example.test\"", "'ftp://files.example.test'"),
        ("\" https://example.test/ \"", "'https://example.test/'"),
        ("\"/relative/path\"", "invalid"), ("\"example.test/no-scheme\"", "invalid"), ("\"not a url\"", "invalid"),
        ("42", "invalid"), ("\"mailto:a@example.test\"", "'mailto:a@example.test'"), ("\"http:\"", "invalid"),
        ("\"http://\"", "invalid"), ("\"https:///x\"", "invalid"), ("\"https:x\"", "invalid"),
        ("\"file:///x\"", "'file:///x'"),
        ("\"https://example.test/a b\"", "invalid"), ("\"https://example.test/\\u00a0\"", "'https://example.test/'"),
        ("\"https://example.test/\\u00a0x\"", "invalid"), ("\"https://example.test/\\u0000\"", "invalid"),
        ("\"https://münchen.example.test/ü|{}\"", "'https://münchen.example.test/ü|{}'"), ("\"://x\"", "invalid"),
        ("\"1a://x\"", "invalid"), ("\"urn:isbn:1\"", "'urn:isbn:1'"), ("\"\"", "null"), ("\"HTTP://X\"", "'HTTP://X'"),
      ]
    ),
    (
      .json,
      [
        (#"{"a" : [1, 2.50,  1E5 ], "b\u00e9 \" x": "c  d" }"#, #"'{"a":[1,2.50,1E5],"b\u00e9 \" x":"c  d"}'"#),
        (#""caf\u00e9""#, #"'"caf\u00e9"'"#), ("\"\"", "'\"\"'"), ("1.50", "'1.50'"), ("true", "'true'"),
        ("null", "null"),
        ("[\n\t1 ,\r\n 2 ]", "'[1,2]'"), ("{}", "'{}'"), (#"["\\", " "]"#, #"'["\\"," "]'"#),
      ]
    ),
    (
      .bytes,
      [
        ("\"aGVsbG8=\"", "bytes [104, 101, 108, 108, 111]"), ("\"aGVsbG8\"", "bytes [104, 101, 108, 108, 111]"),
        ("\"-_8=\"", "bytes [251, 255]"), ("\"+/8=\"", "bytes [251, 255]"), ("\"-_8\"", "bytes [251, 255]"),
        ("\"%%%\"", "invalid"), ("5", "invalid"), ("\"AA=\"", "invalid"), ("\"AA==\"", "bytes [0]"),
        ("\"A\"", "invalid"),
        ("\"+_8=\"", "invalid"), ("\"AB==\"", "invalid"), ("\"====\"", "invalid"), ("\"AAAA=\"", "invalid"),
        ("\"AA AA\"", "invalid"), ("\" AAAA \"", "bytes [0, 0, 0]"), ("\"\"", "null"), ("\"A===\"", "invalid"),
      ]
    ),
  ]

  @Test(arguments: table)
  func `a type takes what the table says and refuses the rest`(_ type: ColumnType, _ cases: [(String, String)]) throws {
    let spec = ConversionSpec(type: type)
    for (json, expected) in cases {
      #expect(try Trial.run(spec, json) == expected, "\(type) of \(json)")
    }
  }

  @Test func `a reason names kinds and lengths and never the value`() throws {
    let cases: [(ColumnType, String, String)] = [
      (.integer, "\"smith\"", "text of 5 characters is not an integer"),
      (.integer, "\"é\"", "text of 1 character is not an integer"), (.integer, "5.5", "the number has a fraction"),
      (.integer, "1e30", "the number does not fit into 64 bits"), (.date, #"{"a":1}"#, "an object is not a date"),
      (.real, "[1]", "an array is not a real number"), (.text, "[1]", "an array is not text"),
      (.uuid, "7", "a whole number is not a UUID"), (.timestamp, "true", "a boolean is not a timestamp"),
      (.timestamp, "\"2015-02-30\"", "the day does not exist"),
      (.timestamp, "\"2016-12-31T23:59:60Z\"", "a leap second cannot be stored"),
    ]
    for (type, json, reason) in cases {
      #expect(try Trial.reason(ConversionSpec(type: type), json) == reason, "\(type) of \(json)")
    }
  }

  @Test func `a decimal reaches the limits of PostgreSQL and no further`() throws {
    let spec = ConversionSpec(type: .decimal)
    let (whole, fraction) = (String(repeating: "9", count: 131_072), String(repeating: "7", count: 16_383))
    #expect(try Trial.run(spec, whole + "." + fraction) == "'\(whole).\(fraction)'")
    #expect(try Trial.run(spec, whole + "9") == "invalid")
    #expect(try Trial.run(spec, "0." + fraction + "7") == "invalid")
    #expect(try Trial.run(spec, "\"000" + whole + "\"") == "'\(whole)'")
  }

  @Test func `the text that is kept of an invalid value is its own`() throws {
    let arena = ByteArena()
    for (json, text) in [("\"many\"", "many"), ("1.50", "1.50"), ("true", "true"), ("[1, 2]", "[1,2]")] {
      #expect(Conversion.keptText(try Trial.raw(json, arena), into: arena).stringValue == text)
    }
  }
}
