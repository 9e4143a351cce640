import Fetch
import Testing

/// Bodies as the archive keeps them.
struct PackedBodyTests {
  private func unpacked(_ packed: PackedBody, size: Int? = nil, dropping: Int = 0) throws -> ResponseBody {
    try PackedBody.unpacked(size: size ?? packed.size) { take throws(FetchError) in
      let all = packed.bytes.prefix(.max).dropLast(dropping)
      // In small parts, as a database may hand them out.
      var rest = all[...]
      while !rest.isEmpty {
        try take(Array(rest.prefix(1000)))
        rest = rest.dropFirst(1000)
      }
    }
  }

  @Test(arguments: [0, 1, 1000, 100_000, 9 << 20])
  func `a body comes out as it went in`(_ count: Int) throws {
    var state: UInt64 = 1
    let bytes = (0..<count).map { index -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return index % 3 == 0 ? UInt8(state >> 56) : UInt8(ascii: "a")
    }
    let packed = try PackedBody(.bytes(bytes))
    #expect(packed.size == count)
    let body = try unpacked(packed)
    #expect(body.count == count && body.prefix(.max) == bytes)
  }

  @Test func `text takes less room`() throws {
    let packed = try PackedBody(.bytes(Array(String(repeating: #"{"id": 1, "name": "bolt"}"#, count: 1000).utf8)))
    #expect(packed.bytes.count < packed.size / 50)
  }

  @Test func `what is cut, changed or of another size is an error`() throws {
    let packed = try PackedBody(.bytes(Array("a body that is kept".utf8)))
    for error in [
      try failure { _ = try unpacked(packed, dropping: 1) }, try failure { _ = try unpacked(packed, size: 3) },
      try failure { _ = try unpacked(packed, size: 100) },
    ] {
      #expect(error.code == .truncated)
    }
    var bytes = packed.bytes.prefix(.max)
    bytes[bytes.count / 2] ^= 1
    let error = try failure {
      _ = try PackedBody.unpacked(size: packed.size) { take throws(FetchError) in try take(bytes) }
    }
    #expect(error.code == .badEncoding || error.code == .truncated)
  }
}
