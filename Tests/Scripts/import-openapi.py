#!/usr/bin/env python3
"""What `ingest import openapi` drafts is valid, takes what its description describes, and says what it leaves out."""
import json
import os
import random
import re
import subprocess

from checks import INGEST, Checks, beside, folder, indented, rows

SEEDS = int(os.environ.get("INGEST_SEEDS", "60"))

SWAGGER = """\
swagger: '2.0'
info: {title: Boat Yard, version: '1'}
host: yard.example.test
basePath: /v2/
schemes: [http, https]
produces: [application/json]
securityDefinitions:
  login: {type: basic}
security: [{login: []}]
parameters:
  Since: {name: since, in: query, type: string, format: date, required: true}
paths:
  /boats:
    get:
      operationId: listBoats
      summary: All boats. And more.
      parameters:
        - {$ref: '#/parameters/Since'}
        - {name: offset, in: query, type: integer}
        - {name: limit, in: query, type: integer, default: 50}
        - {name: sort, in: query, type: string, default: name}
        - {name: colour, in: query, type: string}
      responses:
        200: {description: ok, schema: {type: array, items: {$ref: '#/definitions/Boat'}}}
  /boats/{boat-id}:
    get:
      responses: {200: {description: ok, schema: {$ref: '#/definitions/Boat'}}}
    put:
      responses: {200: {description: ok, schema: {$ref: '#/definitions/Boat'}}}
  /boats/{other}:
    get:
      responses: {200: {description: ok, schema: {$ref: '#/definitions/Boat'}}}
  /report.{format}:
    get:
      responses: {200: {description: ok, schema: {type: object}}}
  /picture:
    get:
      produces: [image/png]
      responses: {200: {description: ok, schema: {type: file}}}
definitions:
  Boat:
    type: object
    description: A boat of the yard.
    required: [id, name]
    properties:
      id: {type: integer, format: int64}
      name: {type: string, description: As it is painted. In capitals.}
      length: {type: number}
      built: {type: string, format: date}
      seen: {type: string, format: date-time}
      secret: {type: string, writeOnly: true}
      berth: {type: object, required: [no], properties: {no: {type: string}, depth: {type: number, format: double}}}
      tags: {type: array, items: {type: string}}
      owner: {$ref: '#/definitions/Person'}
      crew: {type: array, items: {$ref: '#/definitions/Person'}}
      parts: {type: array, items: {$ref: '#/definitions/Part'}}
      extra: {}
  Person:
    allOf:
      - {type: object, required: [id], properties: {id: {type: string, format: uuid}}}
      - {type: object, properties: {name: {type: string}, boats: {type: array, items: {$ref: '#/definitions/Boat'}}}}
  Part:
    type: object
    properties:
      label: {type: string}
      parts: {type: array, items: {$ref: '#/definitions/Part'}}
"""

BOATS = [{
    "id": 7, "name": "Lark", "length": 7.25, "built": "1998-05-01", "seen": "2024-05-01T10:00:00+02:00", "secret": "x",
    "berth": {"no": "B7", "depth": 2.5}, "tags": ["red", "old"], "extra": {"a": [1]},
    "owner": {"id": "0b1c2d3e-0000-4000-8000-00000000000a", "name": "Ada"},
    "crew": [{"id": "0b1c2d3e-0000-4000-8000-00000000000b", "name": "Bo", "boats": [{"id": 8, "name": "Wren"}]}],
    "parts": [{"label": "mast", "parts": [{"label": "sail"}]}]}, {"id": 8, "name": "Wren"}]


def run(where, *arguments):
    return subprocess.run(
        [INGEST, *arguments], cwd=where, capture_output=True, text=True, errors="replace", timeout=120, check=False)


