import JSONReading
import Records

/// Drafts a mapping from bodies.
package struct BodyDrafter {
  /// Bodies that are answers to the same request, as far as can be seen.
  private struct Group {
    var stems: [String]
    var root: ValueShape
    var isNDJSON: Bool
    var isLenient: Bool
    /// Of bodies at the same path of an API.
    var endpoint: KnownEndpoint?
    var places: DraftPlaces { DraftPlaces(root, isWhole: isNDJSON) }
  }

  /// What is known of the request, where a description has it.
  package struct KnownEndpoint: Hashable, Sendable {
    package var method: String
    package var path: String
  }

  private var groups: [Group] = []
  private var body = 0
  private let arena = ByteArena()

  package init() {}

  /// One file's bodies: a JSON text, or the lines of NDJSON.
  package mutating func add(_ sample: Sample, endpoint: KnownEndpoint? = nil) {
    body += 1
    let group = Group(
      stems: [sample.stem], root: sample.shape, isNDJSON: sample.isNDJSON, isLenient: sample.isLenient,
      endpoint: endpoint)
    guard let index = groups.firstIndex(where: { belong($0, group) }) else { return groups.append(group) }
    groups[index].stems.append(sample.stem)
    groups[index].root.merge(group.root)
    groups[index].isLenient = groups[index].isLenient || group.isLenient
  }

  /// The same places, with much the same members.
  private func belong(_ one: Group, _ other: Group) -> Bool {
    if one.endpoint != nil || other.endpoint != nil { return one.endpoint == other.endpoint }
    guard one.isNDJSON == other.isNDJSON else { return false }
    let (left, right) = (one.places.places, other.places.places)
    guard left.map(\.path) == right.map(\.path), left.map(\.kind) == right.map(\.kind) else { return false }
    return zip(left, right).allSatisfy { pair in
      let (ours, theirs) = (Set(pair.0.shape.members.map(\.name)), Set(pair.1.shape.members.map(\.name)))
      let shared = ours.intersection(theirs).count
      return ours.isEmpty && theirs.isEmpty || shared * 2 >= min(ours.count, theirs.count)
    }
  }

  /// The mapping, and what is uncertain in it.
  package func draft(title: [String], sourceName: String? = nil) -> (MappingDraft, [DraftNote]) {
    let first = groups.first.map { Self.stem(of: $0.stems) } ?? "sample"
    var draft = MappingDraft(sourceName: sourceName ?? (Names.snake(first).isEmpty ? "sample" : Names.snake(first)))
    draft.title = title
    draft.sourceComments = ["base_url: where the API is, as https://api.example.com; nothing is fetched without it"]
    var notes: [DraftNote] = []
    var names = DraftNames()
    for group in groups {
      if group.root.hasSecretNamesBelow {
        let stem = Self.stem(of: group.stems)
        notes.append(DraftNote(stem, "members whose names look like credentials are not carried over"))
      }
      if groups.count > 1, let failure = FailureBody(group.root), group.endpoint == nil {
        let stem = Self.stem(of: group.stems)
        notes.append(DraftNote(stem, "it tells of an error: a rule of 'errors' finds it, and it is no record"))
        if !draft.errors.contains(where: { $0.flow == failure.rule.flow }) { draft.errors.append(failure.rule) }
      } else {
        add(group, to: &draft, &names, &notes)
      }
    }
    return (draft, notes)
  }

  private func add(
    _ group: Group, to draft: inout MappingDraft, _ names: inout DraftNames, _ notes: inout [DraftNote]
  ) {
    let stem = Self.stem(of: group.stems)
    let found = group.places
    let snake = Names.snake(stem)
    let name = names.endpoints.add(snake, orElse: "sample")
    var endpoint = MappingDraft.Endpoint(name: name, path: "/" + (snake.isEmpty ? "sample" : snake))
    if let known = group.endpoint {
      endpoint.path = known.path
      endpoint.method = known.method == "GET" ? nil : known.method
    } else {
      endpoint.isFetched = false
      endpoint.whyNotFetched = "remove this when base_url and path are those of the API"
    }
    endpoint.isNDJSON = group.isNDJSON
    endpoint.isLenient = group.isLenient
    if group.isLenient { notes.append(DraftNote(stem, "the body has comments or trailing commas: lenient")) }
    for place in found.places {
      let table = names.tables.add(Self.table(of: place, stem: snake), orElse: "records")
      let record = names.records.add(Names.record(table), orElse: "Record")
      let path = place.path.text == "." ? stem : "\(stem): \(place.path.text)"
      let drafter = RecordDrafter(named: record, table: table, at: place, named: path)
      draft.records.append(drafter.record)
      notes += drafter.notes
      endpoint.records.append((place.path.text, record))
    }
    let list = found.places.count == 1 ? found.places[0] : nil
    let hints = PagingHints(
      found.beside.map { ($0.path, PagingHints.Kind($0.shape)) },
      list: list.map { ($0.path, $0.shape.member("id")?.isScalar ?? false) })
    if !hints.lines.isEmpty {
      endpoint.hints = ["it may have pages; when it is fetched, one of:"] + hints.lines.map { "  " + $0 }
      notes.append(DraftNote(stem, "paging is suggested in comments: \(hints.lines.joined(separator: "; "))"))
    }
    for (path, _) in found.beside where !hints.used.contains(path) {
      notes.append(DraftNote("\(stem): \(path.text)", "stands beside the records, and is not carried over"))
    }
    endpoint.tell(besides: found.beside.map(\.path).filter { !hints.used.contains($0) })
    notes += found.notes.map { DraftNote("\(stem): \($0.place)", $0.text) }
    draft.endpoints.append(endpoint)
  }

  /// The key path's last name; of the root, the file's.
  private static func table(of place: DraftPlace, stem: String) -> String {
    let name = Names.snake(place.path.names.last ?? "")
    return name.isEmpty ? stem : name
  }

  /// What the files' names have in common, without a number at the end; of one file, its name.
  private static func stem(of stems: [String]) -> String {
    guard let first = stems.first, stems.count > 1 else { return stems.first ?? "sample" }
    var common = first
    for stem in stems { common = String(zip(common, stem).prefix { $0 == $1 }.map(\.0)) }
    while let last = common.last, last.isNumber || "-_. ".contains(last) { common.removeLast() }
    return common.isEmpty ? first : common
  }
}

/// The names of a draft.
struct DraftNames {
  var endpoints = NameSet()
  var records = NameSet()
  var tables = NameSet()
}
