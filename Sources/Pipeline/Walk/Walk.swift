import MappingLanguage
import PlanCompiler
import Values

/// All requests of one endpoint for one set of variables, one parent and one slice: the unit of fetching, of state and
/// of sweeps.
struct Walk {
  /// A piece of an incremental walk; shares its borders with its neighbours.
  struct Slice {
    var from: CursorValue
    var until: CursorValue
  }

  /// Index into `Plan.endpoints`.
  var endpoint: Int
  /// The run's, with what `for_each` binds.
  var scope: Interpolation
  var slice: Slice?

  /// With the slice, as far as there is one.
  func identity(_ run: RunContext) -> WalkIdentity {
    var identity = wholeIdentity(run)
    let format = run.plan.endpoints[endpoint].incremental?.format
    identity.slice = slice.map { slice in
      (slice.from.sent(format: format) ?? slice.from.text, slice.until.sent(format: format) ?? slice.until.text)
    }
    return identity
  }

  /// Of all slices.
  func wholeIdentity(_ run: RunContext) -> WalkIdentity {
    WalkIdentity(fetching: run.plan.endpoints[endpoint], mapping: run.mapping, scope: scope).redacted(by: run.redactor)
  }
}

/// What the command says of walks.
package struct WalkOptions: Sendable {
  /// Cursors, caches, validators and cut walks are ignored.
  package var isFull: Bool
  /// The most pages of a walk.
  package var maxPages: Int?
  /// What a walk is bound to, in place of what its `for_each` gives.
  var binding: [RouteParameter]?
  var cutter: WalkCutter?

  package init(isFull: Bool = false, maxPages: Int? = nil) {
    self.isFull = isFull
    self.maxPages = maxPages
  }
}