def write(where, name, value):
    with open(os.path.join(where, name), "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def drafted(checks, what, where, description, kind="openapi"):
    """Drafts and checks; gives the draft and what was said."""
    name = "api.yaml" if isinstance(description, str) else "api.json"
    write(where, name, description)
    result = run(where, "import", kind, name)
    write(where, "draft.yaml", result.stdout)
    checks.expect(f"{what}: a draft", result.returncode == 0, indented(result.stderr, 40))
    valid = run(where, "validate", "draft.yaml", "--deny-warnings")
    checks.expect(f"{what}: it is valid", valid.returncode == 0, indented(valid.stdout + result.stdout, 60))
    return result.stdout, result.stderr


def loads(checks, what, where, body, *routing):
    write(where, "body.json", body)
    result = run(where, "load", "body.json", "--config", "draft.yaml", "--store", "sqlite:out.db", *routing)
    return checks.expect(f"{what}: a body as described is loaded", result.returncode == 0, indented(result.stderr, 40))


def swagger(checks):
    with folder() as where:
        draft, said = drafted(checks, "swagger", where, SWAGGER)
        for words in (
                "base_url: https://yard.example.test/v2", "basic:", "${secret.BOAT_YARD_PASSWORD}",
                "since: {type: date}",
                'since: "${since}"', "sort: {type: text, default: name}", "by: offset, param: offset",
                "size_param: limit, size: 50", "optional parameters: colour (string)",
                "# All boats\n",
                'description: "A boat of the yard"',
                'name: {type: text, required: true, description: "As it is painted"}',
                "berth_no: {from: berth.no, type: text}", "length: {type: decimal}",
                "berth_depth: {from: berth.depth, type: real}",
                "owner: Person", "crew: [Person]", "parts: [", "method: PUT", "method: GET", "PUT is sent when",
                "for: boat-id"):
            checks.expect(f"swagger: the draft has {words!r}", words in draft, indented(draft, 90))
        for words in (
                "GET /report.{format}", "GET /boats/{other}", "GET /picture: no JSON", "contains itself",
                "nothing is described that identifies a row" if "append" in draft else "api.yaml:"):
            checks.expect(f"swagger: it is said: {words}", words in said, indented(said))
        checks.expect("swagger: what is written alone is left out", "secret:" not in draft.split("records:")[1], draft)
        checks.expect("swagger: places have lines", re.search(r"^api\.yaml:\d+: ", said, re.M), said)
        if loads(checks, "swagger", where, BOATS, "--path", "/boats"):
            database = os.path.join(where, "out.db")
            checks.equal("swagger: boats", rows(
                database, "select id, name, length, built, seen, berth_no, owner_id, extra from boat order by id"), [
                    (7, "Lark", "7.25", "1998-05-01", "2024-05-01 08:00:00", "B7",
                     "0b1c2d3e-0000-4000-8000-00000000000a", '{"a":[1]}'),
                    (8, "Wren", None, None, None, None, None, None)])
            checks.equal("swagger: parts", rows(database, "select label, parts from boat_parts"),
                         [("mast", '[{"label":"sail"}]')])
            checks.equal("swagger: people", rows(database, "select name from person order by name"), [("Ada",),
                ("Bo",)])
        loads(checks, "swagger, one boat", where, BOATS[0], "--path", "/boats/7")
        result = run(where, "load", "body.json", "--config", "draft.yaml", "--store", "sqlite:o.db", "--path",
            "/boats/7",
                     "--method", "PUT")
        checks.equal("swagger: the route of PUT", result.returncode, 0)


def openapi(version, **more):
    return {"openapi": version, "info": {"title": "T", "version": "1"},
        "servers": [{"url": "https://t.example.test"}], **more}


def answer(schema, **more):
    return {"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}, **more}


def newer(checks):
    """What differs in OpenAPI 3: servers with variables, flows, types in lists, choices, dictionaries, cursors."""
    description = openapi(
        "3.1.0", security=[{"flow": ["read"]}, {"key": []}], webhooks={"x": {}},
        paths={
            "/things": {"get": answer({"type": "object", "properties": {
                "data": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}},
                "next_cursor": {"type": ["string", "null"]}, "has_more": {"type": "boolean"}}}, parameters=[
                    {"name": "cursor", "in": "query", "schema": {"type": "string"}},
                    {"name": "X-Version", "in": "header", "schema": {"type": "string", "default": "2024-01-01"}},
                    {"name": "X-Api-Token", "in": "header", "required": True, "schema": {"type": "string"}},
                    {"name": "ids", "in": "query", "schema": {"type": "array", "default": [1, 2]}},
                    {"name": "odd", "in": "query", "schema": {"type": "string", "default": "a ${b}"}},
                    {"name": "odd ${x}", "in": "query", "schema": {"type": "string", "default": "a"}}])},
            "/rates": {"get": answer({"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Rate"}},
                                     security=[])},
            "/texts": {"get": answer({"type": "array", "items": {"type": "string"}})},
            "/lost": {"$ref": "other.json#/x"},
            "/free": {"get": answer({"type": "object"})},
            "/self": {"get": answer({"$ref": "#/components/schemas/Self"})}},
        components={
            "securitySchemes": {
                "flow": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://t.example.test/token",
                                                                           "scopes": {"read": ""}}}},
                "key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
            "schemas": {
                "Thing": {"type": "object", "required": ["id", "kind"], "properties": {
                    "id": {"type": "string"}, "kind": {"enum": ["a", "b", None]},
                    "parent": {"$ref": "#/components/schemas/Thing"},
                    "size": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
                    "shape": {"oneOf": [{"type": "object", "properties": {"r": {"type": "number"}}},
                                        {"type": "array", "items": {}}]},
                    "maybe": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
                    "by_day": {"type": "object", "additionalProperties": {"type": "object",
                    "properties": {"n": {"type": "integer"}}}},
                    "flags": {"type": "object", "additionalProperties": {"type": "boolean"}}}},
                "Rate": {"type": "object", "properties": {"value": {"type": "number"}}},
                "Self": {"allOf": [{"$ref": "#/components/schemas/Self"}, {"type": "object", "properties": {
                    "child": {"$ref": "#/components/schemas/Self"}, "id": {"type": "integer"}}}]}}})
    with folder() as where:
        draft, said = drafted(checks, "3.1", where, description)
        for words in (
                "grant: client_credentials", "scope: read", "by: cursor, param: cursor, from: next_cursor",
                "parent: Thing",
                "size: {type: any}", "maybe: {type: date}", "by_day.*", "flags: {type: json}",
                '"*": ', 'ids: ["1", "2"]', "2024-01-01", "shape: {type: json}", "child: {type: json}"):
            checks.expect(f"3.1: the draft has {words!r}", words in draft, indented(draft, 90))
        for words in ("webhooks", "/lost", "GET /free", "X-Api-Token", "odd ${x}", "'key' would do",
            "needs no authorization",
                      "one of several schemas"):
            checks.expect(f"3.1: it is said: {words}", words in said, indented(said))
        loads(checks, "3.1", where, {"data": [{"id": "x", "kind": "a", "size": "7", "shape": [1], "maybe": None,
            "parent": {
            "id": "y", "kind": "b"}, "by_day": {"mon": {"n": 1}}, "flags": {"a": True}}]}, "--path", "/things")
        loads(checks, "3.1", where, {"EUR": {"value": 1.1}}, "--path", "/rates")
        loads(checks, "3.1", where, ["a", "b"], "--path", "/texts")


