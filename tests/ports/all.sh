#!/bin/sh
# Ports of every invented core and of sixty random ones, each with noise alone,
# and with outliers and a scheduler that binds uops when they are issued:
#	all.sh BUILD
# Prints a line for each, and how many are below what tests/ports/README.md promises.
. "$(dirname "$0")/../head.sh"
bin=$1/bin
here=$(dirname "$0")
failed=0

# try FILE.core LINES...: the first of the lines gives the noise.
try() {
	sh "$here/run.sh" "$bin/anechoic" "$bin/ports_check" "$work/db" "$@" \
		>"$work/out" 2>&1 || {
		failed=$((failed + 1))
		printf 'BELOW: '
	}
	tail -1 "$work/out"
}

both() {
	try "$1" "noise = 1.2"
	if ! grep -q '^order *= *in' "$1"; then
		try "$1" "noise = 0.6" "outliers = 1" \
			"scheduler = least-loaded"
	fi
}

for core in "$here"/cores/*.core; do
	both "$core"
done
for seed in $(seq 1 60); do
	"$bin/ports_random" "$seed" >"$work/random-$seed.core"
	both "$work/random-$seed.core"
done
echo "$failed below"
[ "$failed" = 0 ]
