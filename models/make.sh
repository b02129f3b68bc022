#!/bin/sh
# make.sh ANECHOIC DB NAME CORE [FOLDER]: write FOLDER/NAME.json.xz, FOLDER being
# models if it is not given, from a database with one default run, e.g.
#
#	anechoic measure --board linux-process --db zen5.db
#	sh models/make.sh build/bin/anechoic zen5.db zen5-vm \
#		"AMD Zen 5, virtual machine"
#
# CORE says what the core is, in the maker's own name.  The database stays as it
# is: a copy is solved again, which also tells how quiet the machine was.
set -eu
anechoic=$1
db=$2
name=$3
core=$4
here=$(cd "$(dirname "$0")" && pwd)
folder=${5:-$here}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$db" "$work/x.db"
"$anechoic" solve --db "$work/x.db" >"$work/solved"
"$anechoic" shares --db "$work/x.db" >"$work/shares"
"$anechoic" export --db "$work/x.db" --format model -o "$work/model.json"

# "silence: N rows, F with flags (...)": the first two; how many throughputs have
# no value, and how many latencies neither a value nor a named reason, which is what
# check.sh asks.
noise=$(sed -n 's/^silence: \([0-9]* [a-z]*, [0-9]* with flags\).*/\1/p' \
	"$work/solved")
noise="${noise:+$noise; }no value: $(awk '
	/^throughput, of those executed/ { t = $5 }
	/^  none: noisy/ { n = $5 }
	/^pairs of registers/ { p = $7 }
	/^latency or a named reason/ { r = $6 }
	END {
		printf "%d of %d throughputs; neither value nor reason: %d of %d latencies",
			n, t + n, p - r, p
	}' "$work/shares")"
share=$(awk '/^throughput, of those/ {
		printf "throughputs of %s forms, %s %%", $5, $6
	}
	/^  latency, exact/ {
		printf "; latencies of %s pairs of operands, %s %%", $3, $4
	}
	/^  latency, two speeds/ { printf "; as an interval %s %%", $8 }' \
	"$work/shares")
# Of a search for ports: "N forms: P with ports, ...", "O of those with ports are open".
share="$share$(awk '
	/^[0-9]+ forms: [0-9]+ with ports/ { p = $3 }
	/^[0-9]+ of those with ports are open/ { o = $1 }
	END { if (p) printf "; ports of %d forms, %d of them open", p, o }
' "$work/solved")"
measured=$(sed -n 's/.*"about": .*"tool": "\([^"]*\)".*/\1/p' "$work/model.json")
own=$("$anechoic" --version)
tool=
[ "anechoic $measured" = "$own" ] ||
	tool="measured by $measured, solved by ${own#anechoic }"
python3 "$here/compact.py" "$core" "$tool" "$noise" "$share" \
	<"$work/model.json" >"$work/compact.json"
"$anechoic" export --model "$work/compact.json" --format model \
	-o "$work/again.json"
xz -9e -c "$work/compact.json" >"$work/compact.xz"
mv "$work/compact.xz" "$folder/$name.json.xz"
sh "$here/check.sh" "$anechoic" "$folder/$name.json.xz"