def every_parameter(checks):
    """Each parameter is sent, stands in a comment, or is named in the report; a header that is needed is no fault."""
    item = {"type": "object", "properties": {"id": {"type": "integer"}}}
    text = {"type": "string"}
    number = {"type": "integer"}
    parameters = [
        {"name": "cursor", "in": "query", "schema": text},
        {"name": "limit", "in": "query", "schema": {"type": "integer", "default": 2}},
        {"name": "offset", "in": "query", "schema": number}, {"name": "page", "in": "query", "schema": number},
        {"name": "since", "in": "query", "required": True, "schema": {"type": "string", "format": "date"}},
        {"name": "colour", "in": "query", "schema": text},
        {"name": "X-Tenant", "in": "header", "required": True, "schema": text},
        {"name": "X-Trace", "in": "header", "schema": text}, {"name": "Authorization", "in": "header", "schema": text},
        {"name": "X-Session-Token", "in": "header", "required": True, "schema": text},
        {"name": "theme", "in": "cookie", "schema": text},
        {"name": "sid", "in": "cookie", "required": True, "schema": text},
    ]
    envelopes = {
        "alone": item, "listed": {"type": "array", "items": item},
        "wrapped": {"type": "object", "properties": {
            "ok": {"type": "boolean"}, "generated_at": {"type": "string", "format": "date-time"},
            "served_by": text, "data": {"type": "object", "properties": {"boats": {"type": "array", "items": item}}},
            "paging": {"type": "object", "properties": {"next_cursor": text, "has_more": {"type": "boolean"}}}}},
    }
    for name, schema in envelopes.items():
        for left_out in [None, "page", "offset", "cursor"]:
            own = [parameter for parameter in parameters if parameter["name"] != left_out]
            if left_out == "offset":
                own = [parameter for parameter in own if parameter["name"] != "page"]
            what = f"{name} without {left_out}"
            with folder() as where:
                draft, said = drafted(checks, what, where, openapi(
                    "3.0.0", paths={"/boats": {"get": {"parameters": own, **answer(schema)}}}))
                for parameter in own:
                    checks.expect(f"{what}: '{parameter['name']}' is carried over, or named",
                                  parameter["name"] in draft + said, indented(draft + said, 60))
                if name == "wrapped":
                    checks.expect(f"{what}: the list is the place", "records: {data.boats: Boat}" in draft, draft)
                    checks.expect(f"{what}: the envelope is named",
                        "not carried over: ok, generated_at, served_by" in draft, draft)


