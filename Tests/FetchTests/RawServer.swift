import Foundation
import Synchronization

/// A server on loopback that does what its script says, also what no server should.
final class RawServer: Sendable {
  enum Step: Sendable {
    case text(String)
    case bytes([UInt8])
    case pause(Double)
    /// Orderly: what was sent arrives.
    case close
    case reset
    /// Nothing more, until the client goes or the server stops.
    case hang
  }

  struct Request: Sendable {
    var head: String
    var body: [UInt8]

    /// `GET /path`
    var line: String { head.components(separatedBy: " HTTP/")[0] }
    func has(_ text: String) -> Bool { (head + String(decoding: body, as: UTF8.self)).contains(text) }

    func header(_ name: String) -> String? {
      let lines = head.components(separatedBy: "\r\n").dropFirst()
      let line = lines.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
      return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  private struct State {
    var requests: [Request] = []
    var connections: Set<Int32> = []
    var accepted = 0
    var isStopped = false
  }

  let port: UInt16
  private let listener: Int32
  private let script: @Sendable (Request) -> [Step]
  private let state = Mutex(State())

  init(_ script: @escaping @Sendable (Request) -> [Step]) throws {
    self.script = script
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in acceptAll() }
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { state.withLock { $0.requests } }
  var lines: [String] { requests.map(\.line) }
  /// Connections so far.
  var accepted: Int { state.withLock { $0.accepted } }

  func stop() {
    let open = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    for connection in open { shutdown(connection, Int32(SHUT_RDWR)) }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      let isStopped = state.withLock { state in
        state.connections.insert(connection)
        state.accepted += 1
        return state.isStopped
      }
      if isStopped {
        close(connection)
        break
      }
      Thread.detachNewThread { [self] in serve(connection) }
    }
    close(listener)
  }

  private func serve(_ connection: Int32) {
    defer {
      _ = state.withLock { $0.connections.remove(connection) }
      close(connection)
    }
    var buffer: [UInt8] = []
    while let request = read(from: connection, &buffer) {
      state.withLock { $0.requests.append(request) }
      for step in script(request) where !perform(step, on: connection) { return }
    }
  }

  /// False when the connection is over.
  private func perform(_ step: Step, on connection: Int32) -> Bool {
    switch step {
    case .text(let text): return write(Array(text.utf8), to: connection)
    case .bytes(let bytes): return write(bytes, to: connection)
    case .pause(let seconds): Thread.sleep(forTimeInterval: seconds)
    case .close: return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
      return false
    case .hang:
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      return false
    }
    return true
  }

  private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  private func read(from connection: Int32, _ buffer: inout [UInt8]) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    var part = [UInt8](repeating: 0, count: 65_536)
    var range = buffer.firstRange(of: end)
    while range == nil {
      let got = recv(connection, &part, part.count, 0)
      guard got > 0 else { return nil }
      buffer += part[..<got]
      // A greeting of TLS: a server of plain HTTP answers that it does not understand.
      if buffer.first == 0x16 { return Request(head: "TLS", body: []) }
      range = buffer.firstRange(of: end)
    }
    guard let range else { return nil }
    var request = Request(head: String(decoding: buffer[..<range.lowerBound], as: UTF8.self), body: [])
    buffer.removeSubrange(..<range.upperBound)
    let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
    while buffer.count < length {
      let got = recv(connection, &part, part.count, 0)
      guard got > 0 else { return nil }
      buffer += part[..<got]
    }
    request.body = Array(buffer[..<length])
    buffer.removeSubrange(..<length)
    return request
  }
}

extension RawServer.Step {
  /// A whole answer with a JSON body.
  static func answer(_ body: String, status: Int = 200, headers: String = "") -> RawServer.Step {
    .text(
      "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
  }

  static func redirect(_ status: Int, to location: String) -> RawServer.Step {
    .text("HTTP/1.1 \(status) X\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
  }
}

/// Runs a server for the length of a closure.
func withServer<Result>(
  _ script: @escaping @Sendable (RawServer.Request) -> [RawServer.Step], _ body: (RawServer) throws -> Result
) throws -> Result {
  let server = try RawServer(script)
  defer { server.stop() }
  return try body(server)
}

/// A value that a script reads and a test sets.
final class Box<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}
