#!/bin/sh
# anechoic time: what other tools' command lines become. Each row of tests/cli/peers/README.md
# is run.
#	time_peers.sh ANECHOIC SOURCE
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
source=$2
test "$(uname -m)" = x86_64 || exit 77
mkdir "$work/bin"
ln -s "$anechoic" "$work/bin/anechoic"
PATH=$work/bin:$PATH
cd "$source/tests/cli/peers"

cat >"$work/check.py" <<'CHECK'
"""Run the rows of a table, and compare cycles or faults with their last column."""
import csv, io, json, re, subprocess, sys

OFF = 0.1  # of a value, where a verdict says that it is one
rows = bad = silent = 0
for line in open(sys.argv[1]):
    cells = re.fullmatch(r"\| (`.*) \| `([^|]*)` \| `([^`]*)`: .* \|\n", line)
    if not cells:
        continue
    rows += 1
    command, wanted = cells[2], cells[3]
    blocks = "--hex" in command
    got = subprocess.run(["sh", "-c", command + ("" if blocks else " --format json")],
                         capture_output=True, text=True)
    if got.returncode != 0:
        print("FAIL:", command, got.stderr)
        bad += 1
        continue
    if blocks:
        r = next(csv.DictReader(io.StringIO(got.stdout)))
        r = {k: float(v) if k.endswith("_cycles") and v else v for k, v in r.items()}
    else:
        r = json.loads(got.stdout)
    if wanted.startswith("fault:"):
        cause, address = wanted.split(" at ")
        fine = r["verdict"] == cause and r["fault"]["address"] == address
    elif r["verdict"] not in ("ok", "not-linear") or not r["low_cycles"]:
        # Others use the core: the row shows only that it is measured.
        fine = not r["verdict"].startswith("fault")
        silent += 1
    else:
        low, _, high = wanted.removesuffix(" cycles").partition(" to ")
        low, high = float(low), float(high or low)
        fine = r["low_cycles"] <= high * (1 + OFF) and r["high_cycles"] >= low * (1 - OFF)
    if not fine:
        print("FAIL:", command, "gives", r["low_cycles"], r["high_cycles"],
              r["verdict"], "not", wanted)
        bad += 1
print(rows, "rows,", silent, "without a value")
sys.exit(bad > 0 or rows < 20)
CHECK
python3 "$work/check.py" "$source/tests/cli/peers/README.md"
