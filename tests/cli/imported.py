"""imported.py ANECHOIC SHARE: a recorded log is a run like one that was measured
live; one that stops says where, and another goes on with it; what a log says of
its image is checked.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zlib

ANECHOIC, SHARE = (os.path.abspath(x) for x in sys.argv[1:3])
BOARD = ["--board", "qemu-virt", "--isa", "riscv64"]
FORMS = "^(ADD|MUL|LD|SUB|XOR|AND|OR|SLL|SRL|SRA|SLT|SLTU|ADDW)$"
SET = BOARD + ["--forms", FORMS]
LOOP = "loop:\n\tmul a0, a0, a1\n\tadd a2, a0, a1\n\tld a3, 0(a4)\n" \
       "\taddi a5, a5, -1\n\tbnez a5, loop\n"
failed = 0


def expect(what, good, found=""):
    global failed
    if not good:
        print("FAIL: %s: %s" % (what, found))
        failed += 1


def run(*arguments, status=0):
    """Standard output and messages of a command."""
    done = subprocess.run([ANECHOIC] + list(arguments), text=True,
                          capture_output=True)
    expect("exit status %d of %s" % (status, " ".join(arguments)),
           done.returncode == status, "%d %s" % (done.returncode, done.stderr))
    return done.stdout + done.stderr


def boot(image, *arguments):
    """The console of a board that runs its pack by itself."""
    conf = os.path.join(SHARE, "boards", "qemu-virt", "riscv64-sbi.conf")
    with open(conf, encoding="ascii") as f:
        command = re.search("(?m)^command = (.*)", f.read()).group(1)
    words = command.replace("@IMAGE@", image).split() + list(arguments)
    return subprocess.run(words, stdin=subprocess.DEVNULL, timeout=100,
                          capture_output=True).stdout


def write(name, content):
    with open(name, "wb") as f:
        f.write(content)
    return name


def ask(db, query):
    c = sqlite3.connect(db)
    try:
        return c.execute(query).fetchall()
    finally:
        c.close()


def csv_of(db):
    run("export", "--db", db, "--format", "csv", "-o", db + ".csv")
    with open(db + ".csv", encoding="utf-8") as f:
        return f.read()


def predicted(db):
    return run("predict", "--db", db, "loop.s")


def samples(log):
    return [x for x in log.splitlines(True) if b" sample " in x or b" fault " in x]


def samples_begin(log):
    return log.index(samples(log)[0])


def up_to(log, n):
    """The log up to its nth result."""
    return log[:log.index(samples(log)[n - 1]) + len(samples(log)[n - 1])]


def changed(log, pattern, replacement):
    """The log with another text in its INFO, and the checksum of that."""
    record = re.search(rb"@0 info [^*\n]*\*[0-9a-f]{8}", log).group()
    body, n = re.subn(pattern, replacement, record[:-9])
    assert n == 1, pattern
    return log.replace(record, body + b"*%08x" % zlib.crc32(body))


def as_live(log):
    """Claims, `shares`, `show`, models and predictions are those of a live run."""
    said = run("import", "--log", write("a.log", log), "--db", "a.db")
    n = len(samples(log))
    expect("counts", "run 1: %d samples, 0 faults of %d kernels;" % (n, n) in said, said)
    run("measure", *SET, "--db", "live.db")
    expect("claims", csv_of("a.db") == csv_of("live.db"), csv_of("a.db")[:400])
    shares = [re.sub("run of [^,]*", "", run("shares", "--db", x))
              for x in ("a.db", "live.db")]
    expect("shares", shares[0] == shares[1], shares[0])
    kernels = [ask(x, "SELECT kernel, content, label, class FROM kernel")
               for x in ("a.db", "live.db")]
    expect("kernels", kernels[0] == kernels[1])
    expect("show", "measured again by: anechoic measure --board qemu-virt \\\n" in
           run("show", "--db", "a.db", "MUL"))
    write("loop.s", LOOP.encode())
    expect("predict", predicted("a.db") == predicted("live.db"), predicted("a.db"))
    run("measure", *SET, "--what", "ports", "--db", "ports.db")
    for name in "a", "live":
        run("merge", "-o", name + "-all.db", name + ".db", "ports.db")
    expect("ports: claims", csv_of("a-all.db") == csv_of("live-all.db"))
    expect("ports: predict", predicted("a-all.db") == predicted("live-all.db"),
           predicted("a-all.db"))


def twice(log):
    said = run("import", "--log", write("a.log", log), "--db", "a.db")
    expect("twice", "a.db has this log already: run 1; nothing is added" in said, said)
    expect("twice: rows", ask("a.db", "SELECT count(*) FROM run") == [(1,)])
    # In every database it is the same run.
    expect("twice: id", ask("a.db", "SELECT value FROM env WHERE key = 'id'") ==
           ask("a.db", "SELECT substr(key, 5) FROM env WHERE key LIKE 'log %'"))


def stops(log):
    """A log that was cut, the same when it was longer, and the rest."""
    n, label = len(samples(log)), re.search(rb" x=(\S+)", samples(log)[39]).group(1)
    said = run("import", "--log", write("cut.log", up_to(log, 30)), "--db", "b.db",
               status=1)
    said = run("import", "--log", write("cut.log", up_to(log, 40)), "--db", "b.db",
               status=1)
    expect("stopped", "cut.log: stopped after 40 of %d kernels, no bye, last kernel %s\n"
           % (n, label.decode()) in said, said)
    expect("grown", ask("b.db", "SELECT count(*) FROM run") == [(1,)])
    expect("grown: text", ask("b.db", "SELECT count(*) FROM text WHERE CAST(line AS TEXT) "
                              "LIKE 'OpenSBI v%'") == [(1,)])
    words = re.search(r"To continue with it again:\n +boot words:  (anechoic.from=\d+)\n", said)
    expect("boot words", words, said)
    rest = boot("image", "-append", words.group(1))
    said = run("import", "--log", write("rest.log", rest), "--db", "b.db")
    expect("rest", "run 1: %d samples, 0 faults" % (n - 40) in said, said)
    expect("complete", ask("b.db", "SELECT finished FROM run") == [(1,)])
    expect("every kernel", ask("b.db", "SELECT count(*) FROM sample") == [(n,)])


def lacks_its_end(log):
    """Behind the last kernel only `done` and `bye` are missing."""
    run("import", "--log", write("end.log", up_to(log, len(samples(log)))), "--db", "f.db")
    expect("the end", ask("f.db", "SELECT finished FROM run") == [(1,)])


def goes_on(log):
    """The next image begins where the log stopped; a second stop there is the
    kernel's doing."""
    n, k = len(samples(log)), int(re.search(rb" k=(\d+)", samples(log)[20]).group(1))
    run("import", "--log", write("cut.log", up_to(log, 20)), "--db", "c.db", status=1)
    said = run("image", *SET, "--db", "c.db", "--resume", "-o", "next")
    expect("next image", "goes on with run 1: from=%d\n" % k in said, said)
    expect("next image: estimate", re.search(
        r"(?m)^%d of %d kernels are left, at most about %d cycles" % (n - 20, n,
        (n - 20) * 19200), said), said)
    rest = boot("next")
    cut = rest[:samples_begin(rest)]
    said = run("import", "--log", write("again.log", cut), "--db", "c.db", status=1)
    expect("again", "kernel %d stopped the board twice" % k in said and
           re.search(r"To continue without it:\n.*anechoic.from=%d anechoic.skip=%d\n" % (k, k),
                     said), said)
    said = run("image", *SET, "--db", "c.db", "--resume", "-o", "next")
    expect("without it", "goes on with run 1: from=%d skip=%d\n" % (k, k) in said, said)
    run("import", "--log", write("next.log", boot("next")), "--db", "c.db")
    expect("next image: fault", ask("c.db", "SELECT kernel, cause FROM fault") ==
           [(k, "lost")])
    expect("next image: all", ask("c.db", "SELECT count(*) FROM sample") == [(n - 1,)])
    said = run("image", *SET, "--db", "c.db", "--resume", "-o", "next", status=2)
    expect("nothing left", "c.db has no unfinished run of this board" in said, said)


