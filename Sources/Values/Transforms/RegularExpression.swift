import CPCRE2
import Synchronization

/// A regular expression of PCRE2, compiled once and shared by threads: Unicode, and bounded in its steps.
///
/// Matching a text of adversarial shape ends with `tooManySteps`, never with a hang.
package final class RegularExpression: Sendable {
  package let pattern: String
  /// PCRE2 never changes compiled code once it is translated for the processor, and neither it nor the match context is
  /// touched after `init`: reading them from several threads is what PCRE2 allows.
  private nonisolated(unsafe) let code: OpaquePointer
  private nonisolated(unsafe) let context: OpaquePointer
  /// A match's memory that nobody uses now, as an address; 0 when there is none. Taking it is one atomic exchange.
  private let spare = Atomic<UInt>(0)

  /// Steps, and kilobytes of memory, that one match may take.
  static let mostSteps: UInt32 = 1_000_000
  static let mostKilobytes: UInt32 = 16_384

  package struct Fault: Error, Sendable, Hashable {
    /// What is wrong, and at which byte of the pattern.
    package var message: String
  }

  package init(_ pattern: String) throws(Fault) {
    self.pattern = pattern
    var number: Int32 = 0
    var offset = 0
    var text = pattern
    let options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C
    let compiled = text.withUTF8 {
      pcre2_compile_8($0.baseAddress, $0.count, options, &number, &offset, nil)
    }
    guard let compiled else {
      let place = pattern.utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1
      throw Fault(message: Self.message(of: number) + " (at character \(place))")
    }
    guard let context = pcre2_match_context_create_8(nil) else { preconditionFailure("there is memory for a context") }
    // Refused where memory must not be both written and run; then it is interpreted.
    _ = pcre2_jit_compile_8(compiled, PCRE2_JIT_COMPLETE)
    pcre2_set_match_limit_8(context, Self.mostSteps)
    pcre2_set_depth_limit_8(context, Self.mostSteps)
    pcre2_set_heap_limit_8(context, Self.mostKilobytes)
    code = compiled
    self.context = context
  }

  deinit {
    release(spare.load(ordering: .acquiring))
    pcre2_match_context_free_8(context)
    pcre2_code_free_8(code)
  }

  /// Why a pattern cannot be compiled; nil when it can.
  package static func fault(in pattern: String) -> Fault? {
    do throws(Fault) {
      _ = try RegularExpression(pattern)
      return nil
    } catch {
      return error
    }
  }

  enum Answer<Value> {
    case found(Value)
    case none
    /// The sentence says why the text could not be searched.
    case failed(String)
  }

  /// Searches from `start` on; `use` gets the groups of the first match, of which 0 is the whole of it.
  func search<Value>(
    _ text: Bytes, from start: Int = 0, notEmptyAtStart: Bool = false, _ use: (Groups) -> Value
  ) -> Answer<Value> {
    let data = take()
    defer { giveBack(data) }
    var options: UInt32 = notEmptyAtStart ? PCRE2_NOTEMPTY_ATSTART | PCRE2_ANCHORED : 0
    if start > 0 { options |= PCRE2_NO_UTF_CHECK }
    let subject = text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? Self.empty
    var status = pcre2_match_8(code, subject, text.count, start, options, data, context)
    if status == PCRE2_ERROR_JIT_STACKLIMIT {
      status = pcre2_match_8(code, subject, text.count, start, options | PCRE2_NO_JIT, data, context)
    }
    if status > 0, let vector = pcre2_get_ovector_pointer_8(data) {
      return .found(use(Groups(vector: vector, count: Int(pcre2_get_ovector_count_8(data)), set: Int(status))))
    }
    switch status {
    case PCRE2_ERROR_NOMATCH: return .none
    case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_JIT_STACKLIMIT:
      return .failed("the pattern took too many steps")
    default: return .failed("the text could not be searched: " + Self.message(of: status))
    }
  }

  /// Does the pattern occur in the text? Nil when that could not be found out.
  package func occurs(in text: UnsafeRawBufferPointer) -> Bool? {
    switch search(text, { _ in () }) {
    case .found: true
    case .none: false
    case .failed: nil
    }
  }

  /// Where the groups of a match begin and end.
  struct Groups {
    fileprivate let vector: UnsafeMutablePointer<Int>
    fileprivate let count: Int
    fileprivate let set: Int

    /// Nil for a group that took no part.
    func range(_ group: Int) -> Range<Int>? {
      guard group < set, group < count, vector[2 * group] >= 0, vector[2 * group] <= vector[2 * group + 1] else {
        return nil
      }
      return vector[2 * group]..<vector[2 * group + 1]
    }
  }

  var groupCount: Int {
    var count: UInt32 = 0
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
    return Int(count)
  }

  /// The number of a named group.
  func group(named name: String) -> Int? {
    let number = name.withCString { text in
      pcre2_substring_number_from_name_8(code, UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self))
    }
    return number > 0 ? Int(number) : nil
  }

  private func take() -> OpaquePointer {
    let kept = OpaquePointer(bitPattern: spare.exchange(0, ordering: .acquiring))
    guard let data = kept ?? pcre2_match_data_create_from_pattern_8(code, nil) else {
      preconditionFailure("there is memory for a match")
    }
    return data
  }

  private func giveBack(_ data: OpaquePointer) {
    release(spare.exchange(UInt(bitPattern: data), ordering: .acquiringAndReleasing))
  }

  private func release(_ address: UInt) {
    if let data = OpaquePointer(bitPattern: address) { pcre2_match_data_free_8(data) }
  }

  /// What an empty text points to: PCRE2 wants an address even for no bytes.
  private nonisolated(unsafe) static let empty = UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

  private static func message(of number: Int32) -> String {
    String(unsafeUninitializedCapacity: 256) { buffer in
      max(0, Int(pcre2_get_error_message_8(number, buffer.baseAddress, buffer.count)))
    }
  }
}
