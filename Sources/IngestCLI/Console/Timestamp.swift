import Glibc
import Values

/// The time of messages.
package enum Timestamp {
  package static func now() -> (seconds: Int, nanoseconds: Int) {
    let time = Instant.now()
    return (Int(time.seconds), Int(time.nanoseconds))
  }

  /// UTC with milliseconds: `2024-02-29T23:59:59.000Z`.
  package static func rfc3339(_ time: (seconds: Int, nanoseconds: Int)) -> String {
    var seconds = time_t(time.seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let date = [(parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2)].map(padded)
    let clock = [(parts.tm_hour, 2), (parts.tm_min, 2), (parts.tm_sec, 2)].map(padded)
    let fraction = padded(Int32(time.nanoseconds / 1_000_000), 3)
    return date.joined(separator: "-") + "T" + clock.joined(separator: ":") + "." + fraction + "Z"
  }

  private static func padded(_ number: Int32, _ width: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
