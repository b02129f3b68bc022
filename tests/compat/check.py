"""check.py ANECHOIC NAME [--update]: a log or a database of an earlier version
still comes to the claims of its file.

NAME is a row of cases.cfg. A log is imported and solved again. A database is
read where it lies, which must not change it, then solved, then merged into a new
one. `--update` writes NAME's claims instead of comparing them
(tests/compat/README.md says when).
"""

import csv
import io
import lzma
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class Wrong(Exception):
    pass


def row(name):
    """(kind, version, counts) of a row of cases.cfg."""
    with open(os.path.join(HERE, "cases.cfg"), encoding="ascii") as f:
        for line in f:
            fields = line.rstrip("\n").split("|")
            if fields[0] == name:
                return fields[1], int(fields[2]), fields[3]
    raise Wrong("no row %s in cases.cfg" % name)


def unpack(name, to):
    with lzma.open(os.path.join(HERE, name + ".xz")) as f, open(to, "wb") as out:
        out.write(f.read())
    return to


def run(anechoic, *arguments):
    done = subprocess.run([anechoic] + list(arguments), text=True,
                          capture_output=True, errors="replace")
    if done.returncode:
        raise Wrong("anechoic %s: exit status %d: %s" % (
            " ".join(arguments), done.returncode, done.stderr.strip()))
    return done.stdout


def claims(text):
    """Claims of a CSV, sorted, each a dictionary by the header's names."""
    rows = list(csv.DictReader(io.StringIO(text)))
    return sorted(rows, key=lambda r: sorted((k, v or "") for k, v in r.items()))


def export(anechoic, db):
    to = db + ".csv"
    run(anechoic, "export", "--db", db, "--format", "csv", "-o", to)
    with open(to, encoding="utf-8") as f:
        return f.read()


def differences(expected, got):
    """Lines of a diff; columns that only `got` has are newer and do not count."""
    names = expected[0].keys() if expected else []
    one = ["|".join(r[k] for k in names) for r in expected]
    two = ["|".join(r.get(k) or "" for k in names) for r in got]
    only_one, only_two = list(one), list(two)
    for line in one:
        if line in only_two:
            only_two.remove(line)
            only_one.remove(line)
    return ["-" + x for x in only_one] + ["+" + x for x in only_two]


def compare(step, expected, got):
    diff = differences(expected, got)
    if not expected:
        raise Wrong("%s: no claims are expected" % step)
    if diff:
        raise Wrong("%s: %d expected claims, %d found:\n  %s" % (
            step, len(expected), len(got), "\n  ".join(diff[:20])))


def import_log(anechoic, log, db, counts):
    said = run(anechoic, "import", "--log", log, "--db", db)
    found = re.search(r"^run 1: (.*)$", said, re.M)
    if not found or found.group(1) != counts:
        raise Wrong("import: expected '%s', found '%s'" % (
            counts, found.group(1) if found else said[:200]))


def check_log(anechoic, log, counts, expected):
    """Of a file; `expected` None: return the claims."""
    with tempfile.TemporaryDirectory() as work:
        db = os.path.join(work, "new.db")
        import_log(anechoic, log, db, counts)
        if expected is None:
            return export(anechoic, db)
        compare("import", expected, claims(export(anechoic, db)))
        run(anechoic, "solve", "--db", db)
        compare("solve", expected, claims(export(anechoic, db)))
    return None


def ask(db, query):
    c = sqlite3.connect(db)
    try:
        return c.execute(query).fetchone()[0]
    finally:
        c.close()


def read_only(anechoic, db):
    """Reading commands: each answers, and none changes the file."""
    n = ask(db, "SELECT count(*) FROM latest")
    form = ask(db, "SELECT max(form) FROM latest WHERE kind = 'throughput'")
    with open(db, "rb") as f:
        before = f.read()
    found = len(claims(export(anechoic, db)))
    if n != found:
        raise Wrong("export: %d claims of %d" % (found, n))
    # `show` needs a value.
    if form and form not in run(anechoic, "show", "--all", "--db", db, form):
        raise Wrong("show: nothing of %s" % form)
    with open(db, "rb") as f:
        if f.read() != before:
            raise Wrong("a command that reads has changed the database")


def check_database(anechoic, db, version, expected):
    found = ask(db, "PRAGMA user_version")
    if found != version:
        raise Wrong("expected user_version %d, the file has %d" % (version, found))
    read_only(anechoic, db)
    run(anechoic, "solve", "--db", db)
    if expected is None:
        return export(anechoic, db)
    compare("solve", expected, claims(export(anechoic, db)))
    read_only(anechoic, db)
    merged = db + ".merged"
    run(anechoic, "merge", "-o", merged, db)
    compare("merge", expected, claims(export(anechoic, merged)))
    return None


def expected_of(name):
    with open(os.path.join(HERE, name + ".csv"), encoding="utf-8") as f:
        return claims(f.read())


def check(anechoic, name, expected):
    kind, version, counts = row(name)
    with tempfile.TemporaryDirectory() as work:
        file = unpack(name, os.path.join(work, "old"))
        if kind == "log":
            return check_log(anechoic, file, counts, expected)
        return check_database(anechoic, file, version, expected)


def main():
    anechoic, name = sys.argv[1:3]
    update = sys.argv[3:] == ["--update"]
    try:
        text = check(anechoic, name, None if update else expected_of(name))
    except (Wrong, OSError) as problem:
        print("FAIL: %s: %s" % (name, problem))
        sys.exit(1)
    if update:
        with open(os.path.join(HERE, name + ".csv"), "w", encoding="utf-8") as f:
            f.write(text)
    print("%s: %d claims %s" % (name, len(expected_of(name)),
                                "written" if update else "as expected"))


if __name__ == "__main__":
    main()
