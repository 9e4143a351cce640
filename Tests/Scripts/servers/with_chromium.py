#!/usr/bin/env python3
"""Chromium, headless, looks at Datasette over the shipped sample: rows, and what `ingest schema` says."""
import os
import shutil
import subprocess

from running import PYTHON, ROOT, Run, free_port, installed, main, started, write
from checks import rows

BROWSER = shutil.which("chromium") or "/usr/bin/chromium"
OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--no-proxy-server",
    # Nothing but the server of this test is asked.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


def page(checks, where, url):
    """The page as the browser has it when all of it is loaded."""
    home = os.path.join(where, "browser")
    result = subprocess.run(
        [BROWSER, *OPTIONS, f"--user-data-dir={home}", "--timeout=20000", "--dump-dom", url], cwd=where, text=True,
        env={**os.environ, "HOME": where}, capture_output=True, errors="replace", timeout=120, check=False)
    checks.expect(f"the browser shows {url}", result.returncode == 0 and "</html>" in result.stdout,
        result.stderr[-2000:])
    return result.stdout


def check(checks, where):
    if not os.path.exists(installed("python", "bin", "datasette")):
        return checks.skip("Datasette is not there; 'make deps' sets it up")
    mapping = os.path.join(ROOT, "mappings", "nyt.yaml")
    described = os.path.join(where, "nyt.yaml")
    with open(mapping, encoding="utf-8") as file:
        text = file.read().replace("table: articles\n", "table: articles\n    description: Articles <as found>\n")
    write(where, "nyt.yaml", text)
    database = os.path.join(where, "nyt.db")
    checks.run("run", described, "--recorded", os.path.join(ROOT, "samples/nyt/recorded"), "--store",
        f"sqlite:{database}",
               cwd=where, env={"NYT_API_KEY": None})
    told = checks.run("schema", "--config", described, "--format", "datasette", "--store", f"sqlite:{database}",
        cwd=where)
    metadata = write(where, "metadata.json", told.stdout)
    port = free_port()
    command = [PYTHON, "-m", "datasette", "serve", database, "-h", "127.0.0.1", "-p", str(port), "--metadata",
        metadata]
    with started(command, where, port):
        articles = page(checks, where, f"http://127.0.0.1:{port}/nyt/articles")
        (headline,) = rows(database, "select headline from articles order by id limit 1")[0],
        checks.expect("a headline of the sample is shown", str(headline[0]).split("\u2019")[0] in articles,
            articles[:2000])
        checks.expect("the number of rows is shown", "25 rows" in articles, articles[:2000])
        checks.expect("the description is shown", "Articles &lt;as found&gt;" in articles, articles[:2000])
        keywords = page(checks, where, f"http://127.0.0.1:{port}/nyt/article_keywords")
        checks.expect("a column of few values is a facet",
            'data-column="is_major"' in keywords and "facet-info" in keywords,
                      keywords[:2000])
        front = page(checks, where, f"http://127.0.0.1:{port}/")
        checks.expect("the title is the source", ">nyt</h1>" in front.replace("\n", ""), front[:2000])
        tables = page(checks, where, f"http://127.0.0.1:{port}/nyt")
        checks.expect("the bookkeeping is hidden", "_ingest_runs" not in tables and "hidden tables" in tables,
            tables[:3000])


main("chromium", BROWSER, check)
