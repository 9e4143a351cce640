import Store
import Synchronization

/// A question to the store, asked by whoever fetches: what is remembered under a name, now.
final class Recollection: Sendable {
  let name: String
  private let kept = Mutex<(own: String?, others: [String])>((nil, []))

  init(of name: String) { self.name = name }

  /// Of the source, and of the others that share the store; nothing before it is answered.
  var values: (own: String?, others: [String]) { kept.withLock { $0 } }

  /// For the thread that the store belongs to.
  func answer(from store: any Store, source: String) throws(StoreError) {
    let own = try store.state(scope: "", name: name)?.value
    let others = try store.state(named: name, besides: source)
    kept.withLock { $0 = (own, others) }
  }
}
