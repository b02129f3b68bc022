#!/bin/sh
# The table of docs/verdicts.md is that of host/store/verdict_list.h, and host/
# writes the word of a verdict nowhere else.
#	verdicts.sh write	write the table into docs/verdicts.md
cd "$(dirname "$0")/../.." || exit 2
list=host/store/verdict_list.h
page=docs/verdicts.md

rows() {
	awk '
	/^\/\* / || text != "" && row == "" && !/^VERDICT\(/ {
		line = $0
		sub(/^(\/\*| \*) /, "", line)
		sub(/ \*\/$/, "", line)
		if ($0 ~ /^\/\* /)
			text = ""
		text = text (text == "" ? "" : " ") line
		next
	}
	/^VERDICT\(/ { row = "" }
	/^VERDICT\(/ || row != "" {
		row = row $0
		if (row !~ /"\)$/)
			next
		split(row, part, /, */)
		word = part[2]
		gsub(/"/, "", word)
		gives = tolower(part[3])
		model = part[4] ~ /SETTLED/ ? "the value" : \
			part[4] ~ /PORTS/ ? "the ports" : ""
		again = part[4] ~ /REPEATED/ ? "yes" : ""
		printf "| %s | %s | %s | %s | %s |\n", word, gives, model, again, text
		text = row = ""
	}' $list
}

# All of the page, with a new table, which is the end of the page.
page_of_today() {
	sed '/^| verdict |/,$d' $page
	# shellcheck disable=SC2016 # the backquotes are the table's
	echo '| verdict | value | a model uses | `--redo noisy` | meaning |'
	echo '|---|---|---|---|---|'
	rows
}

today=$(page_of_today)
if [ "$1" = write ]; then
	echo "$today" >$page
	exit
fi
failed=0
words=$(sed -n 's/^VERDICT([A-Z_]*, "\([a-z-]*\).*/\1/p' $list)
# A pattern that matches nothing would pass, too.
if [ "$(echo "$words" | wc -l)" -lt 20 ] ||
	[ "$(rows | wc -l)" -ne "$(echo "$words" | wc -l)" ]; then
	echo "$list: rows VERDICT(NAME, \"word\", GIVES, facts, \"meaning\"), each with a comment"
	failed=1
fi
if [ "$today" != "$(cat $page)" ]; then
	echo "$page is not up to date with $list: sh tests/lint/verdicts.sh write"
	failed=1
fi
# Words that nothing else in host/ is called by.
for w in $(echo "$words" |
	grep -vxE 'ok|open|missing|dependent|eliminated|fault|model|noisy'); do
	grep -rn "\"$w\"" host --include='*.[ch]' --include='*.cpp' |
		grep -v "^$list:" && failed=1
done
grep -rnE 'strn?cmp\([^"]*verdict[^"]*"' host --include='*.[ch]' && failed=1
exit $failed
