#!/bin/sh
# docs/thresholds.md lists every number that decides what a value is: each
# `const double NAME = NUMBER` of host/solve, host/effect and target/core has a row with its
# file, name and value, and no row names what is not there.
cd "$(dirname "$0")/../.." || exit 2
table=docs/thresholds.md
failed=0

# FILE NAME VALUE of each constant; declarations may have several, over lines.
constants() {
	awk '
	FNR == 1 { text = "" }
	/^[ \t]*(static )?const double [a-z_]+ = / || text != "" {
		text = text $0
		if (text !~ /;/)
			next
		file = FILENAME
		sub(/.*\//, "", file)
		sub(/^[ \t]*(static )?const double /, "", text)
		sub(/;.*/, "", text)
		n = split(text, part, /,[ \t]*/)
		for (i = 1; i <= n; i++)
			if (split(part[i], word, / = /) == 2 &&
			    word[2] ~ /^[0-9.][0-9.e-]*$/)
				print file, word[1], word[2]
		text = ""
	}' host/solve/*.[ch] host/effect/*.[ch] target/core/*.[ch]
}

# FILE NAME VALUE of each row.
rows() {
	# shellcheck disable=SC2016 # the backquotes are the table's
	sed -n 's/^| `\([a-z_/]*\.[ch]\)` `\([A-Za-z_]*\)` | \([^|]*\) |.*/\1 \2 \3/p' \
		"$table"
}

listed=$(rows)
found=$(constants)
if [ "$(echo "$found" | wc -l)" -lt 20 ]; then
	echo "host/solve: constants such as 'static const double NAME = NUMBER'"
	exit 1
fi
while read -r file name value; do
	echo "$listed" | grep -qxF "$file $name $value" || {
		echo "$table: a row for $file, $name, with the value $value"
		failed=1
	}
done <<END
$found
END
while read -r file name _; do
	cat "host/solve/$file" "host/effect/$file" "target/core/$file" "common/$file" 2>/dev/null |
		grep -qw -e "$name" || {
		echo "$table: $name is not in $file"
		failed=1
	}
done <<END
$listed
END
exit $failed
