import Foundation
import TestSupport
import Testing

struct GoldenTests {
  @Test func `a golden file that differs or is missing fails, and recording writes it and fails once`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("sub/a.txt")
    #expect(throws: FixtureError.self) { try Golden.expect("x\ny\n", at: file, recording: false) }
    #expect(throws: FixtureError.self) { try Golden.expect("x\ny\n", at: file, recording: true) }
    try Golden.expect("x\ny\n", at: file, recording: true)
    let error = #expect(throws: FixtureError.self) { try Golden.expect("x\nz\n", at: file, recording: false) }
    #expect(error?.description.hasPrefix("a.txt differs from line 2 on\nexpected: y\nactual:   z\n") == true)
    #expect(throws: FixtureError.self) { try Golden.expect("x\r\ny\n", at: file, recording: false) }
  }

  @Test func `an empty folder of fixtures is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Fixtures/full/b.json", "")
    try folder.write("Fixtures/full/a.json", "")
    try folder.write("Fixtures/full/a.diag", "")
    try folder.write("Fixtures/empty/a.diag", "")
    let suite = folder.path("Suite.swift")
    #expect(try Fixture.all(in: "full", golden: ["diag"], beside: suite).map(\.fileName) == ["a.json", "b.json"])
    #expect(throws: FixtureError.self) { try Fixture.all(in: "empty", golden: ["diag"], beside: suite) }
    #expect(throws: (any Error).self) { try Fixture.all(in: "absent", beside: suite) }
  }

  @Test func `the package's root holds its manifest`() throws {
    #expect(try Fixture(PackageRoot.folder.appendingPathComponent("Package.swift")).text.contains("ingest"))
  }
}
