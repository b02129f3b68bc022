#!/bin/sh
# check.sh ANECHOIC FILE: what is asked of a file in models/: at most 1 MB, a core, a
# system, a date, a tool, a share, at most one value in a hundred missing, values
# of at least 1,000 forms, no latency below 0, no throughput of more than 16 a cycle,
# the same after it is read and written, and a prediction of a loop.
set -eu
anechoic=$1
file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $file: $*"
	exit 1
}

[ "$(wc -c <"$file")" -le 1000000 ] || fail "larger than 1 MB"
xz -dc "$file" >"$work/model.json" || fail "not an xz file"
"$anechoic" export --model "$file" --format model -o "$work/once.json" \
	2>"$work/said" || fail "$(cat "$work/said")"
"$anechoic" export --model "$work/once.json" --format model \
	-o "$work/twice.json" 2>/dev/null
cmp -s "$work/once.json" "$work/twice.json" ||
	fail "reading and writing changes it"
python3 - "$work/model.json" <<'EOF' || fail "see above"
import json
import re
import sys

model = json.load(open(sys.argv[1]))
bad = []
for key in ("core", "system", "date", "tool", "noise", "share"):
    if not model.get("about", {}).get(key):
        sys.exit("about has no " + key)
# A flagged sample counts for no value alone (docs/method), so their number says
# little; how many values are missing says how much noise took at most.
missing = re.findall("([0-9]+) of ([0-9]+) ([a-z]+)", model["about"]["noise"])
if {what for _, _, what in missing} != {"throughputs", "latencies"}:
    sys.exit("about: noise does not say how many values are missing")
for n, of, what in missing:
    if int(n) * 100 > int(of) or int(of) == 0:
        bad.append("%s of %s %s are missing" % (n, of, what))
forms = model["forms"]
known = [f for f in forms if "throughput" in f]
if len(known) < 1000:
    bad.append("only %d forms have a throughput" % len(known))
for f in forms:
    for low, high in [f["throughput"]] if "throughput" in f else []:
        if not 1 / 16 <= low <= high:
            bad.append("%s: throughput %g..%g" % (f["name"], low, high))
    for each in f.get("latencies", []):
        low, high = each["cycles"] if "cycles" in each else (0, 0)
        if not 0 <= low <= high:
            bad.append("%s: latency %g..%g" % (f["name"], low, high))
print("\n".join(bad[:10]), end="\n" if bad else "")
sys.exit(bool(bad))
EOF
case $(sed -n 's/^ *"isa": "\(.*\)",/\1/p' "$work/model.json") in
x86_64) set -- 'imulq %rax, %rax' 'decq %rcx' 'jne .L1' ;;
aarch64) set -- 'mul x0, x0, x0' 'subs x1, x1, #1' 'b.ne .L1' ;;
riscv64) set -- 'mul a0, a0, a0' 'addi a1, a1, -1' 'bnez a1, .L1' ;;
*) fail "no known instruction set" ;;
esac
printf '.L1:\n\t%s\n\t%s\n\t%s\n' "$@" >"$work/loop.s"
"$anechoic" predict --model "$file" "$work/loop.s" >"$work/said" 2>&1 ||
	fail "$(tail -1 "$work/said")"
grep -q '^  predicted  *[1-9]' "$work/said" || fail "no prediction"
