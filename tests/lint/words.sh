#!/bin/sh
# Words that do not come back: each had a plain word in its place, or is for
# people and was said of instructions.  Prints each line with one.
cd "$(dirname "$0")/../.." || exit 2
# A word, and what to write.
list="
ado|without: say what the code does
anew|again, each time
aloud|in the output
anybody|name the subject
ballot|candidate
ballots|candidates
beside|with, together with, in addition to
besides|in addition to, also
company|interference (a verdict keeps its name)
crew|parallel session
flood|saturation kernel
flooded|saturated
floods|saturation kernels
founders|representatives
hunt|port search
kin|fallback, similar forms
nobody|name the subject
somebody|name the subject
spoiled|unusable
testimony|visits of a kernel
told apart|distinguished
whoever|name the subject
whom|name the subject
"
# The verdict 'company', details of claims, and a name.
# shellcheck disable=SC2016 # a pattern with backquotes
allowed='"company"|`company`|\| company \||arena_printf|; (beside|no faster)|, beside others|Lea, Flood'
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
