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
  /// It ran longer than it may on one record. That ends the run.
  case timeOut
  /// There was no thread or no memory for it. That ends the run.
  case failed(String)
}

/// Runs one program on records, one after the other, on a thread of its own.
///
/// libjq 1.6 calls functions in C that cannot be interrupted (a `test` whose pattern explodes, `"a" * 1e9`) and ends
/// the process when memory is short. So a program runs on a thread that can be given up, for 10 to 15 µs more a record.
/// After the time is over libjq is asked to stop, which ends loops; what does not stop within 100 ms keeps its thread
/// until it does.
///
/// The thread starts with the first record. Not Sendable: a runner belongs to the one who calls it.
package final class JQRunner {
  package let program: JQProgram
  private let milliseconds: Int
  private let mostBytes: Int
  private var worker: OpaquePointer?
  private var input = JQInput()
  private var output = JQOutput()

  /// `milliseconds` is how long the program may run on one record; `mostBytes` bounds its output.
  package init(_ program: JQProgram, milliseconds: Int = 5_000, mostBytes: Int = 64 << 20) {
    self.program = program
    self.milliseconds = milliseconds
    self.mostBytes = mostBytes
  }

  deinit { if let worker { cjq_worker_end(worker) } }

  /// The program's first output for a value. The result's bytes live in `arena`.
  package func run(on value: JSONValue, arena: ByteArena) -> JQResult {
    guard let worker = worker ?? start() else { return .failed("jq: there is no thread to run the program on") }
    var first = jv_invalid()
    switch cjq_worker_run(worker, input.make(value), milliseconds, &first) {
    case CJQ_DONE: return read(first, arena)
    case CJQ_TIME_OUT: return .timeOut
    case CJQ_LOST:
      self.worker = nil
      return .timeOut
    default:
      self.worker = nil
      return .failed("jq: there is not enough memory for the program")
    }
  }

  private func start() -> OpaquePointer? {
    let state = program.makeState()
    worker = cjq_worker_start(state)
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
