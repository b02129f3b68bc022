#!/bin/sh
# Each row of a mistakes file: the command exits with 2, prints nothing but the
# row's message, and leaves no file behind.
#	mistakes.sh ANECHOIC MISTAKES
. "$(dirname "$0")/../head.sh"
anechoic=$1
mistakes=$2
cp "${mistakes%/*}/../fake/simple.core" "$work"
cd "$work" || exit 2
: >empty.db
: >x.s
echo 'nothing of value' >text.log
echo '0x90' >words.csv
echo 'all.board = qemu-virt' >all.conf
printf '{}' | xz -c | head -c 40 >cut.xz
before=$(ls)
failed=0
n=0
while IFS= read -r row; do
	case $row in '#'* | '') continue ;; esac
	arguments=${row%%|*}
	n=$((n + 1))
	eval "'$anechoic' $arguments" >stdout 2>stderr </dev/null
	status=$?
	printf 'anechoic: %s\n' "${row#*|}" >expected
	if [ $status -ne 2 ] || [ -s stdout ] ||
		! cmp -s stderr expected; then
		echo "FAIL: anechoic $arguments"
		echo "  exit $status, expected 2 and:"
		sed 's/^/  > /' expected
		sed 's/^/  < /' stderr stdout | head -5
		failed=$((failed + 1))
	fi
	rm -f stdout stderr expected
	if [ "$(ls)" != "$before" ]; then
		echo "FAIL: anechoic $arguments left a file: $(ls)"
		failed=$((failed + 1))
	fi
done <"$mistakes"
echo "$n mistakes, $failed failed"
[ $failed -eq 0 ] && [ $n -ge 30 ]