def refusals(checks):
    with folder() as where:
        for name, text, words in (
                ("no.json", "{}", "no OpenAPI document"), ("old.yaml", "swagger: '1.2'", "version 1.2"),
                ("broken.json", '{"openapi": ', "line 1"), ("broken.yaml", "openapi: [", "yaml")):
            write(where, name, text)
            result = run(where, "import", "openapi", name)
            checks.expect(f"{name} is refused", result.returncode == 1 and words in result.stderr and not result.stdout,
                          f"{result.returncode} {result.stderr}")
        checks.equal("no file", run(where, "import", "openapi", "gone.json").returncode, 2)
        result = run(where, "import", "opnapi", "no.json")
        checks.expect("a kind that is none", result.returncode == 2 and "did you mean 'openapi'" in result.stderr)


class Descriptions:
    """Descriptions with schemas of every shape, and bodies that they describe."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = [f"C{number}" for number in range(self.random.randrange(2, 7))]
        self.components = {}
        for name in self.names:
            self.components[name] = self.object(3)

    def name(self):
        return self.random.choice([
            "id", "name", "user_id", "key", "position", "x y", "a.b", "$ref2", "owner", "owner_id", "items", "data",
            "tags",
            "Name", "type", "value", "parent", "on", "null", "créé", "_id", "first-name", "0", "${x}"])

    def schema(self, depth):
        dice = self.random.random()
        if dice < 0.45 or depth <= 0:
            return self.random.choice([
                {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "boolean"},
                {"type": "string", "format": "date"}, {"type": "string", "format": "date-time"},
                {"type": "string", "format": "uuid"}, {"type": "number", "format": "double"}, {},
                {"type": "string", "nullable": True}, {"enum": ["a", "b"]}, {"type": ["integer", "null"]},
                {"oneOf": [{"type": "integer"}, {"type": "string"}]}])
        if dice < 0.6:
            return {"$ref": f"#/components/schemas/{self.random.choice(self.names)}"}
        if dice < 0.75:
            return {"type": "array", "items": self.schema(depth - 1)}
        if dice < 0.82:
            return {"type": "object", "additionalProperties": self.schema(depth - 1)}
        if dice < 0.9:
            return {"allOf": [{"$ref": f"#/components/schemas/{self.random.choice(self.names)}"},
                self.object(depth - 1)]}
        return self.object(depth - 1)

    def object(self, depth):
        properties = {self.name(): self.schema(depth) for _ in range(self.random.randrange(1, 7))}
        if self.random.random() < 0.5:
            properties["id"] = {"type": self.random.choice(["integer", "string"])}
        required = [name for name in properties if self.random.random() < 0.3]
        if "id" in properties and self.random.random() < 0.7:
            required = list({*required, "id"})
        return {"type": "object", "properties": properties, **({"required": required} if required else {})}

    def description(self):
        paths = {}
        for number in range(self.random.randrange(1, 4)):
            schema = self.schema(3)
            if self.random.random() < 0.5:
                schema = {"type": "object", "properties": {"result": {"type": "array", "items": schema}}}
            paths[f"/p{number}"] = {"get": answer(schema)}
        return openapi("3.0.3", paths=paths, components={"schemas": self.components})

    def merged(self, schema):
        """Properties and required names of an object, all parts together."""
        if "$ref" in schema:
            return self.merged(self.components[schema["$ref"].rsplit("/", 1)[1]])
        properties, required = dict(schema.get("properties", {})), set(schema.get("required", []))
        for part in schema.get("allOf", []):
            more, needed = self.merged(part)
            for name, value in more.items():
                properties.setdefault(name, value)
            required |= needed
        return properties, required

    def body(self, schema, depth):
        """Nothing, where it would go on for ever."""
        if "$ref" in schema or "allOf" in schema or "properties" in schema:
            properties, required = self.merged(schema)
            value = {}
            for name, part in properties.items():
                if name not in required and (depth <= 0 or self.random.random() < 0.3) and name != "id":
                    continue
                if depth < -6:
                    raise RecursionError
                value[name] = self.body(part, depth - 1)
            return value
        if "additionalProperties" in schema:
            return {name: self.body(schema["additionalProperties"], depth - 1) for name in ("mon", "tue") if depth > 0}
        if "items" in schema:
            return [self.body(schema["items"], depth - 1) for _ in range(2)] if depth > 0 else []
        if "enum" in schema:
            return "a"
        if "oneOf" in schema:
            return self.random.choice([7, "x"])
        kind, form = schema.get("type"), schema.get("format")
        if isinstance(kind, list):
            return self.random.choice([None, 5])
        if kind == "string":
            if schema.get("nullable") and self.random.random() < 0.5:
                return None
            return {"date": "2024-02-29", "date-time": "2024-02-29T10:00:00Z",
                    "uuid": "0b1c2d3e-0000-4000-8000-00000000000a"}.get(form, f"t{self.random.randrange(10**9)}")
        return {"integer": self.random.randrange(10**12), "number": 1.25, "boolean": True}.get(kind, {"free": 1})


def generated(checks):
    for seed in range(SEEDS):
        made = Descriptions(seed)
        description = made.description()
        with folder() as where:
            write(where, "api.json", description)
            result = run(where, "import", "openapi", "api.json")
            if result.returncode == 1:
                left = all(f"GET {path}: its answer has no members" in result.stderr for path in description["paths"])
                checks.expect(
                    f"seed {seed}: nothing is drafted, for a reason", left and not result.stdout, result.stderr)
                continue
            draft, _ = drafted(checks, f"seed {seed}", where, description)
            for path, item in description["paths"].items():
                schema = item["get"]["responses"]["200"]["content"]["application/json"]["schema"]
                if f"path: {path}\n" not in draft and f"path: {path}," not in draft:
                    continue
                try:
                    body = made.body(schema, 3)
                except RecursionError:
                    continue
                if not loads(checks, f"seed {seed}, {path}", where, body, "--path", path):
                    print(json.dumps(description)[:3000], json.dumps(body)[:1500], draft[:4000], sep="\n")


def real(checks):
    path = os.path.join(beside("INGEST_REAL", "real"), "nyt-article-search.openapi.yaml")
    if not os.path.exists(path):
        return checks.skip("the description of a real API is not there")
    with folder() as where, open(path, encoding="utf-8") as file:
        draft, _ = drafted(checks, "nyt", where, file.read())
        checks.expect("nyt: articles", "records: {response.docs: Article}" in draft, draft)
        with open(os.path.join("samples", "nyt", "articlesearch.json"), encoding="utf-8") as sample:
            body = json.load(sample)
        write(where, "body.json", body)
        result = run(where, "load", "body.json", "--config", "draft.yaml", "--store", "sqlite:out.db")
        checks.expect("nyt: a body of the API is loaded", result.returncode in (0, 3), result.stderr)
    return None


TOKEN = "x7Kp2mQ9vR4tW8zL1nB5"
WRITTEN = {
    "openapi": "3.0.3", "info": {"title": "Depot"},
    "servers": [{"url": "https://ada:Hunter2@depot.example.test/{key}/v1", "variables": {"key": {"default": "K3y-x"}}}],
    "paths": {
        "/token/T0k3n/parts\u0001": {"get": {
            "operationId": "list\u0002Parts", "summary": f"Send {TOKEN}\u0003 along\u202e.",
            "parameters": [
                {"name": "api_key", "in": "query", "required": True, "schema": {"type": "string", "default": "hunter"}},
                {"name": "trace", "in": "query", "schema": {"type": "string", "default": TOKEN}},
                {"name": "X-Trace", "in": "header", "schema": {"type": "string", "default": TOKEN}},
                {"name": "X-Odd", "in": "header", "schema": {"type": "string", "default": "a\u0001b"}},
                {"name": "sort_key", "in": "query", "schema": {"type": "string", "default": "created"}},
                {"$ref": "#/components/parameters/Nowhere"}],
            "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {
                "type": "array", "items": {"type": "object", "properties": {
                    "id": {"type": "integer", "description": f"as {TOKEN}\u0007"},
                    "na\u202eme": {"type": "string"}, "o'\"dd": {"type": "string"},
                    "far": {"$ref": "https://other.example.test/schemas.json#/Far"},
                    "other": {"$ref": "other.yaml#/Other"}, "round": {"$ref": "#/components/schemas/Round"},
                    "lost": {"$ref": "#/components/schemas/Lost"}}}}}}}}}},
        "/remote": {"get": {"responses": {"200": {"$ref": "https://other.example.test/answers.json"}}}},
        "/gone": {"get": {"responses": {"200": {"description": "ok", "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/Gone"}}}}}}},
        "/circle": {"get": {"responses": {"200": {"$ref": "#/components/responses/A"}}}},
        "/chain": {"get": {"responses": {"200": {"$ref": "#/components/responses/Chain"}}}},
        "/path": {"$ref": "paths/x.yaml"}},
    "components": {
        "responses": {"A": {"$ref": "#/components/responses/B"}, "B": {"$ref": "#/components/responses/A"},
                      "Chain": {"$ref": "./answers.yaml#/X"}},
        "schemas": {"Round": {"$ref": "#/components/schemas/Again"}, "Again": {"$ref": "#/components/schemas/Round"}}}}


def written(checks):
    """Credentials, control characters and references that lead nowhere: none is copied, each is told with its line."""
    text = json.dumps(WRITTEN, indent=1)
    lines = text.split("\n")
    with folder() as where:
        with open(os.path.join(where, "depot.json"), "w", encoding="utf-8") as file:
            file.write(text)
        result = run(where, "import", "openapi", "depot.json")
        draft, said = result.stdout, result.stderr
        with open(os.path.join(where, "draft.yaml"), "w", encoding="utf-8") as file:
            file.write(draft)
        checks.expect("written: a draft", result.returncode == 0, indented(said, 60))
        valid = run(where, "validate", "draft.yaml", "--deny-warnings")
        checks.expect("written: it is valid", valid.returncode == 0, indented(valid.stdout + draft, 90))
        for secret in ("Hunter2", "K3y-x", "T0k3n", "hunter", TOKEN, "\u202e", "\u0003", "\u0001"):
            checks.expect(f"written: {secret!r} is not copied", secret not in draft + said, indented(draft + said, 90))
        for words in ('base_url: "https://depot.example.test/${secret.DEPOT_KEY}/v1"',
                      "/token/${secret.DEPOT_TOKEN}/parts%01",
                      'api_key: "${secret.DEPOT_API_KEY}"', 'trace: "${secret.DEPOT_TRACE}"',
                      'X-Trace: "${secret.DEPOT_X_TRACE}"', "sort_key: {type: text, default: created}"):
            checks.expect(f"written: the draft has {words!r}", words in draft, indented(draft, 90))

        def line(words):
            return next(number for number, line in enumerate(lines, 1) if words in line)

        elsewhere = "is not followed: it leads to another file"
        server = "is not followed: it leads to a server, and nothing is fetched"
        for words, near, why in (
                ("other.example.test/schemas.json#/Far", -1, server), ("other.yaml#/Other", -1, elsewhere),
                ("#/components/parameters/Nowhere", -1, "the file has nothing at its reference"),
                ("#/components/schemas/Lost", -1, "the file has nothing at its reference"),
                ("#/components/schemas/Gone", None, "the file has nothing at its reference"),
                ("https://other.example.test/answers.json", -1, server), ("paths/x.yaml", -1, elsewhere),
                ("#/components/responses/A", None, "leads in a circle"), ("./answers.yaml#/X", None, elsewhere)):
            told = [row for row in said.split("\n") if words in row and why in row]
            checks.expect(f"written: {words}: {why}", told, indented(said, 60))
            if near is not None:
                place = f"depot.json:{line(words) + near}:"
                checks.expect(f"written: {words}: {place}", any(place in row for row in told), told)
        checks.expect("written: a circle of schemas is told of", "schemas/Round' leads in a circle" in said
                      or "schemas/Again' leads in a circle" in said, indented(said, 60))


def main():
    checks = Checks("import-openapi")
    swagger(checks)
    newer(checks)
    every_parameter(checks)
    refusals(checks)
    real(checks)
    generated(checks)
    written(checks)
    checks.finish()


if __name__ == "__main__":
    main()
