import Foundation
import IngestCLI
import TestSupport
import Testing

struct OutputBufferTests {
  @Test(arguments: [1, 2, 7, 64, 1 << 16])
  func `what is appended comes out, whatever the capacity`(_ capacity: Int) throws {
    let folder = try TemporaryFolder()
    let descriptor = open(folder.path("out"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let output = OutputBuffer(descriptor: descriptor, capacity: capacity)
    var expected: [UInt8] = []
    for length in 0..<100 {
      output.append(UInt8(ascii: "<"))
      output.append([UInt8](repeating: UInt8(length), count: length))
      output.append("é")
      expected += [UInt8(ascii: "<")] + [UInt8](repeating: UInt8(length), count: length) + Array("é".utf8)
    }
    output.flush()
    output.flush()
    #expect(try folder.read("out") == expected)
    #expect(output.failure == nil)
  }

  @Test(arguments: [0, 7, -1, 1234567890, Int64.max, Int64.min])
  func `numbers are written in decimal`(_ number: Int64) throws {
    let captured = try CapturedConsole()
    captured.console.output.append(decimal: number)
    #expect(try captured.output == "\(number)")
  }

  @Test func `a full device is a failure with its reason, and the exit status says so`() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let output = OutputBuffer(descriptor: descriptor)
    let console = Console(output: output, messages: MessageWriter(LoggingOptions(), descriptor: -1))
    output.append("row\n")
    #expect(console.finish(.rejections) == 1)
    #expect(output.failure == .failed(ENOSPC))
    #expect(console.finish(.usage) == 2)
  }
}
