#!/bin/sh
# Run each row of a cases file: cases.sh ANECHOIC CASES
. "$(dirname "$0")/../head.sh"
anechoic=$1
# The folder of the cases file; rows use it.
export here
here=$(dirname "$2")
failed=0
passed=0
cd "$work" || exit 2
# Names that never end, of which each would be read to the end of its line.
{
	echo '<L0>:'
	head -c 3000000 /dev/zero | tr '\0' '<'
} >long.txt
while IFS='|' read -r status arguments expected; do
	case $status in '#'* | '') continue ;; esac
	eval "'$anechoic' $arguments" >output 2>&1 </dev/null
	got=$?
	if [ "$got" -ne "$status" ] || ! grep -qF -e "$expected" output; then
		echo "FAIL: anechoic $arguments"
		echo "  exit $got, expected $status, and a line with: $expected"
		sed 's/^/  | /' output | head -5
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
done <"$2"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
