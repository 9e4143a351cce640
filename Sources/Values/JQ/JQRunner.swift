import CJQ
package import JSONReading
package import Records

/// What a jq program gave for one record.
package enum JQResult {
  /// It had no output.
  case missing
  /// Its first output; `null` is the null value.
  case value(RawValue)
  /// It failed, or its output is none that can be kept. The reason quotes no value.
  case invalid(String)
  /// It was asked to stop.
  case interrupted
  /// It ran longer than it may on one record, or wanted more memory, or libjq gave up on it. That ends the run.
  case failed(String)
}

/// Runs one program on records, one after the other, on a thread of its own.
///
/// libjq 1.6 calls functions in C that cannot be interrupted (a `test` whose pattern explodes, `"a" * 1e9`), has no limit
/// on memory, and ends the process when that is short or an assertion of its own fails. So a program runs on a thread
/// that can be given up, for 10 to 15 µs more a record. After the time is over libjq is asked to stop, which ends loops;
/// what does not stop within 100 ms keeps its thread until it does.
///
/// The thread starts with the first record. Not Sendable: a runner belongs to the one who calls it.
package final class JQRunner {
  package let program: JQProgram
  private let milliseconds: Int
  private let mostBytes: Int
  private let mostMemory: Int
  private let isInterrupted: () -> Bool
  private var worker: OpaquePointer?
  private var input = JQInput()
  private var output = JQOutput()

  /// `milliseconds` is how long the program may run on one record; `mostMemory` bounds what it builds meanwhile, in bytes
  /// beside the record, and `mostBytes` its output. `isInterrupted` is asked ten times a second while it runs.
  package init(
    _ program: JQProgram, milliseconds: Int = 5_000, mostMemory: Int = 512 << 20, mostBytes: Int = 64 << 20,
    isInterrupted: @escaping () -> Bool = { false }
  ) {
    self.program = program
    self.milliseconds = milliseconds
    self.mostMemory = mostMemory
    self.mostBytes = mostBytes
    self.isInterrupted = isInterrupted
  }

  deinit { if let worker { cjq_worker_end(worker) } }

  private static let millisecondsBetweenQuestions = 100

  /// The program's first output for a value. The result's bytes live in `arena`.
  package func run(on value: JSONValue, arena: ByteArena) -> JQResult {
    guard let worker = worker ?? start() else { return .failed("jq: there is no thread to run the program on") }
    cjq_worker_begin(worker, input.make(value))
    var left = milliseconds
    while left > 0 {
      let time = min(left, Self.millisecondsBetweenQuestions)
      left -= time
      var first = jv_invalid()
      switch cjq_worker_await(worker, time, &first) {
      case CJQ_WORKING: break
      case CJQ_DONE: return read(first, arena)
      case let outcome:
        self.worker = nil
        return .failed(outcome == CJQ_OUT_OF_MEMORY ? outOfMemory : Self.broken)
      }
      if isInterrupted() {
        stop(worker)
        return .interrupted
      }
    }
    stop(worker)
    return .failed(
      "its jq program ran longer than \(Self.spoken(milliseconds)) on this record, which is all that it may: make it "
        + "simpler")
  }

  private func stop(_ worker: OpaquePointer) {
    if cjq_worker_stop(worker) == 0 { self.worker = nil }
  }

  private var outOfMemory: String {
    "its jq program wanted more memory than there is, or than the \(mostMemory >> 20) MB that it may take on this "
      + "record"
  }

  private static let broken = "libjq gave up on this record: one of its own assertions failed"

  private static func spoken(_ milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }

  private func start() -> OpaquePointer? {
    let state = program.makeState()
    worker = cjq_worker_start(state, Int64(mostMemory))
    if worker == nil { JQProgram.free(state) }
    return worker
  }

  /// `first` is lent until the next run.
  private func read(_ first: jv, _ arena: ByteArena) -> JQResult {
    guard jv_get_kind(first) == JV_KIND_INVALID else {
      do throws(JQOutput.Refusal) {
        return .value(try output.read(first, into: arena, mostBytes: mostBytes))
      } catch {
        return .invalid(error.message)
      }
    }
    let message = jv_invalid_get_msg(jv_copy(first))
    defer { jv_free(message) }
    switch jv_get_kind(message) {
    case JV_KIND_NULL: return .missing
    case JV_KIND_STRING:
      let bytes = JQOutput.withBytes(message) { Array($0) }
      return .invalid(JQMessage.failure(bytes, literals: program.literals))
    default: return .invalid("jq: the program failed with an error that is no text")
    }
  }
}
