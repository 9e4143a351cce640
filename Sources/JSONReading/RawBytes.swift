import Glibc

/// A source's bytes as they are, in order, once.
final class RawBytes {
  private enum Origin {
    case memory([UInt8], next: Int)
    case descriptor(Int32, isOwn: Bool)
  }

  private var origin: Origin
  /// Bytes that somebody read before, from `handed` on.
  private var head: [UInt8] = []
  private var handed = 0
  private let isInterrupted: @Sendable () -> Bool

  /// `isInterrupted` is asked before each reading of a file or stream, and while nothing comes.
  init(_ source: BodySource, isInterrupted: @escaping @Sendable () -> Bool = { false }) throws(JSONError) {
    self.isInterrupted = isInterrupted
    switch source {
    case .memory(let bytes): origin = .memory(bytes, next: 0)
    case .stream(let descriptor, let bytes):
      origin = .descriptor(descriptor, isOwn: false)
      head = bytes
    case .file(let path):
      // A pipe without a writer would not open otherwise.
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw Self.failure("'\(path)' cannot be opened", errno) }
      origin = .descriptor(descriptor, isOwn: true)
    }
  }

  deinit {
    if case .descriptor(let descriptor, isOwn: true) = origin { close(descriptor) }
  }

  /// Reads up to `count` bytes; 0 at the end only.
  func read(into target: UnsafeMutablePointer<UInt8>, count: Int) throws(JSONError) -> Int {
    switch origin {
    case .memory(let bytes, let next):
      let taken = min(count, bytes.count - next)
      bytes.withUnsafeBufferPointer { buffer in
        if let start = buffer.baseAddress { target.update(from: start + next, count: taken) }
      }
      origin = .memory(bytes, next: next + taken)
      return taken
    case .descriptor(let descriptor, _):
      if handed < head.count {
        let taken = min(count, head.count - handed)
        for index in 0..<taken { target[index] = head[handed + index] }
        handed += taken
        return taken
      }
      while true {
        // Waiting in slices: a signal that comes just before a read would not end it.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var ready: Int32
        repeat {
          if isInterrupted() { throw .interrupted(offset: 0, line: 1) }
          ready = poll(&waiting, 1, 200)
        } while ready == 0 || ready < 0 && errno == EINTR
        // Who ends a program may close its input in the same moment: that is no end of the body.
        if isInterrupted() { throw .interrupted(offset: 0, line: 1) }
        let taken = Glibc.read(descriptor, target, count)
        if taken >= 0 { return taken }
        if errno != EINTR && errno != EAGAIN { throw Self.failure("the body cannot be read", errno) }
      }
    }
  }

  private static func failure(_ what: String, _ code: Int32) -> JSONError {
    JSONError(.io, "\(what): \(String(cString: strerror(code)))", offset: 0, line: 1)
  }
}
