import Fetch
import JSONReading
import Testing

/// Bodies that wait for their turn.
struct BodyStashTests {
  @Test func `bodies come back as they were, from memory and from files`() throws {
    var stash = BodyStash()
    var (kept, memory) = ([StashedBody](), 0)
    // 40 MiB in all, so that several files are filled.
    let sizes = [0, 1, 5000, 1 << 20, 3 << 20, 9 << 20] + Array(repeating: 700_000, count: 40)
    func bytes(_ number: Int) -> [UInt8] { Array(repeating: UInt8(number + 1), count: sizes[number]) }
    for number in sizes.indices {
      let body = try stash.keep(.bytes(bytes(number)), inMemory: memory)
      memory += body.memory
      kept.append(body)
    }
    #expect(memory <= 1 << 20)
    for number in sizes.indices.reversed() {
      let body = try kept[number].body()
      guard case .memory(let found) = body.source else {
        Issue.record("no bytes")
        continue
      }
      #expect(found == bytes(number) && body.count == sizes[number] && kept[number].count == sizes[number])
    }
  }

  @Test func `a folder that takes no file is an error that names it`() throws {
    var stash = BodyStash(folder: "/nowhere")
    let error = try failure { _ = try stash.keep(.bytes(Array(repeating: 0, count: 2 << 20)), inMemory: 0) }
    #expect(error.message.contains("/nowhere"))
  }
}
