/// The statement that a table was made by, taken apart just so far that a column's type, the primary key and the foreign
/// keys can be changed. Everything else in it, a user's constraints and defaults, stays as written.
struct CreateTable {
  private struct Word {
    var text: String
    var isApart = true

    var lowercased: String { text.lowercased() }
  }

  /// Columns, then constraints of the table, each as its words.
  private var elements: [[Word]]
  private var columnCount: Int
  /// What follows the closing parenthesis: `STRICT`.
  private var options: [String]

  /// Nil when it is no statement with a list of columns.
  init?(_ sql: String) {
    let tokens = SQLTokens(sql)
    let words = zip(tokens.texts, tokens.isApart).map { Word(text: $0, isApart: $1) }
    guard let open = tokens.texts.firstIndex(of: "(") else { return nil }
    var parts: [[Word]] = [[]]
    var depth = 1
    var place = open + 1
    while place < words.count, depth > 0 {
      let word = words[place]
      place += 1
      if word.text == "(" { depth += 1 }
      if word.text == ")" { depth -= 1 }
      if depth == 0 { break }
      if word.text == ",", depth == 1 { parts.append([]) } else { parts[parts.count - 1].append(word) }
    }
    guard depth == 0, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    elements = parts
    options = Array(tokens.texts[place...])
    let constraints = ["constraint", "primary", "unique", "check", "foreign"]
    columnCount = parts.firstIndex { constraints.contains($0[0].lowercased) } ?? parts.count
  }

  func sql(named name: String) -> String {
    let lines = elements.map(Self.text)
    return "CREATE TABLE \(Identifier.quoted(name)) (\n  \(lines.joined(separator: ",\n  "))\n) "
      + options.joined(separator: " ")
  }

  private static func text(_ words: [Word]) -> String {
    var text = ""
    for word in words { text += word.isApart && !text.isEmpty ? " " + word.text : word.text }
    return text
  }

  /// Columns that were renamed, wherever they stand as a name.
  mutating func rename(_ names: [FoldedName: String]) {
    for element in elements.indices {
      for place in elements[element].indices where place == 0 || element >= columnCount {
        if let name = names[FoldedName(token: elements[element][place].text)] {
          elements[element][place].text = Identifier.quoted(name)
        }
      }
    }
  }

  /// In a STRICT table the second word of a column is its type.
  mutating func setType(of column: FoldedName, to type: String) {
    guard let place = place(of: column), elements[place].count > 1 else { return }
    elements[place][1].text = type
  }

  mutating func add(column definition: String) {
    elements.insert([Word(text: definition)], at: columnCount)
    columnCount += 1
  }

  mutating func add(constraint definition: String) { elements.append([Word(text: definition)]) }

  /// Another primary key. Columns that leave it may be null from now on.
  mutating func setPrimaryKey(_ names: [String], former: [FoldedName], isGenerated: Bool) {
    for index in elements.indices { removePrimaryKey(from: index) }
    elements.removeAll { $0.isEmpty }
    for name in former { removeNotNull(from: name) }
    if !isGenerated {
      for name in names {
        guard let place = place(of: FoldedName(name)) else { continue }
        let words = elements[place].map(\.lowercased)
        if Self.find(["not", "null"], in: words) == nil { elements[place].append(Word(text: "NOT NULL")) }
      }
    }
    add(constraint: "PRIMARY KEY (\(Identifier.quoted(names)))")
  }

  private func place(of column: FoldedName) -> Int? {
    elements[..<columnCount].firstIndex { FoldedName(token: SQLTokens($0[0].text).texts[0]) == column }
  }

  /// `[CONSTRAINT x] PRIMARY KEY [(…)] [ASC | DESC] [ON CONFLICT x] [AUTOINCREMENT]`
  private mutating func removePrimaryKey(from index: Int) {
    let words = elements[index].map(\.lowercased)
    guard var start = Self.find(["primary", "key"], in: words) else { return }
    var end = start + 2
    if start >= 2, words[start - 2] == "constraint" { start -= 2 }
    if end < words.count, words[end] == "(" { end = (words[end...].firstIndex(of: ")") ?? words.count - 1) + 1 }
    if end < words.count, ["asc", "desc"].contains(words[end]) { end += 1 }
    if end + 1 < words.count, words[end] == "on", words[end + 1] == "conflict" { end = min(end + 3, words.count) }
    if end < words.count, words[end] == "autoincrement" { end += 1 }
    elements[index].removeSubrange(start..<end)
  }

  private mutating func removeNotNull(from column: FoldedName) {
    guard let place = place(of: column) else { return }
    let words = elements[place].map(\.lowercased)
    guard let start = Self.find(["not", "null"], in: words) else { return }
    let hasConflict = start + 4 < words.count && words[start + 2] == "on" && words[start + 3] == "conflict"
    elements[place].removeSubrange(start..<start + (hasConflict ? 5 : 2))
  }

  /// Outside of parentheses, where `CHECK (x IS NOT NULL)` is something else.
  private static func find(_ pair: [String], in words: [String]) -> Int? {
    var depth = 0
    for place in words.indices {
      if words[place] == "(" { depth += 1 }
      if words[place] == ")" { depth -= 1 }
      if depth == 0, place + 1 < words.count, words[place] == pair[0], words[place + 1] == pair[1] { return place }
    }
    return nil
  }
}
