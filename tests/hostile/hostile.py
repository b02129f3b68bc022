#!/usr/bin/env python3
"""Mutated files against commands that read them: none crashes, none takes over
10 s or 1 GB.

    hostile.py ANECHOIC N SEED [KEEP]

The files that are mutated are written by ANECHOIC itself, from a fake board; the
console's log is one of tests/compat.
Each mutant follows from SEED and its number alone. A mutant that fails is
copied to the folder KEEP (default: hostile-failures) with its command.
"""
import lzma
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import zlib

MOST_SECONDS = 10
MOST_MB = 1024
CORE = """isa = riscv64
cpu = some
width = 2
ports = a b
form MUL.*: ports=a, latency=3
form .*: ports=a|b
"""
LOOP = """loop:
    add a0, a1, a2
    mul a3, a0, a0
    addi a4, a4, -1
    bnez a4, loop
"""
VALUES_OF_OTHERS = """form,variant,kind,source,destination,value
ADD,,latency,1,0,1
ADD,,throughput,,,0.5
MUL,,latency,*,*,3;4
"""
# What is mutated, and the commands that read it: @ is the mutant, + a file to
# write, = a good database.
COMMANDS = {
    "db": ["show --db @ ADD --evidence", "export --db @ --format csv -o +",
           "export --db @ --format json -o +", "export --db @ --format osaca -o +",
           "export --db @ --format uops -o +", "export --db @ --format winic -o +",
           "compare @ =", "model --db @", "predict --db @ loop.s",
           "merge -o + @ =", "shares --db @", "record --db @ -o +",
           "site -o + @", "solve --db @", "export --db @ --format llvm -o +",
           "measure --board fake --isa riscv64 --core some.core --db @ "
           "--forms ^(ADD|MUL|XOR)$ --resume",
           "measure --board fake --isa riscv64 --core some.core --db @ "
           "--forms ^(ADD|MUL|XOR)$ --redo noisy"],
    "json": ["predict --model @ loop.s", "compare @ base.json"],
    "yaml": ["predict --model @ --isa riscv64 loop.s"],
    "xml": ["predict --model @ --isa riscv64 loop.s"],
    "winic": ["predict --model @ --isa riscv64 loop.s"],
    "exegesis": ["predict --model @ loop.s"],
    "csv": ["compare = @"],
    "s": ["predict --db = @"],
    "log": ["import --log @ --db +"],
    "core": ["measure --board fake --isa riscv64 --core @ --db + --forms ^ADD$"],
}
INTEGERS = [0, -1, 1, 2**31 - 1, 2**32 - 1, 2**32, -(2**31), 2**63 - 1,
            -(2**63), 255, 65536]
VALUES = INTEGERS + [None, 1e308, -1e308, float("inf"), 0.5, "", "\0", "x" * 70000,
                     "%s%n", "((a{1,255}){1,255}){1,255}", "(" * 30000,
                     b"", b"\xff" * 9, b"\x80" * 4096]
# Mutations of the database that once took too much, and the command.
KNOWN = {
    "UPDATE kernel SET kernel = 4294967295 WHERE kernel = "
    "(SELECT max(kernel) FROM kernel WHERE label LIKE '%:ADD')":
        "show --db @ ADD --evidence",
}
ENDLESS = ("WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) "
           "SELECT * FROM r")
LOG = (pathlib.Path(__file__).parent.parent /
       "compat/qemu-virt-riscv64.log.xz")
# A record of the wire: its text, and the sum of that.
RECORD = re.compile(rb"(@\d+ .*)\*[0-9a-f]{8}")
# A failure of a sanitizer has a status of its own.
CRASHED = 86
ENV = dict(os.environ, ANECHOIC_NO_CACHE="1",
           ASAN_OPTIONS=f"exitcode={CRASHED}:detect_leaks=0:"
                        "allocator_may_return_null=1",
           UBSAN_OPTIONS=f"halt_on_error=1:exitcode={CRASHED}")


