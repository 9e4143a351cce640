import CJQ
import Synchronization

/// A jq program of a mapping, checked and compiled; any number of threads may run it, each with a `JQRunner` of its own.
///
/// Compiling takes 25 to 100 ms, since libjq binds all of its functions each time. The first runner takes over what
/// `init` has compiled; each further one compiles again.
package final class JQProgram: Sendable {
  package let text: String
  /// The program's string literals: what it may say in an error without showing a value.
  let literals: Set<[UInt8]>
  /// A compiled state that nobody runs, as an address; 0 when there is none.
  private let spare: Atomic<UInt>

  package struct Fault: Error, Sendable, Hashable {
    /// What is wrong with the program, in jq's words where it does not compile.
    package var message: String
    /// What to do about it.
    package var hint: String?
  }

  /// The longest program, in bytes: libjq's time grows with the square of it.
  static let mostBytes = 16_384

  /// Refuses what does not compile, and what would make the value depend on more than the record: `env`, `$ENV`,
  /// `input`, `halt`, `import` and their like, wherever they stand as names of functions or variables. `.env` and
  /// `"env"` are fine.
  package init(_ text: String) throws(Fault) {
    self.text = text
    literals = try JQScanner.check(Array(text.utf8))
    spare = Atomic(UInt(bitPattern: try Self.compile(text)))
  }

  deinit { Self.free(take()) }

  /// A compiled state for one thread at a time, which the caller frees.
  func makeState() -> OpaquePointer {
    if let state = take() { return state }
    do throws(Fault) {
      return try Self.compile(text)
    } catch {
      preconditionFailure("a program that has compiled compiles again")
    }
  }

  static func free(_ state: OpaquePointer?) {
    var state = state
    if state != nil { jq_teardown(&state) }
  }

  private func take() -> OpaquePointer? {
    OpaquePointer(bitPattern: spare.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// libjq is shown another environment while it compiles.
  private static let compiling = Mutex(())

  private static func compile(_ text: String) throws(Fault) -> OpaquePointer {
    guard let state = jq_init() else { preconditionFailure("there is memory for a jq program") }
    let complaints = Complaints()
    let context = Unmanaged.passUnretained(complaints).toOpaque()
    jq_set_error_cb(
      state,
      { context, message in
        if let context { Unmanaged<Complaints>.fromOpaque(context).takeUnretainedValue().add(message) }
        jv_free(message)
      }, context)
    let compiled = withExtendedLifetime(complaints) { compiling.withLock { _ in cjq_compile(state, text) } }
    // What libjq might say later is not for the standard error.
    jq_set_error_cb(state, { _, message in jv_free(message) }, nil)
    guard compiled != 0 else {
      free(state)
      throw Fault(
        message: "the jq program does not compile: " + (complaints.first ?? "jq does not say why"),
        hint: "'jq -n' followed by the program in quotes shows jq's own view of it")
    }
    return state
  }

  /// What libjq says about a program that does not compile.
  private final class Complaints {
    private(set) var first: String?

    func add(_ message: jv) {
      guard first == nil, jv_get_kind(message) == JV_KIND_STRING, let text = jv_string_value(message) else { return }
      first = JQMessage.complaint(String(cString: text))
    }
  }
}
