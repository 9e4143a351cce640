#!/usr/bin/env python3
"""Kinto: `Next-Page` in a header, `_since` with its last_modified, tombstones, basic authentication. The table holds
what the server holds, after the first run and after each change."""
import base64
import random

from running import Run, asked, free_port, installed, main, same, started, write
from checks import rows

COUNT = 240
INI = """\
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = %(port)d
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.userid_hmac_secret = tides
kinto.includes = kinto.plugins.accounts
kinto.account_create_principals = system.Everyone
multiauth.policies = account
multiauth.policy.account.use = kinto.plugins.accounts.authentication.AccountsAuthenticationPolicy
"""
MAPPING = """\
ingest: 1
source:
  name: harbor
  base_url: "%s"
  auth: {basic: {username: ada, password: "${secret.PASSWORD}"}}
records:
  Boat:
    table: boats
    key: id
    delete_when: {deleted: true}
    fields:
      - id: {type: text}
      - last_modified: {type: integer}
      - name: {type: text}
      - length: {type: decimal}
    relationships:
      crew: [{fields: {name: {from: ., type: text}}}]
endpoints:
  boats:
    path: /v1/buckets/harbor/collections/boats/records
    params: {_sort: last_modified, _limit: 40}
    records: {data: Boat}
    paginate: {by: next_url, from: $response.headers.next-page}
    incremental: {column: last_modified, param: _since}
"""


class Harbor:
    def __init__(self, url):
        self.url = f"{url}/v1/buckets/harbor/collections/boats/records"
        self.root = f"{url}/v1"
        self.headers = {"Authorization": "Basic " + base64.b64encode(b"ada:quince").decode()}
        self.chance = random.Random(5)

    def ask(self, url, body=None, method=None):
        status, _, value = asked(url, body, method, self.headers)
        if status >= 400:
            raise RuntimeError(f"Kinto answered {status} to {method} {url}: {value}")
        return value

    def set_up(self):
        asked(f"{self.root}/accounts/ada", {"data": {"password": "quince"}}, "PUT")
        self.ask(f"{self.root}/buckets/harbor", {}, "PUT")
        self.ask(f"{self.root}/buckets/harbor/collections/boats", {}, "PUT")
        boats = [self.boat(n) for n in range(COUNT)]
        for start in range(0, COUNT, 20):
            requests = [
                {"method": "POST", "path": "/buckets/harbor/collections/boats/records", "body": {"data": boat}}
                for boat in boats[start:start + 20]]
            self.ask(f"{self.root}/batch", {"requests": requests}, "POST")

    def boat(self, number):
        crew = self.chance.choices(["pine", "alder", "rowan"], k=self.chance.randrange(3))
        return {"name": f"boat {number}", "length": self.chance.choice([1, 2.5, 10.25]), "crew": crew}

    def held(self):
        return self.ask(self.url)["data"]

    def change(self):
        boats = self.held()
        for boat in self.chance.sample(boats, 12):
            self.ask(f"{self.url}/{boat['id']}", {"data": {"name": boat["name"] + "!", "crew": ["pine"]}}, "PATCH")
        for boat in self.chance.sample(boats, 9):
            self.ask(f"{self.url}/{boat['id']}", method="DELETE")
        for number in range(5):
            self.ask(self.url, {"data": self.boat(number)}, "POST")


def equal(checks, when, run, harbor):
    boats = harbor.held()
    text = {1: "1", 2.5: "2.5", 10.25: "10.25"}
    wanted = sorted((b["id"], b["last_modified"], b["name"], text[b["length"]]) for b in boats)
    same(checks, f"{when}: boats", rows(run.database, "select id, last_modified, name, length from boats"), wanted)
    crew = sorted((b["id"], place, name) for b in boats for place, name in enumerate(b["crew"]))
    same(checks, f"{when}: crews", rows(run.database, "select boat_id, position, name from boat_crew"), crew)


def check(checks, where):
    port = free_port()
    write(where, "kinto.ini", INI % {"port": port})
    command = [installed("python", "bin", "kinto"), "start", "--ini", "kinto.ini", "--port", str(port)]
    with started(command, where, port):
        url = f"http://127.0.0.1:{port}"
        harbor = Harbor(url)
        harbor.set_up()
        run = Run(checks, where, "kinto", MAPPING % url)
        run(exit_code=1, env={"PASSWORD": "plum-tree"})
        checks.equal("a wrong password is a failed answer", rows(
            run.database, "select distinct status from _ingest_errors"), [(401,)])
        run(env={"PASSWORD": "quince"})
        equal(checks, "at first", run, harbor)
        for turn in range(3):
            harbor.change()
            run(env={"PASSWORD": "quince"})
            equal(checks, f"after change {turn + 1}", run, harbor)
        run(env={"PASSWORD": "quince"})
        equal(checks, "at rest", run, harbor)
        checks.equal("at rest: nothing is sent again", rows(
            run.database, "select coalesce(sum(received), 0) from _ingest_counts where run_id ="
            " (select max(run_id) from _ingest_runs)"), [(0,)])


main("kinto", installed("python", "bin", "kinto"), check)
