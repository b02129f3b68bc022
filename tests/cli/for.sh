#!/bin/sh
# measure --for: what a compiled loop consists of is measured on this machine, and
# the loop is predicted from it.
#	for.sh ANECHOIC CC
set -eu
anechoic=$1
cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/loop.c" <<'EOF'
unsigned long f(const unsigned long *x, unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++)
		sum = sum * 3 + x[i];
	return sum;
}
EOF
"$cc" -O1 -S "$work/loop.c" -o "$work/loop.s"
"$anechoic" measure --board linux-process --for "$work/loop.s" --function f \
	--db "$work/x.db" >"$work/out" 2>"$work/err" || {
	cat "$work/err"
	exit 1
}
grep -q '^  predicted  *[0-9]' "$work/out"
grep -q "^loop: $work/loop.s:" "$work/out"
# Each row of the loop whose form can be measured has a measured value.
grep -q 'latency.* measured' "$work/out"
# A second time the database is there, and the prediction needs no board.
"$anechoic" predict --db "$work/x.db" --function f "$work/loop.s" >"$work/again"
grep -q '^  predicted  *[0-9]' "$work/again"
