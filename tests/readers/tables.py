"""Values and models as other programs read them: tables.py ANECHOIC DATABASE

CSV and JSON by pandas and by DuckDB, both JSON schemas by jsonschema.  Prints a
row for table.sh for each; a reader that is not installed is skipped with
a line that says so.  Exit status 77 if none is there."""

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile

anechoic, database = sys.argv[1:3]
schemas = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib/schema")
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

# DuckDB's Node package, in a folder below which npm has installed it.
NODE = """
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const c = await (await DuckDBInstance.create(':memory:')).connect();
  const rows = await c.runAndReadAll(process.argv[1]);
  console.log(JSON.stringify(rows.getRows(), (k, v) =>
    typeof v === 'bigint' ? Number(v) : v));
})();
"""
QUERY = f"""select (select version()), count(*), count(low_cycles),
typeof(any_value(low_cycles)), count(distinct cpu),
(select len(claims) from read_json('{values}', maximum_object_size=1000000000))
from '{csv}' where low_cycles is null or low_cycles <= high_cycles"""
folder = os.environ.get("ANECHOIC_DUCKDB")
if folder:
    tried += 1
    found = json.loads(subprocess.run(
        ["node", "-e", NODE, QUERY], cwd=folder, check=True,
        stdout=subprocess.PIPE).stdout)[0]
else:
    duckdb = load("duckdb")
    found = duckdb and duckdb.sql(QUERY).fetchone()
if found:
    with_value = sum("low_cycles" in c and c["low_cycles"] is not None
                     for c in json.load(open(values))["claims"])
    assert found[3] in ("DOUBLE", "BIGINT"), found
    assert (*found[1:3], *found[4:]) == (n, with_value, 1, n), found
    row("DuckDB", found[0], "csv, json", "select, read_json",
        f"{n} rows, numbers are numbers")

jsonschema = load("jsonschema")
if jsonschema:
    model = export(["--cpu", "neoverse-v2"], "model")
    measured = export(["--db", database], "model")
    for data, schema in ((values, "values"), (model, "model"),
                         (measured, "model")):
        s = json.load(open(os.path.join(schemas, schema + ".schema.json")))
        jsonschema.validate(json.load(open(data)), s)
        bad = json.load(open(data))
        bad["another"] = 1
        try:
            jsonschema.validate(bad, s)
        except jsonschema.ValidationError:
            continue
        raise AssertionError("a key that the schema does not have")
    row("jsonschema", importlib.metadata.version("jsonschema"), "json, model",
        "values.schema.json, model.schema.json", "valid")

sys.exit(0 if tried else 77)