def make_bases(anechoic, work):
    """The files that are mutated, by kind."""
    def run(*words):
        subprocess.run([anechoic, *words], cwd=work, env=ENV, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    (work / "some.core").write_text(CORE)
    (work / "loop.s").write_text(LOOP)
    run("measure", "--board", "fake", "--isa", "riscv64", "--core", "some.core",
        "--db", "base.db", "--forms", "^(ADD|MUL|XOR)$")
    (work / "base.csv").write_text(VALUES_OF_OTHERS)
    (work / "base.log").write_bytes(lzma.decompress(LOG.read_bytes()))
    bases = {"db": "base.db", "s": "loop.s", "core": "some.core",
             "csv": "base.csv", "log": "base.log"}
    # The base has no ports, without which a file for OSACA is refused.
    for kind, form in (("yaml", "osaca --tables sifive-u74"), ("xml", "uops"),
                       ("winic", "winic"), ("json", "model"),
                       ("exegesis", "exegesis")):
        run("export", "--db", "base.db", "--format", *form.split(),
            "-o", f"base.{kind}")
        bases[kind] = f"base.{kind}"
    return bases


def mutate_bytes(r, data):
    """Flip, cut, repeat, swap, or put numbers of extremes."""
    data = bytearray(data)
    for _ in range(r.choice((1, 1, 2, 8, 40))):
        if not data:
            break
        at = r.randrange(len(data))
        kind = r.randrange(6)
        if kind == 0:
            data[at] ^= 1 << r.randrange(8)
        elif kind == 1:
            del data[at:at + r.choice((1, 3, 100, len(data)))]
        elif kind == 2:
            part = data[at:at + r.randrange(1, 300)]
            data[at:at] = part * r.choice((1, 2, 200))
        elif kind == 3:
            data[at:at + 4] = r.choice((0, 1, 2**31, 2**32 - 1)).to_bytes(4, "big")
        elif kind == 4:
            data[at:at] = str(r.choice(INTEGERS + [1e999, "nan"])).encode()
        else:
            data[at:at] = r.choice((b"(", b"[", b"{", b"<a>", b"\"", b"\n")) \
                * r.choice((1, 100, 20000))
    return bytes(data)


def mutate_field(r, field):
    """A value of a record, or one number of its list."""
    key, _, value = field.partition(b"=")
    numbers = value.split(b",")
    at = r.randrange(len(numbers))
    numbers[at] = r.choice(([], [b""], [numbers[at]] * 3, [b"x" * 300], [b"-1"],
                            [b"0"], [str(2**64 - 1).encode()], [b"%s"],
                            [numbers[at][::-1]], [numbers[at]] * 5000))[:]
    flat = [x for n in numbers for x in (n if isinstance(n, list) else [n])]
    return key + b"=" + b",".join(flat)


def mutate_log(r, data):
    """Fields of records, whole records and their order, with right sums."""
    lines = data.split(b"\n")
    for _ in range(r.choice((1, 1, 2, 8, 40))):
        at = r.choice([i for i, x in enumerate(lines) if RECORD.search(x)])
        text = RECORD.search(lines[at])[1]
        fields = text.split(b" ")
        kind = r.randrange(6)
        k = r.randrange(len(fields))
        if kind == 0:
            del fields[k]
        elif kind == 1:
            fields.insert(k, fields[r.randrange(len(fields))])
        elif kind == 2:
            fields[0] = b"@" + str(abs(r.choice(INTEGERS))).encode()
        elif kind == 3:
            lines.insert(r.randrange(len(lines)), lines[at])
        else:
            fields[k] = mutate_field(r, fields[k])
        text = b" ".join(fields)
        lines[at] = text + b"*%08x" % zlib.crc32(text)
    return b"\n".join(lines)


def mutate_schema(r, db, tables):
    name = r.choice(tables)
    db.execute(r.choice((
        f"DROP TABLE {name}",
        f"ALTER TABLE {name} RENAME TO other",
        f"ALTER TABLE {name} ADD COLUMN more INT AS (run + 1)",
        f"CREATE TRIGGER t AFTER INSERT ON {name} BEGIN DELETE FROM run; END",
        f"CREATE INDEX i ON {name} (hex(zeroblob(1)))",
        "DROP VIEW latest", "PRAGMA user_version = 3")))
    view = r.choice(("other", name, "latest", "identity", "sqlite_stat9"))
    db.execute(f"CREATE VIEW {view} AS {ENDLESS}")


def mutate_rows(r, db, tables):
    """Values are replaced by extremes, in all rows or in one; the tables are no
    longer strict on the way, so that types do not matter."""
    for _ in range(r.choice((1, 1, 2, 5))):
        name = r.choice(tables)
        columns = [c[1] for c in db.execute(f"PRAGMA table_info({name})")]
        where = r.choice(("", "", f"WHERE {columns[0]} = (SELECT {columns[0]} "
                          f"FROM {name} LIMIT 1 OFFSET {r.randrange(20)})"))
        db.execute(f"UPDATE OR IGNORE {name} SET \"{r.choice(columns)}\" = ? "
                   f"{where}", (r.choice(VALUES),))


def relax(path, strict):
    """Switch STRICT and NOT NULL off or on in the text of the schema."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    if strict is None:
        strict = list(db.execute("SELECT name, sql FROM sqlite_schema "
                                 "WHERE type = 'table'"))
        for name, sql in strict:
            loose = sql.replace(" NOT NULL", "").replace("STRICT, ", "") \
                .replace(" STRICT", "")
            db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ? "
                       "AND type = 'table'", (loose, name))
    else:
        for name, sql in strict:
            db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ? "
                       "AND type = 'table'", (sql, name))
    db.close()
    return strict


def mutate(r, kind, base, path):
    way = r.randrange(4) if kind == "db" else 0
    if kind == "log" and r.randrange(4):
        path.write_bytes(mutate_log(r, base.read_bytes()))
        return
    if way == 0:
        path.write_bytes(mutate_bytes(r, base.read_bytes()))
        return
    shutil.copy(base, path)
    strict = relax(path, None) if way != 1 else None
    db = sqlite3.connect(path, isolation_level=None)
    tables = [t[0] for t in db.execute("SELECT name FROM sqlite_schema WHERE "
                                       "type = 'table' ORDER BY name")]
    try:
        (mutate_schema if way == 1 else mutate_rows)(r, db, tables)
    except sqlite3.Error:
        pass  # a mutation that SQLite refuses leaves the file as it is
    db.close()
    # What was loosened is put back, so that only the rows are foreign.
    if strict:
        relax(path, strict)


def run_limited(words, work):
    """Status, seconds and MB; None: what the limits say is kept."""
    with open(work / "stderr", "wb") as err:
        p = subprocess.Popen(words, cwd=work, env=ENV, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=err)
        # The processor's time decides, as the machine may be busy.
        timer = threading.Timer(30 * MOST_SECONDS, p.kill)
        timer.start()
        _, status, usage = os.wait4(p.pid, 0)
        timer.cancel()
        p.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    mb = usage.ru_maxrss / 1024
    why = None
    if p.returncode < 0:
        why = f"ended by {signal.Signals(-p.returncode).name}"
    elif p.returncode not in (0, 1, 2):
        why = f"exit status {p.returncode}"
    elif seconds > MOST_SECONDS:
        why = f"{seconds:.0f} s"
    elif mb > MOST_MB:
        why = f"{mb:.0f} MB"
    return why, p.returncode


def words_of(anechoic, command, subject, work):
    return [anechoic] + [{"@": str(subject), "+": str(work / "out"),
                          "=": "base.db"}.get(w, w) for w in command.split()]


def clean(*paths):
    for left in paths:
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink(missing_ok=True)


def check_bases(anechoic, bases, work):
    """A command that refuses the good file would test nothing."""
    for kind, name in bases.items():
        for command in COMMANDS[kind]:
            subject = work / f"good.{kind}"
            shutil.copy(work / name, subject)
            why, status = run_limited(words_of(anechoic, command, subject, work),
                                      work)
            if why or status == 2:
                sys.exit(f"{command}: {why or status} for the good file: "
                         + (work / "stderr").read_text())
            clean(subject, work / "out")


def check_known(anechoic, work):
    failures = 0
    mutant = work / "known.db"
    for statement, command in KNOWN.items():
        shutil.copy(work / "base.db", mutant)
        db = sqlite3.connect(mutant, isolation_level=None)
        if db.execute(statement).rowcount != 1:
            sys.exit(f"nothing is mutated: {statement}")
        db.close()
        why, _ = run_limited(words_of(anechoic, command, mutant, work), work)
        if why:
            failures += 1
            print(f"FAIL {statement}: {why}: {command}", flush=True)
        clean(mutant, work / "out")
    return failures


def main():
    anechoic, n, seed = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    keep = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else "hostile-failures")
    failures = 0
    statuses = {}
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        bases = make_bases(anechoic, work)
        check_bases(anechoic, bases, work)
        failures += check_known(anechoic, work)
        kinds = ["db"] * len(bases) + sorted(bases)
        for i in range(n):
            r = random.Random(f"{seed} {i}")
            kind = kinds[i % len(kinds)]
            mutant = work / f"mutant.{kind}"
            mutate(r, kind, work / bases[kind], mutant)
            command = r.choice(COMMANDS[kind])
            words = words_of(anechoic, command, mutant, work)
            why, status = run_limited(words, work)
            statuses[status] = statuses.get(status, 0) + 1
            if why:
                failures += 1
                keep.mkdir(exist_ok=True)
                shutil.copy(mutant, keep / f"{seed}-{i}.{kind}")
                shutil.copy(work / "stderr", keep / f"{seed}-{i}.stderr")
                print(f"FAIL seed {seed} file {i}: {why}: {command} "
                      f"({keep}/{seed}-{i}.{kind})", flush=True)
            clean(mutant, work / "out")
    ends = ", ".join(f"{k}: {v}" for k, v in sorted(statuses.items()))
    print(f"seed {seed}: {n} files, {failures} failures; exit statuses {ends}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
