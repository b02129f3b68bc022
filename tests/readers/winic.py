"""Exported values in WINIC's own analysis: winic.py ANECHOIC DATABASE

ANECHOIC_WINIC names WINIC's folder, with `analysis` in it and the file that
`analysis.cli setup --step dump` makes there.  What its commands stat, db-diff
and compare run reads the export; stat counts as many values as the export has,
db-diff with itself finds no difference, and compare finds the values of the same
database's export for uops.info the same.  WINIC's own data, where the folder has
them, are imported.  Prints rows for table.sh.  Exit status 77 without
WINIC."""

import contextlib
import glob
import importlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

anechoic, database = sys.argv[1:3]
folder = os.environ.get("ANECHOIC_WINIC")
if not folder:
    print("SKIP: ANECHOIC_WINIC does not name WINIC's folder")
    sys.exit(77)
work = tempfile.TemporaryDirectory()
analysis = os.path.join(work.name, "analysis")
tables = os.path.join(analysis, "reference-files")


def row(*columns):
    print("row|WINIC||" + "|".join(columns))


def export(form, *source):
    path = os.path.join(work.name, "x." + form)
    subprocess.run([anechoic, "export", *source, "--format", form, "-o", path],
                   check=True, stderr=subprocess.DEVNULL)
    return path


def copy_analysis():
    """Its commands write beside its sources.  Is it whole?"""
    dump = os.path.join(folder, "analysis/reference-files/X86.json")
    if not os.path.exists(dump):
        print(f"SKIP: no {dump}: analysis.cli setup makes it")
        return False
    os.mkdir(analysis)
    for path in glob.glob(os.path.join(folder, "analysis/*.py")):
        shutil.copy(path, analysis)
    os.mkdir(tables)
    os.symlink(os.path.abspath(dump), os.path.join(tables, "X86.json"))
    sys.path.insert(0, work.name)
    return True


def load(name):
    try:
        return importlib.import_module("analysis." + name)
    except (ImportError, SyntaxError) as e:
        print(f"SKIP: WINIC's {name} with Python "
              f"{sys.version.split()[0]}: {e}")
        return None


def told(function, *words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        function(*words)
    return out.getvalue()


def number(text, words):
    return int(re.search(rf"(\d+) {words}", text)[1])


def try_stat(path, name):
    """As many values as the export has where WINIC looks for them."""
    statistics = load("statistics")
    if not statistics:
        return
    import yaml
    entries = yaml.safe_load(open(path))
    names = [i["llvmName"] for i in entries]
    assert len(set(names)) == len(names)
    throughputs = sum(i["throughputMin"] is not None for i in entries)
    latencies = sum(l["latencyMin"] is not None
                    for i in entries for l in i["operandLatencies"])
    assert throughputs > 50 and latencies > 100, (throughputs, latencies)
    out = told(statistics.count_ranges, path)
    assert number(out, "total TP values") == throughputs, out
    assert number(out, "total LAT values") == latencies, out
    out = told(statistics.count_instr_different_sublatencies, path)
    assert number(out, "instructions have at least two") > 50, out
    row(name, "stat", f"{throughputs} throughputs, {latencies} latencies")


def try_compare(path, xml, name):
    comparison = load("comparison")
    if not comparison:
        return
    out = told(comparison.db_diff, path, path, "BOTH")
    assert len(re.findall(r"^0 ", out, re.M)) == 4, out
    # It knows uops.info's architectures alone; the fake board has none.
    text = open(xml).read()
    with open(os.path.join(tables, "uops.xml"), "w") as f:
        f.write(text.replace('architecture name="any"',
                             'architecture name="ZEN4"'))
    same = []
    for kind in ("tp", "lat"):
        out = told(comparison.compare, path, kind, "ZEN4")
        same.append(number(out, "values match with exactly one") +
                    number(out, "values match with multiple"))
        for words in ("values were matched with multiple",
                      "values don't match", "internal errors"):
            assert number(out, words) == 0, out
        assert same[-1] > 0.9 * number(out, "entries have values"), out
    row(name, "db-diff with itself", "no difference")
    row(name, "compare with uops of the same",
        f"{same[0]} throughputs and {same[1]} latencies the same, no other")


def try_import():
    isas = {"neoverse-v2": "aarch64", "spacemit_x60": "riscv64"}
    for cpu, isa in isas.items():
        for path in glob.glob(os.path.join(folder, "data", cpu, "*.yaml")):
            model = json.load(open(
                export("model", "--model", path, "--isa", isa)))
            found = [sum("throughput" in f for f in model["forms"]),
                     sum(len(f.get("latencies", [])) for f in model["forms"])]
            assert found[0] > 200 and found[1] > 200, (path, found)
            row(f"its data of {cpu}", "export --model",
                f"{found[0]} throughputs, {found[1]} latencies")


if copy_analysis():
    ours = export("winic", "--db", database)
    try_stat(ours, "winic of the fake board")
    try_compare(ours, export("uops", "--db", database),
                "winic of the fake board")
try_import()
