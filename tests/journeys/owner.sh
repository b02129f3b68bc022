#!/bin/sh
# A board's owner has the recorded log of a console, and wants values,
# a page of them, and what a loop takes on the board.
#	owner.sh ANECHOIC LOG.xz
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
log=$2
cd "$work"

# has FILE WORDS: what the person looks for is there.
has() {
	grep -qF -e "$2" "$1" || {
		echo "FAIL: no '$2' in:"
		cat "$1"
		exit 1
	}
}

xz -dc "$log" >board.log
"$anechoic" import --log board.log --db board.db >out 2>&1
has out "silence:"
"$anechoic" show --db board.db MUL >out
has out "latency       2>0"
has out "its log does not name the board"

cat >sum.s <<END
loop:
	ld a5, 0(a0)
	add a4, a4, a5
	addi a0, a0, 8
	bne a0, a1, loop
END
"$anechoic" predict --db board.db sum.s >out
has out "predicted"
has out "measured for LD"
# What was not measured is said.
has out "assumed"

"$anechoic" export --db board.db --format csv -o board.csv
has board.csv "riscv64,MUL,latency"
"$anechoic" compare board.db board.db >out
has out "100.00%"
# Ports were not measured, and no tables are named: nothing to give to OSACA.
if "$anechoic" export --db board.db --format osaca --tables none \
	-o board.yml 2>out; then
	echo "FAIL: a file for OSACA without ports"
	exit 1
fi
has out "--what ports"
"$anechoic" site -o site board.db >out
has out "on 1 core"
has site/index.html "<html"
echo "a log became values, a prediction, a table and a site"