def dies_twice(log):
    """A board that restarts by itself stops at one kernel twice: it is lost."""
    begin = log.index(b"@0 info")
    cut = up_to(log, 10)
    said = run("import", "--log", write("two.log", cut + b"\nreset\n" + cut[begin:]),
               "--db", "d.db", status=1)
    k = int(re.search(rb" k=(\d+)", samples(log)[10]).group(1))
    expect("twice: said", "kernel %d stopped the board twice" % k in said, said)
    expect("twice: fault", ask("d.db", "SELECT kernel, cause FROM fault") == [(k, "lost")])
    # So is the first one, before any result.
    cut = log[:samples_begin(log)]
    said = run("import", "--log", write("two.log", cut + cut[begin:]), "--db", "g.db",
               status=1)
    expect("the first", ask("g.db", "SELECT kernel, cause FROM fault") == [(3, "lost")],
           said)
    expect("nothing", "stopped after 1 of" in said, said)


def hostile(log):
    """Fields that no image of this version writes: a run of the labels alone."""
    for what, pattern, text, said in (
            ("another board", rb"image_board=\S+", b"image_board=moon", "'moon'"),
            ("other forms", rb"image_forms=\S+", b"image_forms=^SUB$",
             "makes another pack")):
        write("bad.log", changed(log, pattern, text))
        if os.path.exists("bad.db"):
            os.unlink("bad.db")
        out = run("import", "--log", "bad.log", "--db", "bad.db")
        expect(what, re.search("the kernels are generated from their labels, because: .*" +
                               re.escape(said), out), out)
        expect(what + ": values", re.search("(?m)^MUL +1 +1 ", out), out)
    write("bad.log", changed(log, rb"image_cpu=\S+", b"image_cpu=spacemit-x60"))
    out = run("import", "--log", "bad.log", "--db", "cpu.db")
    expect("another core", "warning: INFO's core is riscv64/0x0/" in out and
           "the run says cpu=spacemit-x60" in out, out)
    # The user may say that it is another board's, not in contradiction to the log.
    expect("other board", "--board qemu-virt-rvv: the image of the log was made for board "
           "'qemu-virt'" in run("import", "--log", "a.log", "--db", "new.db", "--board",
                                "qemu-virt-rvv", status=2))
    write("bad.log", changed(log, rb"image_board=\S+ ", b""))
    run("import", "--log", "bad.log", "--db", "named.db", "--board", "qemu-virt")
    expect("named board", ask("named.db", "SELECT board FROM run") == [("qemu-virt",)])
    write("bad.log", changed(log, rb"image_what=\S+", b"image_what=ports"))
    expect("another search", "of a port search that bad.db does not have" in
           run("import", "--log", "bad.log", "--db", "bad.db", status=2))


