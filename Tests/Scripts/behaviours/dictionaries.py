"""Objects whose members' names are data: dictionaries keyed by an id or a name."""
from table import case, load, not_applicable

case(
    87, "each member of a dictionary is a row, its name a column", """
records:
  User: {table: users, key: login, fields: {login: $key, id: id}}
endpoints: {all: {path: /all, records: {users.*: User}}}
""", load('{"users": {"ada": {"id": 31}, "b.c d": {"id": 7}, "": {"id": 8}}}', tables={
        "users": ["login id", ("ada", 31), ("b.c d", 7), ("", 8)]}))
case(
    88, "what is nested in a member of a dictionary belongs to that member's row", """
records:
  User: {table: users, key: login, fields: {login: $key, id: id}, relationships: {profile: Profile}}
  Profile: {fields: [motto]}
endpoints: {all: {path: /all, records: {users.*: User}}}
""", load('{"users": {"ada": {"id": 1, "profile": {"motto": "x"}}, "bob": {"id": 2, "profile": {"motto": "y"}}}}',
          tables={"users": ["login id", ("ada", 1), ("bob", 2)],
                  "user_profile": ["user_login motto", ("ada", "x"), ("bob", "y")]}))
case(
    89, "a list of groups, each with a dictionary of users, links each group to its own", """
records:
  Group: {table: groups, key: name, fields: [name], relationships: {users: {record: [User], from: users.*}}}
  User: {table: users, key: login, fields: {login: $key, age: age}}
""", load('[{"name": "g", "users": {"ada": {"age": 1}, "bob": {"age": 2}}}, {"name": "h", "users": {"bob": {}}}]',
          tables={"users": ["login age", ("ada", 1), ("bob", 2)],
                  "group_users": ["group_name user_login position", ("g", "ada", 0), ("g", "bob", 1), ("h", "bob", 0)]
                  }))
case(
    90, "a row is found again by its name in the dictionary", """
records:
  User: {table: users, key: login, fields: {login: $key, id: , note: }}
endpoints: {all: {path: /all, records: {"*": User}}}
""",
    load('{"ada": {"id": "4711", "note": "n"}}'),
    load('{"ada": {"id": "999"}}', counts={"User": "1 updated"},
         tables={"users": ["login id note", ("ada", "999", "n")]}))
case(
    91, "a row is found again by an id within, whatever its name in the dictionary", """
records:
  User: {table: users, key: id, fields: {login: $key, id: {type: integer}, note: }}
endpoints: {all: {path: /all, records: {users.*: User}}}
""", load('{"users": {"ada": {"id": "4711", "note": "n"}}}'),
    load('{"users": {"adele": {"id": 4711}}}', counts={"User": "1 updated"},
         tables={"users": ["login id note", ("adele", 4711, "n")]}))
case(
    92, "the name and an id within may be the key together, in either order", """
records:
  User: {table: users, key: [id, login], fields: {login: $key, id: , note: }}
  Guest: {table: guests, key: [login, id], fields: {login: $key, id: , note: }}
endpoints: {all: {path: /all, records: {users.*: User, guests.*: Guest}}}
""", load('{"users": {"ada": {"id": 1, "note": "n"}}, "guests": {"ada": {"id": 1, "note": "n"}}}'),
    load('{"users": {"ada": {"id": 1}, "bob": {"id": 1}}, "guests": {"ada": {"id": 1}, "bob": {"id": 1}}}',
         counts={"User": "1 inserted, 1 unchanged", "Guest": "1 inserted, 1 unchanged"}, tables={
             "users": ["login id note", ("ada", 1, "n"), ("bob", 1, None)],
             "guests": ["login id note", ("ada", 1, "n"), ("bob", 1, None)]}))
not_applicable(93, "it writes objects back to the API; `ingest` reads only")
