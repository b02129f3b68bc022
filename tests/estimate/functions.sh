#!/bin/sh
# functions.sh ANECHOIC PROGRAM: exact numbers of instructions of functions that
# are entered by other ways than calls (functions_x86_64.S).
set -u
anechoic=$1 program=$2
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

# check N OPTIONS...
check() {
	wanted=$1
	shift
	"$anechoic" estimate "$@" --format json -o "$out/json" -- "$program" ||
		exit 1
	n=$(sed -n 's/^  "instructions": \([0-9]*\),$/\1/p' "$out/json")
	if [ "$n" != "$wanted" ]; then
		echo "$*: $n instructions instead of $wanted"
		exit 1
	fi
}

check 8 --function inner
check 22 --function head
check 30 --function inner --function head
check 22 --function head --no-accesses
