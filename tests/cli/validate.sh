#!/bin/sh
# make validate as users call it, with paths relative to the root of the
# project: one loop, and nothing about how long it takes or was said to take.
#	validate.sh ANECHOIC ROOT FOLDER
set -eu
anechoic=$1
root=$2
work=$3
for tool in gcc objcopy realpath; do
	command -v $tool >/dev/null || {
		echo "skip: no $tool"
		exit 77
	}
done
rm -rf "$work"
mkdir -p "$work"
cd "$root"
build=$(realpath --relative-to=. "$(dirname "$anechoic")/..")
db=$(realpath --relative-to=. "$work")/a.db
"$anechoic" measure --board linux-process --forms '^ADD64rr$' --db "$db" \
	>"$work/log" 2>&1
# A loud machine is told as such; then there are no statistics.
VALIDATE_ONLY='store-gcc-O1-*' VALIDATE_TIMES=$work/times \
	sh tests/validate/validate.sh "$build" db "$db" >"$work/output" 2>&1 ||
	grep -q 'a quiet machine expected' "$work/output" || {
	cat "$work/output"
	exit 1
}
grep -q '^store-gcc-O1-' "$work/output" || {
	cat "$work/output"
	exit 1
}
