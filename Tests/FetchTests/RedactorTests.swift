import Fetch
import Foundation
import Testing

struct RedactorTests {
  private static let secret = "pl/um=7ü \"k\\"
  private let redactor = Redactor(secrets: [secret, "quince"])

  @Test(arguments: [
    secret, "pl%2Fum%3D7%C3%BC%20%22k%5C", "pl%2fum%3d7%c3%bc%20%22k%5c", "pl%2Fum%3D7%C3%BC+%22k%5C",
    "pl/um=7%C3%BC%20%22k%5C", #"pl\/um=7ü \"k\\"#, #"pl/um=7\u00fc \"k\\"#, #"\u0070l/um=7\u00FC\u0020\u0022k\u005C"#,
    "quince", "quinc%65", "qu\\u0069nce",
  ])
  func `a secret goes in every form`(_ form: String) {
    #expect(redactor.redact("a \(form) b \(form)") == "a *** b ***")
    #expect(redactor.redact(Array("<\(form)>".utf8)) == Array("<***>".utf8))
    #expect(redactor.contains("x\(form)"))
  }

  /// Of letters, of all that needs an escape somewhere, and of other scripts.
  private static let secrets: [String] = (0..<40).map { number in
    let alphabets = [
      "abcdefghijkmnpqrstuvwxyz", "ABCDEF0123456789", "aB3/+=", "x%&\\\"'<>;#", "käöüßéñ", "ключ", "鍵の秘密", "🔑🗝a",
      "%25%41b", "&amp;lt;q",
    ]
    let letters = Array(alphabets[number % alphabets.count])
    let drawn = (0..<(6 + number / 4)).map { letters[($0 * 7 + number * 3 + $0 * $0) % letters.count] }
    return String(drawn) + "\(number)!"
  }

  private static func percent(_ text: String, _ isLower: Bool = false) -> String {
    text.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII, scalar.properties.isAlphabetic { return String(scalar) }
      return String(format: isLower ? "%%%02x" : "%%%02X", byte)
    }.joined()
  }

  private static func json(_ text: String, _ isASCII: Bool) -> String {
    text.utf16.map { unit in
      if unit == 0x2F { return isASCII ? "\\u002f" : "\\/" }
      if unit == 0x22 || unit == 0x5C { return "\\" + String(Unicode.Scalar(UInt8(unit))) }
      return unit < 128 ? String(Unicode.Scalar(UInt8(unit))) : String(format: "\\u%04x", unit)
    }.joined()
  }

  private static func html(_ text: String, _ isHex: Bool) -> String {
    text.unicodeScalars.map { scalar in
      let named = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
      if let name = named[String(scalar)] { return name }
      let isPlain = scalar.isASCII && scalar != "/"
      return isPlain ? String(scalar) : isHex ? String(format: "&#x%X;", scalar.value) : "&#\(scalar.value);"
    }.joined()
  }

  @Test(arguments: secrets)
  func `a secret goes however often it was escaped`(_ secret: String) {
    let redactor = Redactor(secrets: [secret])
    let once = Self.percent(secret)
    let base64 = Data(secret.utf8).base64EncodedString()
    let forms = [
      secret, once, Self.percent(secret, true), Self.percent(once), Self.percent(Self.percent(secret, true), true),
      Self.percent(Self.percent(once)), Self.json(secret, true), Self.json(secret, false),
      Self.json(Self.json(secret, true), true), Self.json(Self.json(secret, false), false),
      Self.json(Self.json(Self.percent(once), true), true), Self.html(secret, true), Self.html(secret, false),
      Self.json(Self.html(secret, true), true), Self.percent(Self.html(secret, false)),
      secret.utf8.map { String(format: "%02x", $0) }.joined(), secret.utf8.map { String(format: "%02X", $0) }.joined(),
      Self.json(Self.json(secret, false), false),
    ]
    for form in forms { #expect(redactor.redact("a=\(form)|b") == "a=***|b") }
    for form in [Self.percent(base64), Self.json(base64, false)] {
      #expect(redactor.redact("a=\(form)|b").hasPrefix("a=***"))
    }
  }

  @Test(arguments: 0..<9)
  func `base64 gives away nothing at any alignment`(_ length: Int) {
    let secret = "plum-7f3k-quince"
    let before = String(repeating: "x", count: length)
    for after in ["", "y", "yy"] {
      let encoded = Data((before + secret + after).utf8).base64EncodedString()
      for text in [encoded, encoded.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")] {
        let redacted = Redactor(secrets: [secret]).redact("[\(text)]")
        #expect(redacted.hasPrefix("[") && redacted.hasSuffix("]") && redacted.contains("***"))
        // What is left holds at most the neighbours' bits.
        let rest = redacted.replacingOccurrences(of: "***", with: "").filter { $0 != "=" && $0 != "[" && $0 != "]" }
        #expect(rest.count <= (before.count + after.count) * 4 / 3 + 2)
      }
    }
  }

  @Test func `basic credentials go as a whole pair does`() {
    let header = "Basic " + Data("ada:s3cret-word".utf8).base64EncodedString()
    #expect(Redactor(secrets: ["s3cret-word"]).redact(header) == "Basic YWRhO***")
  }

  @Test func `text without a secret stays as it is`() {
    for text in ["", "a", "%", "%2", "\\", "\\u12", "quinc", "naïve % \\u0071uinc", String(repeating: "q", count: 999)]
    {
      #expect(redactor.redact(text) == text)
    }
    #expect(Redactor().redact("quince") == "quince")
  }

  @Test func `a secret that begins with another one goes whole`() {
    #expect(Redactor(secrets: ["plum", "plum-tree", ""]).redact("plum-tree plum plums") == "*** *** ***s")
    #expect(Redactor(secrets: ["abab"]).redact("ababab") == "***ab")
  }

  @Test func `a secret of fewer than four characters is left alone in text`() {
    #expect(Redactor.isTooShort("k1ü") && !Redactor.isTooShort("k1üx"))
    #expect(Redactor(secrets: ["k1"]).redact("k1k1k1") == "k1k1k1")
  }

  @Test(arguments: [
    ("https://h/a?page=2&api-key=k1&q=x", "https://h/a?page=2&api-key=***&q=x"),
    ("https://h/a?api%2Dkey=k1&api-key", "https://h/a?api%2Dkey=***&api-key=***"),
    ("https://ada:k1@h:8/a", "https://***@h:8/a"), ("https://h/quince/%71uince?x=quince", "https://h/***/***?x=***"),
    ("not a url quince", "not a url ***"), ("https://h/a?", "https://h/a?"), ("https://h/a@b", "https://h/a@b"),
  ])
  func `a URL loses its credentials by name and by value`(_ url: String, _ expected: String) {
    #expect(redactor.redacted(url: url, credentialParams: ["api-key"]) == expected)
  }
}
