"""Compares the tables of a store with what an API has served, and with one another."""
import datetime
import sqlite3

from changing import START

COLUMNS = {
    "boats": ["id", "name", "version"],
    "trips": ["id", "boat", "updated_at", "version", "note"],
    "events": ["id", "at", "version", "word"],
}


def stored_time(seconds):
    return (START + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S")


def as_stored(table, row):
    return tuple(stored_time(row[name]) if name in ("at", "updated_at") else row[name] for name in COLUMNS[table])


def differences(database, expected):
    """What is lost, doubled, unexpected or stale; `expected`: table → id → row."""
    found = []
    connection = sqlite3.connect(database)
    try:
        for table, wanted in expected.items():
            columns = ", ".join(f'"{name}"' for name in COLUMNS[table])
            held = connection.execute(f'select {columns} from "{table}"').fetchall()
            found += compared(table, held, {number: as_stored(table, row) for number, row in wanted.items()})
        found += stops(connection, expected["trips"])
        found += unsound(connection)
    except sqlite3.Error as error:
        found.append(f"the database: {error}")
    finally:
        connection.close()
    return found


def compared(table, held, wanted):
    numbers = [row[0] for row in held]
    lost = sorted(set(wanted) - set(numbers))
    unexpected = sorted(set(numbers) - set(wanted))
    doubled = sorted({number for number in numbers if numbers.count(number) > 1})
    stale = sorted(row[0] for row in held if row[0] in wanted and row != wanted[row[0]])
    for what, which in (("lost", lost), ("unexpected", unexpected), ("doubled", doubled), ("stale", stale)):
        if which:
            yield f"{table}: {what}: {which}"


def stops(connection, trips):
    """Lists within trips, element by element."""
    held = sorted(connection.execute("select trip_id, position, name from trip_stops").fetchall())
    wanted = sorted((n, place, name) for n, trip in trips.items() for place, name in enumerate(trip["stops"]))
    if held != wanted:
        yield f"trip_stops: {sorted(set(held) ^ set(wanted))[:6]} and {len(held)} rows in place of {len(wanted)}"


def unsound(connection):
    for check in ("integrity_check", "foreign_key_check"):
        rows = connection.execute(f"pragma {check}").fetchall()
        if rows not in ([], [("ok",)]):
            yield f"{check}: {rows[:3]}"
    unbalanced = connection.execute(
        "select run_id, record from _ingest_counts where received is not"
        " inserted + updated + unchanged + deleted + skipped + filtered + rejected").fetchall()
    if unbalanced:
        yield f"counts do not add up: {unbalanced}"


def dump(database, without=()):
    """Every table that is no bookkeeping, its rows sorted: equal for two stores that hold the same."""
    connection = sqlite3.connect(database)
    try:
        names = [name for name, in connection.execute(
            "select name from sqlite_schema where type = 'table' and name not like '\\_ingest%' escape '\\'"
            " and name not like 'sqlite\\_%' escape '\\' order by name")]
        return {
            name: sorted(
                tuple(value for value, column in zip(row, columns(connection, name)) if column not in without)
                for row in connection.execute(f'select * from "{name}"'))
            for name in names}
    finally:
        connection.close()


def columns(connection, table):
    return [row[1] for row in connection.execute(f'pragma table_info("{table}")')]


def faults(database):
    """What is wrong with a store whose last run was cut: nothing may be."""
    connection = sqlite3.connect(database)
    try:
        names = [name for name, in connection.execute("select name from sqlite_schema where name = '_ingest_counts'")]
        return list(unsound(connection)) if names else []
    except sqlite3.Error as error:
        return [f"the database: {error}"]
    finally:
        connection.close()
