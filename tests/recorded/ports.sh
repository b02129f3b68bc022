#!/bin/sh
# Search again for ports in the samples of a recorded machine: is a class wrong?
#	ports.sh ANECHOIC PORTS.cfg NAME FOLDER
# FOLDER receives the database and what solve said.
set -eu
anechoic=$1
rows=$2
name=$3
work=$4
here=$(dirname "$rows")

fail() {
	echo "FAIL: $name: $*" >&2
	exit 1
}

row=$(grep "^$name|" "$rows") || fail "no such row in $rows"
IFS='|' read -r _ machine width forms classes wrong kinds <<END
$row
END
rm -rf "$work"
mkdir -p "$work"
xz -dc "$here/$name.db.xz" >"$work/all.db"
# The mixes of the fit are not recorded, so its error cannot be found again.
sqlite3 "$work/all.db" "DELETE FROM claim WHERE kind = 'error'"
"$anechoic" solve --db "$work/all.db" >"$work/solve"
echo "$name: $machine"
sed -n '/^width/,/^$/p; /forms:/p' "$work/solve"
grep -q "^width $width," "$work/solve" || fail "the width is not $width"
with=$(sed -n 's/^[0-9]* forms: \([0-9]*\) with ports.*/\1/p' "$work/solve")
[ "${with:-0}" -ge "$forms" ] || fail "${with:-no} forms with ports, not $forms"

# Classes, and the ports of forms without memory about which there is no doubt: a
# form and a port a line.
# shellcheck disable=SC2016 # a program of awk
split='{ n = split($2, p, "|"); for (i = 1; i <= n; i++) print $1, p[i] }'
sed -n '/^width/,/^$/p' "$work/solve" |
	awk '$NF == "forms" && $2 ~ /^p/ '"$split" >"$work/classes"
sqlite3 -separator ' ' "$work/all.db" "SELECT form, source FROM claim
	WHERE kind = 'ports' AND verdict = 'ok' AND source LIKE 'p%'
	AND form NOT GLOB '*m' AND form NOT GLOB '*m[ri]*'" |
	awk "$split" >"$work/forms"
n=$(cut -d ' ' -f 1 "$work/classes" | sort -u | wc -l)
[ "$n" -ge "$classes" ] || fail "$n classes, not $classes"
: >"$work/seen"
: >"$work/wrong"
while [ -n "$kinds" ]; do
	IFS='|' read -r which most kinds <<END
$kinds
END
	grep -E "$which" "$work/classes" | cut -d ' ' -f 2 | sort -u \
		>"$work/ports"
	n=$(wc -l <"$work/ports")
	[ "$n" -le "$most" ] ||
		fail "classes like $which have $n ports, not $most"
	comm -12 "$work/seen" "$work/ports" | grep . &&
		fail "classes like $which have these ports of others"
	cat "$work/ports" >>"$work/seen"
	sort -o "$work/seen" "$work/seen"
	# Ports of classes, but of no class of this kind.
	cut -d ' ' -f 2 "$work/classes" | sort -u |
		comm -23 - "$work/ports" >"$work/others"
	grep -E "$which" "$work/forms" |
		awk 'NR == FNR { other[$1]; next } $2 in other { print $1 }' \
			"$work/others" - >>"$work/wrong"
done
sort -u "$work/wrong"
n=$(sort -u "$work/wrong" | wc -l)
[ "$n" -le "$wrong" ] || fail "these $n forms have ports of other kinds"
n_forms=$(cut -d ' ' -f 1 "$work/forms" | sort -u | wc -l)
echo "$n of $n_forms register forms have ports of another kind"
