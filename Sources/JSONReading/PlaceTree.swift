/// What a body reader looks for: the places of records, and values outside of records that records read.
///
/// A place is a key path without context. An array there is its elements, unless the path's last step is `[*]` or `.*`;
/// anything else is one record.
package struct PlaceTree: Sendable {
  package struct Place: Sendable {
    package var path: KeyPath
    /// Key paths, relative to the record, of all that its mapping reads; nil when it reads the whole value. A record
    /// that holds another place (`.` beside `items`) is handed out pruned to these paths, so that it need not fit into
    /// memory with its lists.
    package var reads: [KeyPath]?

    package init(path: KeyPath, reads: [KeyPath]? = nil) {
      self.path = path
      self.reads = reads
    }
  }

  /// A value outside of records: `$root.meta.total` or `$parent.page` of a top-level record.
  package struct Capture: Sendable, Hashable {
    /// Whose neighbourhood it is: nil for the root, or the place whose holder (see `levels`) it starts from.
    package var place: Int?
    /// 1: the object that holds the place; 2: the one that holds that, and so on. A list or dictionary that the place
    /// steps through is no level of its own.
    package var levels: Int
    /// From there: members and elements; no `[*]` and no `.*`.
    package var steps: [KeyPath.Step]

    package init(place: Int?, levels: Int = 1, steps: [KeyPath.Step]) {
      self.place = place
      self.levels = levels
      self.steps = steps
    }

    package init(place: Int?, levels: Int = 1, members: [JSONName]) {
      self.init(place: place, levels: levels, steps: members.map { .member($0) })
    }

    /// The steps as a key path has them, for messages.
    var path: String {
      var text = ""
      for step in steps {
        switch step {
        case .member(let name): text += (text.isEmpty ? "" : ".") + KeyPath.quotedIfNeeded(name.description)
        case .element(let index): text += "[\(index)]"
        case .eachElement: text += "[*]"
        case .eachMember: text += ".*"
        }
      }
      return text
    }
  }

  package var places: [Place]
  package var captures: [Capture]

  package init(places: [Place], captures: [Capture] = []) {
    self.places = places
    self.captures = captures
  }
}

/// Where a record stands in its body. It is lent to the receiver, like the record.
package struct RecordPosition: Sendable {
  /// One step on the way from the body's root to the record, the element of a list at a place included.
  package enum Step: Sendable, Hashable {
    case member(JSONName)
    case element(Int)
  }

  /// Index of the place in the tree.
  package var place: Int
  package var steps: [Step]
  /// The record's number among those of its place that were handed out of this body, from 0.
  package var ordinal: Int
  /// Its number in all that the place yields, from 0: null elements, which give no record, leave a gap.
  package var number = 0
  /// Byte offset of the record in the body.
  package var offset: Int
  /// Values of `PlaceTree.captures` for this record, in their order; nil where the body does not have them.
  package var captures: [JSONDocument?]

  package init(place: Int, steps: [Step], ordinal: Int, offset: Int, captures: [JSONDocument?]) {
    self.place = place
    self.steps = steps
    self.ordinal = ordinal
    self.offset = offset
    self.captures = captures
  }
}

/// What became of the places of a body that was read to its end.
package struct BodySummary: Sendable {
  package enum PlaceState: Sendable, Hashable {
    /// Its key path leads nowhere in this body.
    case absent
    /// The value there, or on the way `[*]` or `.*`, is null.
    case null
    case found
  }

  package var places: [PlaceState]
  /// Records handed out, for each place.
  package var counts: [Int]
  /// Nothing but white space, `[]` or `{}`: a success without rows, whatever the places are.
  package var isEmpty: Bool
  package var rootKind: JSONKind?
  /// Names of the root object's members, at most 50, in order.
  package var members: [String]
  /// For each place, elements of lists and members that were null there, and so gave no record.
  package var nullCounts: [Int]

  package var areAllFound: Bool { places.allSatisfy { $0 == .found } }

  package var nulls: Int { nullCounts.reduce(0, +) }

  package var records: Int { counts.reduce(0, +) }

  package init(
    places: [PlaceState], isEmpty: Bool = false, rootKind: JSONKind? = nil, members: [String] = []
  ) {
    self.places = places
    counts = Array(repeating: 0, count: places.count)
    self.isEmpty = isEmpty
    self.rootKind = rootKind
    self.members = members
    nullCounts = Array(repeating: 0, count: places.count)
  }
}

/// Takes the records of a body, one after the other, in document order.
package protocol RecordReceiver {
  /// `record` and `position` are lent until the call returns; `window` keeps the record's bytes. What it throws ends
  /// the reading and goes on to the caller of the reader.
  mutating func receive(_ record: JSONValue, at position: borrowing RecordPosition, in window: AnyObject) throws
}
