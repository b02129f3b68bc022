#!/bin/sh
# Words that do not come back: each had a plain word in its place, or is for
# people and was said of instructions.  Prints each line with one.
cd "$(dirname "$0")/../.." || exit 2
# A word, and what to write.
list="
ado|without: say what the code does
aloud|in the output
anew|again, each time
anybody|name the subject
ballot|candidate
ballots|candidates
beside|with, together with, in addition to
besides|in addition to, also
cares|depends on
circle|latency cycle (a verdict keeps its name)
company|interference
crew|parallel session
crosswise|by cross-multiplication
flood|saturation kernel
flooded|saturated
floods|saturation kernels
founders|representatives
go by|depend on, use
goes by|depends on, uses
hunt|port search
kin|fallback, similar forms
likes|name the subject
neighbour|SMT sibling, adjacent
nobody|name the subject
somebody|name the subject
patience|time to wait
spoiled|unusable
testimony|visits of a kernel
thereof|of it: name it
to and fro|back and forth
told apart|distinguished
vouch|guarantee
whoever|name the subject
whom|name the subject
"
# The verdict 'circle', the word 'company' of older databases, details of claims, and
# a name.
# shellcheck disable=SC2016 # a pattern with backquotes
allowed='</?circle|"circle"|`circle`|\| circle \||circle$|call circle|"company", VERDICT_INTERFERENCE|text = "company"|arena_printf|; (beside|no faster)|, beside others|Lea, Flood'
words=$(echo "$list" | sed -n 's/|.*//p' | paste -sd '|')
found=$(git ls-files '*.[chS]' '*.cpp' '*.md' '*.sh' '*.cfg' '*.conf' '*.cmake' \
	'*CMakeLists.txt' '*.core' '*.expect' |
	grep -v '^tests/lint/words.sh$' |
	xargs grep -nwiE "$words" 2>/dev/null | grep -vE "$allowed")
[ -z "$found" ] && exit 0
echo "$found" | while IFS= read -r line; do
	echo "$line"
	echo "$list" | while IFS='|' read -r word instead; do
		[ -n "$word" ] &&
			echo "${line#*:*:}" | grep -qwi "$word" &&
			echo "	$word: $instead"
	done
done
exit 1
