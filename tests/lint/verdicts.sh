#!/bin/sh
# The verdicts of docs/method.md are a closed list: host/store/verdict.c explains each, and
# what counts as settled, is measured again or is judged anywhere is one of
# them.
cd "$(dirname "$0")/../.." || exit 2
listed=$(sed -n 's/^| \([a-z-]*\)\(:CAUSE\)* | \(exact\|interval\|both\|measured\|seen\|none\).*/\1/p' docs/method.md)
if [ "$(echo "$listed" | wc -l)" -lt 10 ]; then
	echo "docs/method.md: a table of verdicts"
	exit 1
fi
failed=0
for v in $listed; do
	grep -qF "\"$v" host/store/verdict.c || {
		echo "host/store/verdict.c: a meaning of verdict $v"
		failed=1
	}
done
used=$(cat host/solve/*.c host/model/settled.c host/campaign/redo.c |
	grep -o 'verdict = "[a-z-]*"' | sed 's/.*"\(.*\)"/\1/')
for v in $used; do
	echo "$listed" | grep -qx -e "$v" || {
		echo "docs/method.md: verdict $v"
		failed=1
	}
done
exit $failed
