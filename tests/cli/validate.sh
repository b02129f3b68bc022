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
# What OSACA prints, in short: 2.5 cycles on its busiest port.
mkdir "$work/bin"
cat >"$work/bin/osaca" <<'END'
#!/bin/sh
[ "$1 $2 $3" = "--arch ICX --ignore-unknown" ] && grep -q 'j.* .Lloop' "$4" ||
	exit 1
cat <<'REPORT'
Open Source Architecture Code Analyzer (OSACA) - 0.7.0
Architecture:       ICX

Combined Analysis Report
------------------------
                    Port pressure in cycles
     |  0   - 0DV  |  1   |  2   - 2D  |  3   - 3D  || CP   | LCD  |
--------------------------------------------------------------------
   1 |             |      |            |            ||      |      |   .Lloop:
   2 | 0.25        | 0.25 |            |            ||  1.0 |  1.0 |   addq $8, %rdi

       0.25          0.25   2.50   2.50  0.50   0.50   4.0    1.0

Loop-Carried Dependencies Analysis Report
-----------------------------------------
   2 |  1.0 | addq $8, %rdi                      | [2]
REPORT
END
chmod +x "$work/bin/osaca"
PATH=$work/bin:$PATH VALIDATE_ONLY='store-gcc-O1-*' VALIDATE_OSACA=ICX \
	VALIDATE_CSV=$work/loops.csv \
	sh tests/validate/validate.sh "$build" db "$db" >"$work/output" 2>&1 || {
	cat "$work/output"
	exit 1
}
grep -q '^store-gcc-O1-' "$work/output" || {
	cat "$work/output"
	exit 1
}
# A disturbed machine has no value, and there are no statistics.
if ! grep -q '^predicted against measured' "$work/output"; then
	exit 0
fi
for line in '^store-gcc-O1-.* 2\.50$' '^osaca against measured *[1-3] blocks'; do
	grep -q "$line" "$work/output" || {
		cat "$work/output"
		exit 1
	}
done
# The site reads what it wrote.
"$anechoic" site -o "$work/site" --loops "$work/loops.csv" "$db" >"$work/log"
grep -q '>osaca</th><td class="n">[1-3]<' "$work"/site/core/*.html
