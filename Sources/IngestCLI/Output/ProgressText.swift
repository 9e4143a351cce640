import Fetch
package import Pipeline

/// How far an endpoint is, in one line.
package enum ProgressText {
  private static let barWidth = 10

  /// `issues  ████░░░░░░ 420 of 1000 records  14 pages  105/s  waits 12 s (rate limit)`, cut to `width`.
  package static func line(
    _ endpoint: RunProgress.Endpoint, wait: RunProgress.Wait?, now: Duration, width: Int
  ) -> String {
    let parts = [endpoint.name] + parts(endpoint, wait, now)
    return String(parts.joined(separator: "  ").unicodeScalars.prefix(max(0, width)))
  }

  /// The same without the endpoint's name, for a message.
  package static func sentence(
    _ endpoint: RunProgress.Endpoint, wait: RunProgress.Wait?, now: Duration
  ) -> String {
    parts(endpoint, wait, now).joined(separator: ", ")
  }

  private static func parts(
    _ endpoint: RunProgress.Endpoint, _ wait: RunProgress.Wait?, _ now: Duration
  ) -> [String] {
    var parts: [String] = []
    let share = endpoint.ended == nil ? endpoint.share.flatMap { $0.all > 0 ? $0 : nil } : nil
    if let share { parts.append(bar(share)) }
    if endpoint.walks > 1 { parts.append(endpoint.walks.counted("walk")) }
    parts.append(endpoint.pages.counted("page"))
    // Of one walk the bar has said it.
    if endpoint.walks > 1 || share?.unit != .records { parts.append(endpoint.records.counted("record")) }
    let age = (endpoint.ended ?? now) - endpoint.began
    if endpoint.ended != nil {
      parts.append(spoken(age))
    } else if let rate = rate(endpoint.records, in: age) {
      parts.append(rate)
    }
    if endpoint.ended == nil, let wait, wait.until > now {
      parts.append("waits \(spoken(wait.until - now)) (\(wait.reason.rawValue))")
    }
    return parts
  }

  private static func bar(_ share: RunProgress.Share) -> String {
    let filled = min(barWidth, share.done * barWidth / share.all)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
    return "\(bar) \(share.done) of \(share.all) \(share.unit.rawValue)"
  }

  private static func rate(_ records: Int, in age: Duration) -> String? {
    guard age >= .seconds(1) else { return nil }
    let perSecond = Double(records) / (Double(age.components.seconds) + Double(age.components.attoseconds) / 1e18)
    return "\(Int(perSecond))/s"
  }

  /// `12 s`, `3 min 20 s`, `2 h 5 min`.
  private static func spoken(_ duration: Duration) -> String {
    let seconds = max(0, Int(duration.components.seconds) + (duration.components.attoseconds > 0 ? 1 : 0))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
  }
}
