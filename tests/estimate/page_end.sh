#!/bin/sh
# page_end.sh ANECHOIC GUEST N: an instruction across the end of a page counts
# as often as it is executed, and once in the listing.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
"$1" estimate --format json --top 100 -o "$out/json" -- "$2" || exit 1
n=$(sed -n 's/^  "instructions": \([0-9]*\),$/\1/p' "$out/json")
if [ "$n" != "$3" ]; then
	echo "$n instructions instead of $3"
	exit 1
fi
"$1" estimate --top 100 -o "$out/text" -- "$2" || exit 1
if grep '(data)' "$out/text"; then
	echo "an instruction that is none"
	exit 1
fi
