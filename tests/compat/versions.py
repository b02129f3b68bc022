"""versions.py ANECHOIC: what is of a version that this program cannot read is
refused with both versions named and nothing left behind, and check.py notices a
log or a database that has changed.
"""

import os
import re
import sqlite3
import sys
import tempfile
import zlib

import check

LOG, DATABASE = "qemu-virt-riscv64.log", "qemu-virt-riscv64.db"
anechoic = sys.argv[1]
failed = 0


def expect(what, good, found=""):
    global failed
    if not good:
        print("FAIL: %s%s" % (what, ": " + found if found else ""))
        failed += 1


def changed(log, pattern, replacement):
    """A copy of a log whose first record that matches is another, with its own
    checksum."""
    with open(log, encoding="latin-1", newline="") as f:
        text = f.read()
    record = next(m for m in re.finditer(r"@\d+ [^*\r\n]*\*[0-9a-f]{8}", text)
                  if re.search(pattern, m.group()))
    body = re.sub(pattern, replacement, record.group()[:-9], count=1)
    if body == record.group()[:-9]:
        raise check.Wrong("%s: nothing was changed" % pattern)
    new = body + "*%08x" % zlib.crc32(body.encode("latin-1"))
    with open(log + ".changed", "w", encoding="latin-1", newline="") as f:
        f.write(text[:record.start()] + new + text[record.end():])
    return log + ".changed"


def refused(what, message, *arguments):
    """The command exits with 2 and a message that matches."""
    done = check.subprocess.run([anechoic] + list(arguments), text=True,
                                capture_output=True)
    expect(what + ": exit status 2", done.returncode == 2, str(done.returncode))
    expect(what, re.search(message, done.stderr), done.stderr)


def refused_logs(work, log):
    db = os.path.join(work, "none.db")
    for proto in "3", "0", "18446744073709551615":
        refused("proto %s" % proto, r":\d+: the runtime writes wire version %s, this "
                r"program reads versions 1 to 2; use the anechoic that made the image, or "
                r"make the image again" % proto, "import", "--log",
                changed(log, " proto=1 ", " proto=%s " % proto), "--db", db)
    # A later version may name other fields of the record otherwise.
    refused("proto 3 without isa", "the runtime writes wire version 3",
            "import", "--log", changed(log, r" proto=1 isa=\w+ ", " proto=3 "), "--db", db)
    refused("no proto", r":\d+: info record without proto", "import", "--log",
            changed(log, " proto=1 ", " "), "--db", db)
    expect("a refused log leaves no database", not os.path.exists(db))


def refused_databases(work, db):
    newer = check.ask(db, "PRAGMA user_version") + 1
    with sqlite3.connect(db) as c:
        c.execute("PRAGMA user_version = %d" % newer)
    c.close()
    message = ("has schema version %d, this program reads up to %d; use a newer anechoic"
               % (newer, newer - 1))
    with open(db, "rb") as f:
        before = f.read()
    for command in (["show", "--db", db, "ADD"], ["solve", "--db", db],
                    ["export", "--db", db, "--format", "csv", "-o", db + ".csv"],
                    ["import", "--log", os.path.join(work, "log"), "--db", db],
                    ["merge", "-o", db + ".new", db]):
        refused("%s, user_version %d" % (command[0], newer), message, *command)
    with open(db, "rb") as f:
        expect("a refused database is unchanged", f.read() == before)
    expect("a refused merge leaves no file", not os.path.exists(db + ".new"))


def refused_pack(work):
    """A runtime that gets a pack of a later version: the host says so."""
    isa = os.uname().machine
    share = os.path.join(os.path.dirname(os.path.realpath(anechoic)), "..", "share",
                         "anechoic")
    board = os.path.join(work, "share", "boards", "linux-process")
    os.makedirs(board)
    os.symlink(os.path.join(share, "runtime"), os.path.join(work, "share", "runtime"))
    script = os.path.join(work, "later.sh")
    with open(script, "w", encoding="ascii") as f:
        # The version is behind the 8 bytes of the magic (common/pack.h).
        f.write('printf "\\143" | dd of="$2" bs=1 seek=8 conv=notrunc 2>/dev/null\n'
                'exec "$1" "$2"\n')
    conf = "%s-linux.conf" % isa
    with open(os.path.join(share, "boards", "linux-process", conf),
              encoding="ascii") as f:
        text = re.sub("(?m)^command = ", "command = sh %s " % script, f.read())
    with open(os.path.join(board, conf), "w", encoding="ascii") as f:
        f.write(text)
    done = check.subprocess.run(
        [anechoic, "measure", "--board", "linux-process", "--cores", "1", "--what",
         "throughput", "--forms", "^ADD(64rr|Xrr|)$", "--db", os.path.join(work, "p.db")],
        text=True, capture_output=True,
        env=dict(os.environ, ANECHOIC_SHARE=os.path.join(work, "share")))
    expect("a pack of another version",
           re.search(r"version=99 why=its_version_is_not_\d+;.*same_anechoic \*", done.stderr),
           done.stderr)


def notices(what, checked, *arguments):
    try:
        checked(*arguments)
    except check.Wrong:
        return
    expect(what + " is noticed", False)


def doubled(match):
    return match.group(1) + ",".join(
        str(2 * int(x)) for x in match.group(2).split(","))


def noticed_logs(log):
    counts, expected = check.row(LOG)[2], check.expected_of(LOG)
    check.check_log(anechoic, log, counts, expected)
    for what, pattern, replacement in (
            ("an experiment that this version has no name for",
             " x=throughput:MUL ", " x=thruput:MUL "),
            ("a form of another name", " x=latency:MUL@", " x=latency:MULT@"),
            ("another form", " x=latency:MUL@", " x=latency:SUB@"),
            ("other numbers of ticks", r"( x=throughput:MUL .* d=)([\d,]+)", doubled),
            ("a kind of record that this version does not read", " sample k=", " smpl k=")):
        notices(what, check.check_log, anechoic, changed(log, pattern, replacement),
                counts, expected)


def noticed_databases(db):
    version, expected = check.row(DATABASE)[1], check.expected_of(DATABASE)
    with sqlite3.connect(db) as c:
        c.execute("UPDATE kernel SET label = 'throughput:ADDW' "
                  "WHERE label = 'throughput:MUL'")
    c.close()
    notices("a changed label of a database", check.check_database, anechoic, db,
            version, expected)
    notices("another user_version", check.check_database, anechoic, db, version - 1,
            expected)


with tempfile.TemporaryDirectory() as folder:
    of_log = check.unpack(LOG, os.path.join(folder, "log"))
    of_db = check.unpack(DATABASE, os.path.join(folder, "db"))
    try:
        refused_logs(folder, of_log)
        noticed_logs(of_log)
        noticed_databases(check.unpack(DATABASE, os.path.join(folder, "label.db")))
        refused_databases(folder, of_db)
        refused_pack(folder)
    except check.Wrong as problem:
        expect(str(problem), False)
print("%d failed" % failed)
sys.exit(failed > 0)
