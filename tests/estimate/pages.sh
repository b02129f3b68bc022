#!/bin/sh
# pages.sh ANECHOIC PROGRAM: the exact misses of two TLBs, and mispredicted jumps
# of which nothing can predict more than half.
. "$(dirname "$0")/../head.sh"
anechoic=$1 program=$2
cat >"$work/caches.conf" <<'CONF'
l1.size = 32K
l1.ways = 8
l1.latency = 4
memory.latency = 100
tlb1.entries = 64
tlb1.ways = full
tlb2.entries = 2048
tlb2.ways = full
tlb2.latency = 7
page.walk = 30
page.walkers = 2
branch.penalty = 17
CONF

expect() {
	if ! grep -qF "$1" "$work/json"; then
		echo "no '$1' in the report:"
		cat "$work/json"
		exit 1
	fi
}

"$anechoic" estimate --cpu znver4 --caches "$work/caches.conf" --format json \
	-o "$work/json" -- "$program" || exit 1
expect '"tlb": [{"accesses": 10000, "misses": 10000}, {"accesses": 10000, "misses": 1000}]'
# Each costs 17 cycles.  The numbers are the same in each run.
awk -F '"branch_cycles": ' 'NF > 1 { n = ($2 + 0) / 17 }
	END { print n, "mispredicted"; exit n < 9000 || n > 11500 }' "$work/json"
