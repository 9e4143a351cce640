// What is tested here is not seen outside of the target, save through whole drafts.
@testable import Drafting

import Diagnostics
import MarkedYAML
import Testing

struct DraftTextTests {
  @Test(arguments: [
    "plain", "a.b[*].c", "yes", "NULL", "1.5", "007", "", " ", "*", "&a", "- x", "a: b", "a #b", "{x}", "[0]", "'",
    "\"", "\\",
    "two\nlines", "\u{0}\u{1F}\u{7F}", "\u{85}\u{2028}\u{FEFF}", "é日本😀", "https://a.example.test/v1", "https://",
    "${secret.X}", "$key", "@id", "!tag", "%", "`", "|", ">", "?", ":", "true", "~", "a,b", "2024-01-01", "0x1F", ".5",
  ])
  func `a text is read back as that text`(_ text: String) throws {
    var writer = DraftWriter()
    writer.write([.init(text.isEmpty ? "k" : text, .list([.map([.init("a", .text(text))]), .text(text)]))])
    let file = SourceFile(name: "draft", bytes: Array(writer.text.utf8))
    let node = try #require(YAMLReader.read(file).root)
    guard case .mapping(let entries) = node.content, case .sequence(let items) = entries[0].value.content,
      case .mapping(let inner) = items[0].content
    else {
      Issue.record("the shape is another: \(writer.text)")
      return
    }
    #expect(entries[0].key.text.utf8.elementsEqual((text.isEmpty ? "k" : text).utf8))
    #expect(items[1].plainTextForTest?.utf8.elementsEqual(text.utf8) == true, "\(writer.text)")
    #expect(inner[0].value.plainTextForTest?.utf8.elementsEqual(text.utf8) == true)
  }

  @Test(arguments: [
    ("users", "user"), ("categories", "category"), ("boxes", "box"), ("addresses", "address"), ("classes", "class"),
    ("status", "status"), ("news", "news"), ("data", "data"), ("analysis", "analysis"), ("bus", "bus"), ("s", "s"),
    ("order_items", "order_item"), ("prices", "price"), ("searches", "search"),
  ])
  func `a singular is that of a plain word`(_ plural: String, _ singular: String) {
    #expect(Names.singular(plural) == singular)
  }

  @Test(arguments: [
    ("order-items", "OrderItem"), ("HTTPServers", "HttpServer"), ("", "Record"), ("日本", "日本"), ("x y.z", "XYZ"),
  ])
  func `a record is named in capitals`(_ name: String, _ record: String) { #expect(Names.record(name) == record) }

  @Test func `names that differ in case alone are told apart by a number`() {
    var names = NameSet(["position"])
    #expect(names.add("Position") == "Position_2")
    #expect(names.add("a") == "a")
    #expect(names.add("A") == "A_2")
    #expect(names.add("") == "value")
    #expect(names.add("_ingest_runs") == "x__ingest_runs")
  }

  @Test(arguments: [
    ("1.50", "1.5"), ("1e3", "1000"), ("-0.0", "0"), ("0.001", "1e-3"), ("100", "1E+2"), ("0", "0.000"),
  ])
  func `digits of equal numbers are equal`(_ one: String, _ other: String) {
    #expect(DecimalDigits(one) == DecimalDigits(other))
    #expect(DecimalDigits(one) != DecimalDigits("7.25"))
  }
}

extension YAMLNode {
  /// The text of a scalar that is text, not a number or a word.
  fileprivate var plainTextForTest: String? {
    guard case .scalar(let scalar) = content, case .text = scalar.core else { return nil }
    return scalar.text
  }
}
