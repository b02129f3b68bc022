#!/bin/sh
# versions.sh ANECHOIC SOURCE: each shipped table has a version, of the file as it
# is; CITATION.cff has the program's; a submission is checked.
. "$(dirname "$0")/../head.sh"
anechoic=$1
source=$2
failed=0

fail() {
	echo "FAIL: $*"
	failed=1
}

for file in "$source"/models/*.json.xz; do
	name=$(basename "$file" .json.xz)
	sum=$(sha256sum "$file" | cut -d' ' -f1)
	grep -qE "^$name [1-9][0-9]* $sum\$" "$source/models/versions.txt" ||
		fail "models/versions.txt: $name VERSION $sum, with the next version"
	grep -q "^| $name.json.xz | [1-9]" "$source/models/README.md" ||
		fail "models/README.md: a row of $name with its version"
done
version=$("$anechoic" --version | awk '{ gsub(",", "", $2); print $2 }')
grep -q "^version: $version\$" "$source/CITATION.cff" ||
	fail "CITATION.cff: version: $version"

cd "$work" || exit 2
printf 'isa = x86_64\nwidth = 2\nports = a\nform .*: ports=a\n' >core
"$anechoic" measure --board fake --isa x86_64 --core core --db a.db \
	--forms '^ADD64rr$' >log 2>&1 || fail "measure: $(cat log)"
sh "$source/models/submit.sh" "$anechoic" a.db some "Some core" some.tar.xz \
	>log 2>&1 && fail "a database of one form is submitted"
grep -q FAIL log || fail "no reason: $(cat log)"
[ ! -e some.tar.xz ] || fail "a file that was not checked"
sh "$source/models/submit.sh" "$anechoic" a.db ../x "Some core" some.tar.xz \
	>log 2>&1
[ $? = 2 ] || fail "a name with a slash"

# A whole submission, with a page that links to nothing else.
"$anechoic" measure --board fake --isa x86_64 --core core --db b.db \
	--forms '^V[A-M][A-Z0-9]*Z(128|256)?rr[ik]?k?z?$' >log 2>&1 ||
	fail "measure: $(cat log)"
sh "$source/models/submit.sh" "$anechoic" b.db some "Some core" some.tar.xz \
	>log 2>&1 || fail "submit: $(cat log)"
tar xJf some.tar.xz || fail "no file"
grep -q '^noise: no value: 0 of [0-9]* throughputs; neither value nor reason: 0 of [0-9]* latencies$' \
	some/about.txt || fail "$(cat some/about.txt)"
grep -q 'Some core' some/page/core/any.html || fail "no page"
grep -o 'href="[.][^"]*"' some/page/core/any.html | grep -v site.css &&
	fail "links to pages that are not there"
# As many missing values as a hundredth, one more, and none of none.
for n in "10 of 1000" "11 of 1000" "0 of 0"; do
	xz -dc some/model.json.xz |
		sed "s/no value: 0 of [0-9]*/no value: $n/" |
		xz -c >x.json.xz
	good=no
	sh "$source/models/check.sh" "$anechoic" x.json.xz >log 2>&1 && good=yes
	case $n,$good in
	10*,yes | 11*,no | 0*,no) ;;
	*) fail "$n throughputs without a value: $(cat log)" ;;
	esac
done
exit $failed
