#!/bin/sh
# A search of few forms, whose classes do not have the ports of a form: its ports are
# open, not those that happen to be known.
#	few.sh ANECHOIC EXAMPLES CORES
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
examples=$2
cores=$3

# open CORE FORM OTHERS: a search of the form and others leaves its ports open.
open() {
	rm -f "$work/db"
	"$anechoic" measure --board fake --core "$1" --what ports \
		--forms "^($2|$3)\$" --db "$work/db" >"$work/out" 2>&1 || {
		cat "$work/out"
		exit 1
	}
	"$anechoic" show --db "$work/db" "$2" >"$work/out"
	if ! grep -A1 '^  ports' "$work/out" | grep -q '^ *open; '; then
		echo "FAIL: $2 with $3"
		cat "$work/out"
		exit 1
	fi
}

# Two of the three ports of its breaker, which no class has alone.
open "$examples/x86.core" ADC64rr 'ADD64rr|MOV64r[rm]'
open "$examples/x86.core" ADC64rr 'ADD64rr|IMUL64rr|MOV64r[rm]'
# Three uops on ports that only forms as fast as the front end have.
open "$cores/skylake.core" XCHG64rr 'ADD64rr|MOV64r[rm]'
open "$cores/skylake.core" XCHG64rr 'ADD64rr|SHL64ri|IMUL64rr|MOV64r[rm]'
