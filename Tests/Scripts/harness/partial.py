"""A walk that ends at a bound, with an error or at an ignored answer has not seen everything, and deletes nothing."""
import os

from checks import rows
from server import answer, serving

MAPPING = """\
ingest: 1
source: {name: partial, base_url: "%s", retry: {attempts: 1}}
records:
  Row: {table: rows, key: id, sweep: {max_delete: 100%%}, fields: [{id: {type: integer}}]}
endpoints:
  rows:
    path: /rows
    records: {rows: Row}
    paginate: {by: page, param: page, start: 1, total_pages: pages}
    errors:
      - {status: 404, action: ignore}
"""
# what the second page answers, further arguments, and the exit code
CASES = {
    "a bound on pages": (200, ["--max-pages", "1"], 0),
    "an error": (500, [], 1),
    "an answer that is ignored": (404, [], 0),
}


def check(checks, where, options):
    for index, (what, (status, arguments, code)) in enumerate(CASES.items()):
        state = {"status": 200, "rows": [1, 2, 3, 4]}

        def respond(request, state=state):
            page = int(request.query["page"])
            if page > 1 and state["status"] != 200:
                return answer({"message": "not now"}, state["status"])
            return answer({"rows": [{"id": n} for n in state["rows"][page * 2 - 2:page * 2]], "pages": 2})

        with serving(respond) as server:
            config, database = f"partial-{index}.yaml", os.path.join(where, f"partial-{index}.db")
            with open(os.path.join(where, config), "w", encoding="utf-8") as out:
                out.write(MAPPING % server.url)

            def run(*more, exit_code=0, config=config, database=database):
                checks.run(
                    "--config", config, "--store", f"sqlite:{database}", "--full", *more, cwd=where,
                    exit_code=exit_code, timeout=60)

            run()
            state["status"] = status
            run(*arguments, exit_code=code)
            held = rows(database, "select id from rows order by id")
            checks.equal(f"partial: after {what} every row is there", held, [(1,), (2,), (3,), (4,)])
            state.update(status=200, rows=[1, 2, 3])
            run()
            held = rows(database, "select id from rows order by id")
            checks.equal(f"partial: {what}: the whole walk after it sweeps", held, [(1,), (2,), (3,)])
