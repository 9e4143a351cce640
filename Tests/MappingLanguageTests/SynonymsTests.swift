import Diagnostics
import Records
import Testing

// The table is nobody's business outside.
@testable import MappingLanguage

/// Names of SQL and of other tools.
struct SynonymsTests {
  private static let head = "ingest: 1\nsource: {name: a, base_url: 'https://a.example.test'}\n"
  private static let item = "records: {Item: {key: id, fields: {id: {type: integer}}}}\n"

  private func hints(_ text: String) -> [String] { Reading.text(Self.head + text).diagnostics.compactMap(\.hint) }

  @Test(arguments: [
    ("int", "integer"), ("bigint", "integer"), ("string", "text"), ("varchar(80)", "text"), ("float", "real"),
    ("number", "decimal"), ("money", "decimal"), ("numeric(10,2)", "decimal"), ("datetime", "timestamp"),
    ("timestamp with time zone", "timestamp"), ("bool", "boolean"), ("Boolean", "boolean"), ("jsonb", "json"),
    ("INT", "integer"), ("interger", "integer"), ("array<int>", "json"), ("double precision", "real"),
  ])
  func `a type of another tool leads to the one that is meant`(_ name: String, _ meant: String) {
    let field = hints("records: {Item: {key: id, fields: {id: {type: '\(name)'}}}}")
    #expect(field.contains { $0.hasPrefix("did you mean '\(meant)'?") }, "\(field)")
    let listed = hints("records: {Item: {key: id, types: {'\(name)': [id]}, fields: [id]}}")
    #expect(listed.contains { $0.hasPrefix("did you mean '\(meant)'?") }, "\(listed)")
  }

  @Test(arguments: [
    ("records: {Item: {primary_key: id, fields: {id: {type: integer}}}}", "did you mean 'key'?"),
    ("records: {Item: {id: id, fields: {id: {type: integer}}}}", "did you mean 'key'?"),
    ("records: {Item: {key: id, columns: {id: {type: integer}}}}", "did you mean 'fields'?"),
    ("records: {Item: {key: id, cursor_field: id, fields: {id: {type: integer}}}}", "did you mean 'modified'?"),
    ("records: {Item: {key: id, fields: {id: {path: a.b}}}}", "did you mean 'from'?"),
    ("records: {Item: {key: id, fields: {id: {type: integer, primary_key: true}}}}", "the record names its key"),
    ("records: {Item: {key: id, fields: {id: {type:text}}}}", "a space belongs behind the colon: 'type: …'"),
    (item + "endpoints: {i: {url: /i, records: {.: Item}}}", "did you mean 'path'?"),
    (item + "endpoints: {i: {path: /i, pagination: {by: page}, records: {.: Item}}}", "did you mean 'paginate'?"),
    (
      item + "endpoints: {i: {path: /i, paginate: {type: page, param: p, start: 1}, records: {.: Item}}}",
      "did you mean 'by'?"
    ),
    (item + "endpoints: {i: {path: /i, records: {$.data.items: Item}}}", "leave out '$.': 'data.items'"),
    (item + "endpoints: {i: {path: /i, records: {'$[0].items': Item}}}", "leave out the '$': '[0].items'"),
    (item + "endpoints: {i: {path: /i, records: {$: Item}}}", "the value itself is '.'"),
    ("records: {Item: {key: id, fields: {id: $.meta.id}}}", "leave out '$.': 'meta.id'"),
    ("tables: {Item: {key: id, fields: {id: }}}", "did you mean 'records'?"),
    (
      "records: {Item: {key: id, modified: updated, fields: {id: {type: integer}, updated_at: }}}",
      "did you mean 'updated_at'?"
    ),
    (
      "records: {Item: {key: id, modified: changed, fields: {id: {type: integer}, at: {from: meta.changed}}}}",
      "did you mean 'at'?"
    ),
    ("records: {Item: {key: id, modified: zzz, fields: {id: {type: integer}, at: }}}", "the columns are id, at"),
  ])
  func `a key or path of another tool leads to what is written here`(_ text: String, _ hint: String) {
    let found = hints(text)
    #expect(found.contains { $0.contains(hint) }, "\(found)")
  }

  @Test(arguments: [
    ("{bearer: '${secret.T}'}", "write {token: \"${secret.T}\"}"),
    ("{api_key: '${secret.T}'}", "write {header: X-Api-Key, value: \"${secret.T}\"}"),
    ("{basic: 'ada:x'}", "write {username: …"),
    ("{type: bearer, token: '${secret.T}'}", "the kind of authorization is a key"),
    ("{token: '${secret.T}'}", "it stands below 'bearer'"), ("{header: X-Key, value: '${secret.T}'}", "'api_key'"),
    ("{bearer: {token: '${HOTEL_KEY}'}}", "a secret is written '${secret.HOTEL_KEY}'"),
  ])
  func `other forms of authorization lead to the ones here`(_ auth: String, _ hint: String) {
    let text = "ingest: 1\nsource: {name: a, base_url: 'https://a.example.test', auth: \(auth)}\n\(Self.item)"
    let found = Reading.text(text).diagnostics.compactMap(\.hint)
    #expect(found.contains { $0.contains(hint) }, "\(found)")
  }

  @Test func `each name leads to something that is there, and is no name of its own`() {
    for entry in Synonyms.types {
      #expect(ColumnType(rawValue: entry.type) != nil)
      for name in entry.names { #expect(ColumnType(rawValue: name) == nil, "\(name)") }
    }
    for (kind, entries) in Synonyms.keys {
      var met: Set<String> = []
      for entry in entries {
        #expect(LanguageTable.key(entry.key, of: kind) != nil, "\(kind) has no '\(entry.key)'")
        for name in entry.names {
          #expect(LanguageTable.key(name, of: kind) == nil, "\(kind) has '\(name)' itself")
          #expect(met.insert(name).inserted, "'\(name)' twice in \(kind)")
          #expect(name.allSatisfy { $0.isLowercase || $0.isNumber }, "'\(name)' is not plain")
        }
      }
    }
    for (kind, hints) in Synonyms.hints {
      for name in hints.keys { #expect(LanguageTable.key(name, of: kind) == nil, "\(kind) has '\(name)' itself") }
    }
  }
}
