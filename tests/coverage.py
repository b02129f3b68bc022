"""Which lines of the host the tests execute, by folder: the counters of a tree that
was configured with -DCOVERAGE=ON, read by gcov.  A program that is killed writes no
counters, so what only such ones execute counts as not executed.

    coverage.py BUILD JOBS
"""

import collections
import concurrent.futures
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACES = ("host", "common", "lib")
LEAST = 400  # objects: a tree that is not built shows nothing


def objects_of(build):
    return sorted(os.path.join(folder, name)
                  for place in PLACES
                  for folder, _, names in os.walk(os.path.join(build, place))
                  for name in names if name.endswith(".gcno"))


def lines_of(notes):
    """{(source, line): times executed} of an object, and of the headers in it."""
    text = subprocess.run(["gcov", "--json-format", "--stdout", notes], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    counts = {}
    for document in text.splitlines():
        for f in json.loads(document)["files"]:
            path = os.path.relpath(os.path.join(ROOT, f["file"]), ROOT)
            if path.split("/")[0] not in PLACES:
                continue
            for line in f["lines"]:
                key = path, line["line_number"]
                counts[key] = counts.get(key, 0) + line["count"]
    return counts


def main():
    build, jobs = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    objects = objects_of(build)
    if len(objects) < LEAST:
        sys.exit(f"{build}: {len(objects)} objects with counters; "
                 "is it built, with -DCOVERAGE=ON?")
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for some in pool.map(lines_of, objects):
            for key, n in some.items():
                counts[key] += n
    rows = collections.defaultdict(lambda: [set(), 0, 0])
    for (path, _), n in counts.items():
        for name in (os.path.dirname(path), "all"):
            rows[name][0].add(path)
            rows[name][1] += 1
            rows[name][2] += n > 0
    print(f"{'folder':<20} {'files':>6} {'lines':>7} {'executed':>9} {'%':>6}")
    for name in sorted(rows, key=lambda name: (name == "all", name)):
        files, lines, executed = rows[name]
        print(f"{name:<20} {len(files):>6} {lines:>7} {executed:>9} "
              f"{100 * executed / lines:>6.1f}")


main()
