"""Figures of merging many databases, never asserted: bench_merge.py ANECHOIC DB [N [FOLDER]]

N copies of DB (default 100) become runs of their own on N machines, and are
merged. Printed: bytes read and written a second, and by a plain copy of the same
bytes, and the most memory that a merge of N/10 and of N databases takes.
FOLDER (default: a temporary one) needs room for N copies, unless its file
system shares the blocks of copies, and for the result: DB has each kernel's
machine code once, the result too.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time

BLOCK = 1 << 20


def make(source, path, number):
    """A copy of the database as another machine would have measured it."""
    subprocess.run(["cp", "--reflink=auto", source, path], check=True)
    db = sqlite3.connect(path)
    # Without a journal only the changed pages are written.
    db.execute("PRAGMA journal_mode = OFF")
    for key in ("id", "machine_id", "core1_machine_id"):
        db.execute("UPDATE env SET value = ? WHERE key = ?",
                   ("0x%016x" % (number + 1), key))
    db.commit()
    db.close()


def drop_cache(paths):
    """Have the next reader read the disk."""
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        os.fsync(fd)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)


def merge(anechoic, paths, result):
    """Seconds, MB of memory at most, and seconds of a processor."""
    drop_cache(paths)
    begin = time.monotonic()
    child = subprocess.Popen([anechoic, "merge", "-o", result, *paths],
                             stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit("merge failed")
    return (time.monotonic() - begin, usage.ru_maxrss / 1024,
            usage.ru_utime + usage.ru_stime)


def copy(paths, n_written, result):
    """Seconds to read all the paths and to write so many bytes."""
    drop_cache(paths)
    begin = time.monotonic()
    with open(result, "wb") as out:
        for path in paths:
            with open(path, "rb") as file:
                while True:
                    block = file.read(BLOCK)
                    if not block:
                        break
                    if n_written > 0:
                        n_written -= out.write(block[:n_written])
        out.flush()
        os.fsync(out.fileno())
    seconds = time.monotonic() - begin
    os.unlink(result)
    return seconds


def bench(anechoic, source, n, folder):
    paths = [os.path.join(folder, "%d.db" % i) for i in range(n)]
    result = os.path.join(folder, "all.db")
    for i, path in enumerate(paths):
        make(source, path, i)
    for part in sorted({max(n // 10, 1), n}):
        seconds, memory, cpu = merge(anechoic, paths[:part], result)
        size = sum(os.path.getsize(p) for p in paths[:part])
        written = os.path.getsize(result)
        runs = sqlite3.connect(result).execute(
            "SELECT count(*) FROM run").fetchone()[0]
        os.unlink(result)
        plain = copy(paths[:part], written, result)
        print("merge of %d databases: %.0f MB read, %.0f MB written, %d runs; "
              "%.1f s (%.1f s of a processor), %.0f MB/s; a plain copy of as "
              "much %.1f s; at most %.0f MB of memory"
              % (part, size / 1e6, written / 1e6, runs, seconds, cpu,
                 (size + written) / 1e6 / seconds, plain, memory), flush=True)
    for path in paths:
        os.unlink(path)


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    with tempfile.TemporaryDirectory(dir=sys.argv[4] if len(sys.argv) > 4
                                     else None) as folder:
        bench(sys.argv[1], sys.argv[2], n, folder)


main()
