import Diagnostics
import MappingLanguage
import Testing

struct IncludeTests {
  @Test func `sections of included files come first, in order, each file once`() throws {
    let mapping = try Reading.clean(
      """
      ingest: 1
      include: [parts/a.yaml, parts/b.yaml]
      endpoints: {main: {path: /m, records: {a: A}}}
      errors: [{status: 500, message: main}]
      """,
      files: [
        "parts/a.yaml":
          "include: ../common.yaml\nendpoints: {a: {path: /a, records: {a: A}}}\nerrors: [{status: 501}]\n",
        "parts/b.yaml": "ingest: 1\ninclude: [.././common.yaml]\nendpoints: {b: {path: /b, records: {a: A}}}\n",
        "common.yaml": "records: {A: {key: id, fields: [id]}}\nsource: {name: shop}\nerrors: [{status: 502}]\n",
      ])
    #expect(mapping.endpoints.map(\.name.value) == ["a", "b", "main"])
    #expect(mapping.errors.map { $0.status?.ranges.first?.lowerBound } == [502, 501, 500])
    #expect(mapping.files.map(\.name) == ["mapping.yaml", "parts/a.yaml", "common.yaml", "parts/b.yaml"])
    #expect(mapping.source.name.value == "shop")
  }

  @Test func `a map's keys may come from several files`() throws {
    let mapping = try Reading.clean(
      "ingest: 1\ninclude: a.yaml\nsource: {name: shop}\n",
      files: ["a.yaml": "source: {base_url: https://api.example.test}\n"])
    #expect(mapping.source.name.value == "shop")
    #expect(mapping.source.baseURL != nil)
  }

  @Test(arguments: [
    ["mapping.yaml": "ingest: 1\ninclude: mapping.yaml\n"],
    ["mapping.yaml": "ingest: 1\ninclude: ./sub/../mapping.yaml\n"],
    ["mapping.yaml": "ingest: 1\ninclude: sub/a.yaml\n", "sub/a.yaml": "include: ../mapping.yaml\n"],
    ["mapping.yaml": "ingest: 1\ninclude: a.yaml\n", "a.yaml": "include: b.yaml\n", "b.yaml": "include: a.yaml\n"],
  ])
  func `files that include one another are an error`(_ files: [String: String]) {
    let found = Reading.text(files["mapping.yaml"] ?? "", files: files).diagnostics
    #expect(found.map(\.code) == [.badInclude])
    for name in files.keys where name.hasPrefix("sub") { #expect(found.first?.message.contains(name) == true) }
    #expect(found.first?.message.contains("include") == true)
  }

  @Test func `a chain of inclusions has an end`() {
    var files: [String: String] = [:]
    for number in 0..<200 { files["\(number).yaml"] = "include: \(number + 1).yaml\n" }
    let found = Reading.text("ingest: 1\ninclude: 0.yaml\n", files: files).diagnostics
    #expect(found.map(\.code) == [.badInclude])
  }

  @Test func `what YAML says of an included file has that file's name`() {
    let (mapping, found) = Reading.text("ingest: 1\ninclude: a.yaml\nrecords: 5\n", files: ["a.yaml": "a: [\n"])
    #expect(mapping != nil)
    #expect(found.map(\.span.file.name) == ["a.yaml", "mapping.yaml"])
    #expect(found.map(\.code) == [.yamlSyntax, .wrongKind])
  }

  @Test func `a main file that is no YAML gives no mapping`() {
    let (mapping, found) = Reading.text("ingest: [1\n")
    #expect(mapping == nil)
    #expect(found.map(\.code) == [.yamlSyntax])
  }

  @Test func `the outline tells fragments from mappings, and what they include`() throws {
    let fragment = try #require(
      MappingReader.outline(SourceFile(name: "dir/a.yaml", text: "include: [b.yaml, ../c.yaml]\n")))
    #expect(fragment.isFragment)
    #expect(fragment.includes == ["dir/b.yaml", "c.yaml"])
    #expect(MappingReader.outline(SourceFile(name: "a.yaml", text: "ingest: 1\n"))?.isFragment == false)
    #expect(MappingReader.outline(SourceFile(name: "a.yaml", text: "- 1\n")) == nil)
  }

  @Test(arguments: [
    ("a.yaml", "m.yaml", "a.yaml"), ("./a.yaml", "dir/m.yaml", "dir/a.yaml"), ("../a.yaml", "dir/m.yaml", "a.yaml"),
    ("../../a.yaml", "dir/m.yaml", "../a.yaml"), ("/x/../a.yaml", "dir/m.yaml", "/a.yaml"),
    ("a//b.yaml", "/d/m.yaml", "/d/a/b.yaml"),
  ])
  func `paths are relative to the file that names them`(_ path: String, _ file: String, _ resolved: String) {
    #expect(FilePath.resolve(path, from: file) == resolved)
  }
}