def cores(log):
    """A log of two cores is two runs, each with its core's samples alone."""
    both = boot("image", "-smp", "2", "-append", "anechoic.core=all")
    n = len(samples(log))
    said = run("import", "--log", write("both.log", both), "--db", "both.db")
    for core in 0, 1:
        expect("core %d" % core, "core %d: run %d: %d samples, 0 faults of %d kernels; "
               "0 damaged, 0 missing, 0 refused" % (core, core + 1, n, n) in said, said)
    expect("cores: runs", ask("both.db", "SELECT run, value FROM env WHERE key = 'core'") ==
           [(1, "0"), (2, "1")])
    expect("cores: claims", ask("both.db", "SELECT DISTINCT count(*), low_cycles FROM claim "
           "GROUP BY form, kind, source, destination, low_cycles HAVING count(*) <> 2") == [])
    expect("cores: twice", 2 == run("import", "--log", "both.log", "--db", "both.db").count(
        "nothing is added"))
    # The second core's info record is lost: its samples are not the first one's.
    lost = re.sub(rb"@\d+ info [^\n]* first_core=[^\n]*\n", b"", both)
    said = run("import", "--log", write("lost.log", lost), "--db", "lost.db")
    expect("cores: lost info", "run 1: %d samples" % n in said and
           "%d results are of cores whose info record the log does not have" % n in said, said)
    # The log stops on the second core.
    said = run("import", "--log", write("part.log", up_to(both, n + 20)), "--db", "part.db",
               status=1)
    words = re.search(r"boot words:  (anechoic.core=1 anechoic.from=\d+)\n", said)
    expect("cores: stopped", words and "stopped after 20 of %d" % n in said, said)
    said = run("image", *SET, "--db", "part.db", "--resume", "-o", "next")
    expect("cores: next image", "goes on with run 2: %s\n" %
           words.group(1).replace("anechoic.", "") in said, said)
    rest = boot("image", "-smp", "2", "-append", words.group(1))
    said = run("import", "--log", write("rest.log", rest), "--db", "part.db")
    expect("cores: rest", "run 2: %d samples" % (n - 20) in said, said)
    expect("cores: finished", ask("part.db", "SELECT finished FROM run") == [(1,), (1,)])


def main():
    if not shutil.which("qemu-system-riscv64"):
        print("SKIP: no qemu-system-riscv64 (package qemu-system-misc)")
        return
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        said = run("image", *SET, "-o", "image")
        log = boot("image")
        counts = re.search(r"(?m)^(\d+) kernels and 3 of calibration,", said)
        expect("image: kernels", int(counts.group(1)) == len(samples(log)), said)
        size = re.search(r"(?m)^console: about ([0-9.]+) kB, \d+ s at 115200 baud", said)
        records = b"".join(x for x in log.splitlines(True) if x.startswith(b"@"))
        share = 1000 * float(size.group(1)) / len(records)
        expect("image: bytes to 10 %", 0.9 < share < 1.1, "%g" % share)
        for check in as_live, twice, stops, lacks_its_end, goes_on, dies_twice, hostile, cores:
            check(log)
    print("%d failed" % failed)
    sys.exit(failed > 0)


main()
