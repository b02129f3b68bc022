#!/bin/sh
# A database of an invented x86-64 core for winic.py: WINIC's analysis knows no
# other instruction set.  winic.sh ANECHOIC PYTHON
. "$(dirname "$0")/../head.sh"
here=$(cd "$(dirname "$0")" && pwd)
cat >"$work/core" <<'END'
isa = x86_64
clock = core
width = 4
ports = a b
form IMUL.*: ports=a, latency=3
form .*: ports=a|b
END
"$1" measure --board fake --core "$work/core" --db "$work/a.db" \
	--forms '^(ADD|SUB|XOR|IMUL|CMP)64r[ri]|^VPADD[BD]rr$|^VMULPSrr$' \
	>"$work/out" 2>&1 || {
	echo "FAIL: $(tail -3 "$work/out")"
	exit 1
}
"${ANECHOIC_WINIC_PYTHON:-$2}" -B "$here/winic.py" "$1" "$work/a.db"
