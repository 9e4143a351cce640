import Synchronization

/// The line at the foot of a terminal that changes while a command works. Messages are written above it.
package final class ProgressLine: Sendable {
  private static let clear = "\r\u{1B}[K"

  private let shown = Mutex("")
  private let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Shows another text in its place; it has no more columns than the terminal.
  package func show(_ text: String) {
    shown.withLock { shown in
      guard text != shown else { return }
      put((shown.isEmpty ? "" : Self.clear) + text)
      shown = text
    }
  }

  /// Leaves a text standing for good.
  package func leave(_ text: String) {
    shown.withLock { shown in
      put((shown.isEmpty ? "" : Self.clear) + text + "\n")
      shown = ""
    }
  }

  /// Writes above the line.
  func above(_ write: () -> Void) {
    shown.withLock { shown in
      if !shown.isEmpty { put(Self.clear) }
      write()
      put(shown)
    }
  }

  private func put(_ text: String) {
    guard !text.isEmpty else { return }
    var text = text
    _ = text.withUTF8 { Descriptor.write(UnsafeRawBufferPointer($0), to: descriptor) }
  }
}
