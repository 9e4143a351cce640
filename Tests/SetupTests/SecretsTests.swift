import Diagnostics
import Glibc
import Setup
import MappingLanguage
import PlanCompiler
import Testing
import Values

struct SecretsTests {
  private func read(_ text: String) throws -> Secrets {
    guard case .secrets(let secrets) = Secrets.read(Array(text.utf8)) else {
      Issue.record("not read: \(text)")
      return Secrets()
    }
    return secrets
  }

  @Test(arguments: [
    ("A=x", "x"), ("A=x\n", "x"), ("A=x\r\n", "x"), ("# A=y\nA=x", "x"), ("\n \t\nA=x", "x"), ("A=x=y=", "x=y="),
    ("A= x ", " x "), ("A=#x", "#x"), ("B=1\nA=x\nC=2", "x"), ("A=\"x\"", "\"x\""), ("\u{feff}A=x", "x"),
    (" A\t =x", "x"), ("  # A=y\nA=x", "x"),
    ("A=caf\u{e9}", "caf\u{e9}"),
  ])
  func `a line is a name and its value, to the end`(_ text: String, _ value: String) throws {
    let found = try #require(try read(text).value("A"))
    #expect(found.utf8.elementsEqual(value.utf8))
  }

  @Test func `a secret that its file does not have names the one that was meant, never a value`() throws {
    var scope = Interpolation(variables: [], now: Instant(seconds: 0), environment: { _ in nil })
    #expect(scope.remedy("secret.SHOP_TOKEN") == "set SHOP_TOKEN in the environment, or give a file by --secrets")
    scope.namesInSecretsFile = try read("SHOP_TOKN=plum\nOTHER=quince").namesInFile
    #expect(
      scope.remedy("secret.SHOP_TOKEN")
        == "neither the file of --secrets nor the environment has SHOP_TOKEN: add it to one of them; did you mean its "
        + "'SHOP_TOKN'?")
    #expect(Secrets().namesInFile == nil && Secrets(["A": "x"]).namesInFile == nil)
  }

  @Test(arguments: [
    ("A", 1, "NAME=value"), ("A=x\nB\n", 2, "NAME=value"), ("=x", 1, "no name"), ("\n\n  A\n", 3, "NAME=value"),
    ("A=1\n# c\n=", 3, "no name"), (" =x", 1, "no name"), ("export A=x", 1, "white space"),
    ("A=1\nA=2", 2, "stands twice"), ("A=1\n A =1", 2, "stands twice"), ("A=", 1, "no value"),
    ("A=1\nB=\r\n", 2, "no value"), ("A=x\0", 1, "UTF-8"), ("A=x\rB=y", 1, "UTF-8"),
  ])
  func `a line that is not understood is told by its number, not by its text`(
    _ text: String, _ line: Int, _ reason: String
  ) {
    guard case .badLine(let number, let words) = Secrets.read(Array(text.utf8)) else {
      Issue.record("read: \(text)")
      return
    }
    #expect(number == line && words.contains(reason) && !words.contains("export"))
  }

  @Test(arguments: [[UInt8](arrayLiteral: 0x41, 0x3D, 0xFF), [0xFF, 0xFE, 0x41, 0x00, 0x3D, 0x00, 0x78, 0x00]])
  func `what is no UTF-8 is not repaired`(_ bytes: [UInt8]) {
    guard case .badLine(1, _) = Secrets.read(bytes) else {
      Issue.record("read")
      return
    }
  }

  @Test func `the file wins over the environment, which wins over the placeholder`() throws {
    let name = "INGEST_TEST_SECRET_OF_ITS_OWN"
    setenv(name, "of the environment", 1)
    defer { unsetenv(name) }
    #expect(Secrets().value(name) == "of the environment")
    #expect(try read("\(name)=of the file").value(name) == "of the file")
    setenv(name, "", 1)
    #expect(Secrets().value(name) == nil, "an empty variable holds no secret")
    setenv(name, "of the environment", 1)
    var secrets = try read("OTHER=x")
    secrets.placeholder = "none needed"
    #expect(secrets.value(name) == "of the environment")
    #expect(secrets.value("INGEST_TEST_SECRET_THAT_IS_NOWHERE") == "none needed")
    #expect(Secrets().value("INGEST_TEST_SECRET_THAT_IS_NOWHERE") == nil)
    #expect(try read("caf\u{e9}=x").value("cafe\u{301}") == nil, "names are bytes")
  }

  @Test func `all secrets that requests name are known, each value once`() throws {
    let text = """
      ingest: 1
      source:
        name: demo
        base_url: https://${secret.HOST}/
        auth: {basic: {username: "${secret.USER}", password: "p ${secret.PASSWORD}"}}
        headers: {X-Token: "${secret.TOKEN}"}
        params: {a: "${secret.PARAM}", b: ["${secret.LIST}", plain]}
      store: {url: "sqlite:${secret.FILE}"}
      records: {Item: {key: id, fields: [id]}}
      endpoints:
        e: {path: "/${secret.PATH}/x", records: {a: Item}, headers: {X-Own: "${secret.OWN}"}, params: {c: "${secret.TOKEN}"}}
        f: {path: /f, records: {a: Item}, body: {json: {a: [{b: "x ${secret.JSON}"}]}}}
        g: {path: /g, records: {a: Item}, body: {form: {a: [1, "${secret.FORM}"]}}}
        h: {path: /h, records: {a: Item}, body: {text: "${secret.TEXT}"}}
      """
    let (mapping, findings) = MappingReader.read(SourceFile(name: "m.yaml", text: text)) { _ throws(IncludeFailure) in
      throw IncludeFailure(reason: "none")
    }
    #expect(!findings.containsErrors)
    let names = ["HOST", "USER", "PASSWORD", "TOKEN", "PARAM", "LIST", "FILE", "PATH", "OWN", "JSON", "FORM", "TEXT"]
    #expect(Set(try #require(mapping).secretNames) == Set(names))
    let secrets = try read(
      "HOST=h\nUSER=same\nPASSWORD=same\nTOKEN=t\nPARAM=h\nLIST=l\nFILE=f\nPATH=p\nOWN=o\nJSON=j\nFORM=m\nTEXT=x")
    #expect(
      Set(secrets.values(namedIn: try #require(mapping))) == ["h", "same", "t", "l", "f", "p", "o", "j", "m", "x"])
  }
}
