import Fetch

/// Answers that succeed, and say that they are not the whole.
extension Page {
  /// Why a walk that this page would end, or lead on, is partial. `isPaged`: pages before it had what is missing in front.
  func shortfall(behind verdict: Pager.Next, isPaged: Bool) -> String? {
    switch verdict {
    case .page where isAccepted, .end where isAccepted:
      return "the answer is 202 (accepted) without a body: what was asked for is still to come"
    case .end where response.status == 206: return missingRange(isPaged: isPaged)
    default: return nil
    }
  }

  private var isAccepted: Bool { response.status == 202 && response.body.count == 0 }

  private func missingRange(isPaged: Bool) -> String? {
    let text = response.header("Content-Range")
    let range = text.flatMap(ContentRange.init)
    let isWhole: Bool
    if isPaged {
      isWhole = range.map { $0.count.map { [last = $0.last] count in last >= count - 1 } ?? true } ?? true
    } else {
      isWhole = range.map { $0.first == 0 && $0.count == $0.last + 1 } ?? false
    }
    guard !isWhole else { return nil }
    return "the answer is 206 (partial content), "
      + (text.map { "and its Content-Range is '\($0)'" } ?? "and has no Content-Range")
  }
}

/// `items 0-24/100`: the first and last of what an answer has, and how many there are.
private struct ContentRange {
  var first: Int
  var last: Int
  /// Nil where it is not said.
  var count: Int?

  init?(_ text: String) {
    let parts = text.utf8.split { [UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "-")].contains($0) }.map {
      String(Substring($0))
    }
    guard parts.count == 4, let first = Int(parts[1]), let last = Int(parts[2]), last >= first, last < Int.max else {
      return nil
    }
    (self.first, self.last, count) = (first, last, Int(parts[3]))
  }
}
