#!/bin/sh
# A search for ports whose sibling is always busy starts from the baseline of an
# earlier quiet run, finds no value and says so.  busy.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
cat >"$work/quiet.core" <<'EOF'
isa = x86_64
cpu = quiet
clock = ref
hz = 2100000000
ghz = 2.7
width = 4
ports = a b c
noise = 0.2
form SHR64.*: ports=a|b
form IMUL64.*: ports=c, latency=3
form .*: ports=a|b|c
EOF
{
	cat "$work/quiet.core"
	echo "sibling = 100"
} >"$work/busy.core"

# search CORE DATABASE
search() {
	"$anechoic" measure --board fake --isa x86_64 --core "$work/$1.core" \
		--what ports --budget 60s --db "$work/$2.db" \
		--forms '^(ADD|SUB|SHR|IMUL|AND|OR)64r(r|i8|1|i)$' \
		>"$work/log" 2>&1
}

# expect STATUS GOT WORDS
expect() {
	if [ "$1" -ne "$2" ] || ! grep -q "$3" "$work/log"; then
		echo "FAIL: exit $2, not $1, or no '$3':"
		tail -n 20 "$work/log"
		exit 1
	fi
}

# ports DATABASE FILE: the model with its ports.
ports() {
	"$anechoic" model --db "$work/$1.db" >"$2" 2>&1
}

search quiet known
expect 0 $? "width 3, 3 ports"
# Solved again, the search has the same answer, whatever baseline it has stored at
# its end: it does not start from that.
ports known "$work/first"
cp "$work/known.db" "$work/copy.db"
python3 - "$work/copy.db" <<'EOF' || exit 1
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
key, value = db.execute(
    "SELECT key, value FROM env WHERE key LIKE 'silent_probe_%'").fetchone()
probe, reading = value.split()
db.execute("UPDATE env SET value = ? WHERE key = ?",
           ("%g %s" % (float(probe) / 2, reading), key))
db.commit()
EOF
"$anechoic" solve --db "$work/copy.db" >"$work/log" 2>&1
expect 0 $? "width 3, 3 ports"
ports copy "$work/again"
if [ ! -s "$work/first" ] || ! cmp "$work/first" "$work/again"; then
	echo "FAIL: solved again, the ports differ"
	exit 1
fi
# With the samples of the first kernels alone, those of single forms, the search lacks
# mixes: the claims stay as they are.
python3 - "$work/copy.db" <<'EOF' || exit 1
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("DELETE FROM sample WHERE kernel > 30")
db.commit()
EOF
"$anechoic" solve --db "$work/copy.db" >"$work/log" 2>&1
expect 0 $? "The stored claims, ports of 13 forms, are"
ports copy "$work/again"
if ! cmp "$work/first" "$work/again"; then
	echo "FAIL: solved again without mixes, the ports differ"
	exit 1
fi
search busy known
expect 1 $? "none of the forms could be measured"
# The run without a value does not spoil the database.
search quiet known
expect 0 $? "width 3, 3 ports"

# A search whose last pack has copies of its mixes goes on behind all of them.
{
	cat "$work/quiet.core"
	echo "sibling = 90"
} >"$work/disturbed.core"

# kernels FILE: the labels of the kernels so far.
kernels() {
	python3 - "$work/part.db" >"$1" <<'EOF'
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(
        "SELECT kernel, label FROM kernel ORDER BY kernel"):
    print(*row)
EOF
}

# part OPTIONS...: a part of a search.
part() {
	"$anechoic" measure --board fake --isa x86_64 --what ports \
		--core "$work/disturbed.core" --db "$work/part.db" \
		--forms '^(ADD|SUB|SHR|IMUL|AND|OR)64r(r|i8|1|i)$' "$@" \
		>"$work/log" 2>&1
}

for budget in 600 900 1050; do
	rm -f "$work/part.db"
	part --budget "$budget"
	kernels "$work/before"
	part --budget 300 --resume
	kernels "$work/after"
	n=$(wc -l <"$work/before")
	if [ "$n" -eq 0 ] || ! head -n "$n" "$work/after" |
		cmp - "$work/before"; then
		echo "FAIL: budget $budget: resumed, kernels are replaced"
		exit 1
	fi
done
echo "8 passed, 0 failed"
