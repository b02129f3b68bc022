#!/bin/sh
# Measure the forms of forms.txt on emulated boards and compare the values with
# expected.csv, both in the folder of this script.
#	measure.sh ANECHOIC OUT [update]
# OUT gets a database for each board and the values. A value that differs, is missing or is
# new fails, with a diff; `update` writes expected.csv instead.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
anechoic=$1
out=$2
mode=${3:-compare}

case $mode in
compare | update) ;;
*)
	echo "measure.sh: expected 'update' or nothing, not '$mode'" >&2
	exit 2
	;;
esac
mkdir -p "$out"
rm -f "$out"/*.db "$out"/*.db-wal "$out"/*.db-shm "$out"/*.csv

# The columns that must not change: name, value and verdict. A comma in a quoted
# name ("VADD_VV/e32,m2") ends no column.
values() {
	sed -E '1d; :a; s/("[^",]*),([^"]*")/\1.\2/; ta' "$1" |
		cut -d , -f 1-7,10
}

while read -r board isa forms; do
	case $board in '#'* | '') continue ;; esac
	db=$out/$board-$isa.db
	"$anechoic" measure --board "$board" --isa "$isa" --forms "$forms" \
		--db "$db" </dev/null
	"$anechoic" export --db "$db" --format csv -o "$db.csv"
done <"$here/forms.txt"
if ! ls "$out"/*.db.csv >/dev/null 2>&1; then
	echo "measure.sh: $here/forms.txt names no board" >&2
	exit 2
fi
{
	echo 'isa,form,kind,source,destination,low_cycles,high_cycles,verdict'
	for csv in "$out"/*.db.csv; do
		values "$csv"
	done | LC_ALL=C sort
} >"$out/values.csv"

if [ "$mode" = update ]; then
	cp "$out/values.csv" "$here/expected.csv"
	echo "$here/expected.csv: $(($(wc -l <"$out/values.csv") - 1)) values"
	exit 0
fi
if ! diff -u "$here/expected.csv" "$out/values.csv"; then
	echo "measure.sh: values differ from $here/expected.csv (- expected," \
		"+ measured); if they should, run it with 'update' and commit" >&2
	exit 1
fi
echo "$(($(wc -l <"$out/values.csv") - 1)) values as expected"
