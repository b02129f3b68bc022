"""Values and models as other programs read them: tables.py ANECHOIC DATABASE

CSV and JSON by pandas and by DuckDB, both JSON schemas by jsonschema.  Prints a
row for docs/readers.md for each; a reader that is not installed is skipped with
a line that says so.  Exit status 77 if none is there."""

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile

anechoic, database = sys.argv[1:3]
docs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs")
work = tempfile.TemporaryDirectory()
tried = 0


def export(source, form):
    path = os.path.join(work.name, "x." + form)
    subprocess.run([anechoic, "export", *source, "--format", form, "-o", path],
                   check=True, stderr=subprocess.DEVNULL)
    return path


def load(name):
    global tried
    try:
        module = importlib.import_module(name)
    except ImportError:
        print(f"SKIP: no Python module {name}")
        return None
    tried += 1
    return module


def row(tool, version, name, ran, result):
    print(f"row|{tool}|{version}|{name}|{ran}|{result}")


csv = export(["--db", database], "csv")
values = export(["--db", database], "json")
n = len(json.load(open(values))["claims"])
assert n > 20, n

pandas = load("pandas")
if pandas:
    t = pandas.read_csv(csv, keep_default_na=True)
    assert len(t) == n, (len(t), n)
    for column in ("low_cycles", "high_cycles", "residual"):
        assert t[column].dtype.kind in "fi", t[column].dtype
    assert (t.low_cycles.dropna() <= t.high_cycles.dropna()).all()
    assert set(t.cpu) == set(r["cpu"] for r in json.load(open(values))["runs"])
    j = pandas.json_normalize(json.load(open(values)), "claims")
    assert len(j) == n and set(t.columns) <= set(j.columns)
    row("pandas", pandas.__version__, "csv, json", "read_csv, json_normalize",
        f"{n} rows, numbers are numbers")

duckdb = load("duckdb")
if duckdb:
    count = duckdb.sql(f"select count(*), count(low_cycles) from '{csv}' "
                       "where low_cycles is null or low_cycles <= high_cycles")
    assert count.fetchone()[0] == n
    row("DuckDB", duckdb.__version__, "csv", "select", f"{n} rows")

jsonschema = load("jsonschema")
if jsonschema:
    model = export(["--cpu", "neoverse-v2"], "model")
    measured = export(["--db", database], "model")
    for data, schema in ((values, "values"), (model, "model"),
                         (measured, "model")):
        s = json.load(open(os.path.join(docs, schema + ".schema.json")))
        jsonschema.validate(json.load(open(data)), s)
        bad = json.load(open(data))
        bad["another"] = 1
        try:
            jsonschema.validate(bad, s)
        except jsonschema.ValidationError:
            continue
        raise AssertionError("a key that the schema does not have")
    row("jsonschema", importlib.metadata.version("jsonschema"), "json, model",
        "docs/values.schema.json, docs/model.schema.json", "valid")

sys.exit(0 if tried else 77)
