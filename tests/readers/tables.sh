#!/bin/sh
# A database of the fake board for tables.py: tables.sh ANECHOIC PYTHON
. "$(dirname "$0")/../head.sh"
here=$(cd "$(dirname "$0")" && pwd)
"$1" measure --board fake --core "$here/../fake/simple.core" \
	--db "$work/a.db" --forms '^(ADD|SUB|IMUL|XOR|MOV|V?PADD|V?MULP)' \
	>"$work/out" 2>&1 || {
	echo "FAIL: $(tail -3 "$work/out")"
	exit 1
}
"$2" -B "$here/tables.py" "$1" "$work/a.db"
