#!/usr/bin/env python3
"""Answers of real APIs, kept beside the project, load whole through the mappings, with the values that are known."""
import json
import os

from checks import Checks, beside, folder, last_counts, rows

REAL = beside("INGEST_REAL", "real")


def load(checks, where, body, mapping):
    database = os.path.join(where, f"{mapping}.db")
    for time in ("first", "second"):
        checks.run("load", body, "--config", f"mappings/{mapping}.yaml", "--store", f"sqlite:{database}")
        (received, inserted, updated, unchanged, rejected), = last_counts(database).values() or [(0,) * 5]
        wanted = (received, 0, 0, 0) if time == "first" else (0, 0, received, 0)
        checks.equal(f"{mapping}: counts of the {time} load", (inserted, updated, unchanged, rejected), wanted)
    return database


def candles(checks, where, body):
    database = load(checks, where, body, "kraken")
    checks.equal("candles", rows(database, "select count(*) from candles"), [(720,)])
    checks.equal(
        "the first candle", rows(
            database, 'select strftime(\'%s\', "time"), open, volume, trades from candles order by "time" limit 1'),
        [("1502402520", "3449.992", "1.01200000", 7)])
    with open(body, encoding="utf-8") as file:
        wanted = [tuple(row[1:]) for row in json.load(file)["result"]["XXBTZUSD"]]
    got = rows(database, 'select open, high, low, close, vwap, volume, trades from candles order by "time"')
    checks.expect("every candle has its values, digit for digit", got == wanted)


def quakes(checks, where, body):
    database = load(checks, where, body, "usgs-quakes")
    checks.equal("quakes", rows(database, "select count(*) from quakes"), [(201,)])
    checks.equal(
        "a quake", rows(database, "select magnitude, at, longitude from quakes where id = 'ci37513759'"),
        [(1.49, "2016-10-29 18:55:34.39", -116.9843333)])
    checks.equal("its offset is negative", rows(
        database, "select utc_offset_minutes from quakes where id = 'ci37513759'"), [(-420,)])
    with open(body, encoding="utf-8") as file:
        features = json.load(file)["features"]
    wanted = sorted(
        (f["id"], *(f["properties"][name] for name in ("mag", "place", "sig")), *f["geometry"]["coordinates"])
        for f in features)
    got = rows(
        database, "select id, magnitude, place, significance, longitude, latitude, depth_km from quakes order by id")
    checks.expect("every quake has its values", got == wanted)


def main():
    checks = Checks("real-bodies")
    with folder() as where:
        for name, check in (("kraken-ohlc.json", candles), ("usgs-quakes.geojson", quakes)):
            body = os.path.join(REAL, name)
            if os.path.exists(body):
                check(checks, where, body)
            else:
                checks.skip(f"{name} is not beside the project (INGEST_REAL)")
    checks.finish()


main()
