#!/usr/bin/env python3
"""Prometheus: an envelope with a status, samples as pairs of time and text, rows of a matrix, objects of free names."""
import time
import urllib.parse

from running import Run, asked, free_port, installed, main, started, write
from checks import rows

CONFIG = """\
global: {scrape_interval: 1s}
scrape_configs:
  - job_name: self
    static_configs: [{targets: ["127.0.0.1:%d"], labels: {harbor: "Port Alder"}}]
"""
MAPPING = """\
ingest: 1
source: {name: prometheus, base_url: "%(url)s/api/v1", retry: {attempts: 1}}
variables: {at: "%(at)s", from: "%(from)s", query: up}
records:
  Sample:
    table: samples
    key: [metric, labels]
    fields:
      - metric: {from: metric.__name__, type: text, default: ""}
      - labels: {from: metric, type: json}
      - at: {from: "value[0]", type: timestamp, format: epoch_s}
      - value: {from: "value[1]", type: text}         # "NaN" and "+Inf" are no numbers
      - number: {from: "value[1]", type: real, on_invalid: null}
  Series:
    table: series
    key: instance
    fields:
      - instance: {from: metric.instance, type: text}
    relationships:
      values:
        record: [{fields: [{at: {from: "[0]", type: decimal}}, {value: {from: "[1]", type: decimal}}]}]
  Metric:
    table: metrics
    key: name
    fields:
      - name: {from: $key, type: text}
      - kind: {from: "[0].type", type: text}
      - help: {from: "[0].help", type: text}
  Label:
    table: labels
    key: name
    fields: [{name: {from: ., type: text}}]
  Target:
    table: targets
    key: url
    fields:
      - url: {from: scrapeUrl, type: url}
      - health: {type: text}
      - harbor: {from: labels.harbor, type: text}
      - seconds: {from: lastScrapeDuration, type: decimal}
endpoints:
  query: {path: /query, params: {query: "${query}", time: "${at}"}, records: {data.result: Sample}}
  range:
    path: /query_range
    params: {query: scrape_samples_scraped, start: "${from}", end: "${at}", step: 1}
    records: {data.result: Series}
  metadata: {path: /metadata, records: {data.*: Metric}}
  labels: {path: /labels, records: {data: Label}}
  targets: {path: /targets, records: {data.activeTargets: Target}}
errors:
  - {when: {status: error}, message: error, code: errorType}
"""


def check(checks, where):
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    write(where, "prometheus.yml", CONFIG % port)
    command = [
        installed("root", "usr", "bin", "prometheus"), "--config.file=prometheus.yml", "--storage.tsdb.path=tsdb",
        f"--web.listen-address=127.0.0.1:{port}"]
    with started(command, where, port):
        at = scraped(url)
        run = Run(checks, where, "prometheus", MAPPING % {"url": url, "at": at, "from": at - 5})
        for query in ('{job="self"}', "up", "vector(0) / 0", "vector(1) / 0"):
            run("--endpoint", "query", "--set", f"query={query}")
            same_samples(checks, url, run, query, at)
        for endpoint in ("range", "metadata", "labels", "targets"):
            run("--endpoint", endpoint)
        same_lists(checks, url, run, at)
        result = run("--endpoint", "query", "--set", "query=up{", exit_code=1)
        checks.expect("a query that is not understood", "parse error" in result.stderr, result.stderr)
        checks.equal("its kind", rows(run.database, "select status, code from _ingest_errors"), [(400, "bad_data")])


def scraped(url):
    """Waits until Prometheus has read itself a few times; gives a time in between."""
    for _ in range(200):
        status, _, value = asked(f"{url}/api/v1/query?query=count_over_time(up[1m])")
        result = value["data"]["result"] if status == 200 else []
        if result and int(result[0]["value"][1]) >= 3:
            return int(float(result[0]["value"][0]))
        time.sleep(0.1)
    raise RuntimeError("Prometheus has not read itself")


def same_samples(checks, url, run, query, at):
    value = asked(f"{url}/api/v1/query?" + urllib.parse.urlencode({"query": query, "time": at}))[2]
    wanted = sorted((sample["metric"].get("__name__", ""), sample["value"][1]) for sample in value["data"]["result"])
    held = rows(run.database, "select metric, value from samples")
    checks.expect(f"{query}: samples", wanted and not set(wanted) - set(held), f"{sorted(set(wanted) - set(held))[:3]}")
    numbers = rows(run.database, "select value from samples where number is null")
    checks.expect(f"{query}: what is no number is null", all(text in ("NaN", "+Inf") for text, in numbers), numbers)


def same_lists(checks, url, run, at):
    value = asked(f"{url}/api/v1/query_range?query=scrape_samples_scraped&start={at - 5}&end={at}&step=1")[2]
    wanted = [(str(pair[0]), pair[1]) for pair in value["data"]["result"][0]["values"]]
    checks.equal("a matrix", rows(run.database, "select at, value from series_values order by position"), wanted)
    metrics = asked(f"{url}/api/v1/metadata")[2]["data"]
    checks.equal("metrics by name", rows(run.database, "select name, kind, help from metrics order by name"), sorted(
        (name, kinds[0]["type"], kinds[0]["help"])
        for name, kinds in metrics.items()))
    labels = asked(f"{url}/api/v1/labels")[2]["data"]
    checks.equal("labels", rows(run.database, "select name from labels order by name"), [(n,) for n in sorted(labels)])
    checks.equal("the target", rows(run.database, "select health, harbor, typeof(seconds) from targets"), [
        ("up", "Port Alder", "text")])


main("prometheus", installed("root", "usr", "bin", "prometheus"), check)
