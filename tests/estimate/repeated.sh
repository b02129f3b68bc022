#!/bin/sh
# repeated.sh ANECHOIC GUEST: a string instruction that repeats itself is one
# instruction, with the time that a manual gives for all of its elements.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
"$1" estimate --cpu skylake --format json --top 100 -o "$out/json" -- "$2" ||
	exit 1
# 16 times six, and seven.
n=$(sed -n 's/^  "instructions": \([0-9]*\),$/\1/p' "$out/json")
if [ "$n" != 103 ]; then
	echo "$n instructions instead of 103"
	exit 1
fi
# 35 + 4096 / 32, of each.
for wanted in '"count": 16, "instructions": 1, "core_cycles": 2608' \
	'"count": 1, "instructions": 1, "core_cycles": 163'; do
	if ! grep -q "${wanted}[,.]" "$out/json"; then
		grep -o '"count":.*"why": "[^"]*"' "$out/json"
		echo "no block with $wanted"
		exit 1
	fi
done
