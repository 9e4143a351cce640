import Glibc

/// What the console needs of file descriptors.
enum Descriptor {
  /// Writes all bytes, however slowly they are taken.
  ///
  /// - Returns: 0, or the error that ended it.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while let start = rest.baseAddress, rest.count > 0 {
      let written = Glibc.write(descriptor, start, rest.count)
      if written >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      } else if errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// A closed pipe becomes an error of `write`, and a closed standard stream is not given to the next file opened.
  ///
  /// The stand-ins are opened the wrong way round, so that using them fails rather than passes for success.
  static func prepareStandardStreams() {
    _ = signal(SIGPIPE, SIG_IGN)
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = open("/dev/null", mode)
    }
  }

  /// A terminal on which a line can be written over.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 && environment("TERM") != "dumb" }

  /// May messages there be coloured?
  static func wantsColour(_ descriptor: Int32) -> Bool {
    isTerminal(descriptor) && (environment("NO_COLOR") ?? "").isEmpty
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
