import Fetch

/// A clock whose waits are over at once: for recorded answers, and tests of a mapping.
struct InstantClock: FetchClock {
  func now() -> Duration { .zero }
  func epoch() -> Duration { SystemClock().epoch() }
  func sleep(_ duration: Duration) throws(FetchError) {}
}
