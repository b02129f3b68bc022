#!/bin/sh
# Ports that are inferred again from a database are those of the campaign, also
# when a budget ended it: portfit.sh ANECHOIC CORE
. "$(dirname "$0")/../head.sh"
anechoic=$1
cp "$2" "$work/core"
cd "$work" || exit 2

fail() {
	echo "FAIL: $*"
	sed 's/^/  | /' campaign again
	exit 1
}

# All that is printed of the model and its fit, but for seconds.
figures() {
	grep -E '^width|^  [A-Z]|^[0-9]+ (forms|random)|^experiments' "$1" |
		sed 's/(solved in [^)]*)//'
}

forms='^(ADD|SHL|IMUL|LZCNT|ANDN|XCHG)64(rr|ri|rm|mr)$|^VPADDDY?rr$|^VPSHUF[BD]r[ri]$|^V(ADD|MUL)PSY?rr$'
for budget in 350 700 10m; do
	rm -f a.db
	"$anechoic" measure --board fake --core core --what ports \
		--forms "$forms" --budget $budget --db a.db >campaign 2>&1 ||
		fail "measure"
	"$anechoic" solve --db a.db >again 2>&1 || fail "solve"
	figures campaign >one
	figures again >two
	[ -s one ] || fail "no figures"
	cmp -s one two || fail "budget $budget: solve says something else"
done
# A mix whose registers make it wait has no value.
grep -qE '^(19[0-9][0-9]|2000) random mixes' one || fail "no fit"
echo "1 passed, 0 failed"
