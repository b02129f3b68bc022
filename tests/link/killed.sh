#!/bin/sh
# A script that is killed by a closed pipe leaves no line and no board.
#	killed.sh LINE
. "$(dirname "$0")/../head.sh"
line=$1

cat >"$work/script" <<'END'
"$1" "$2/tty" 0 sh -c 'echo $$ >"$1/board"; exec sleep 60' sh "$2" &
until [ -s "$2/board" ]; do sleep 0.1; done
while :; do echo text; done
END
sh "$work/script" "$line" "$work" | head -n 1 >"$work/out"
board=$(cat "$work/board")
n=0
# A process that is not waited for is a zombie, which has ended, too.
while grep -qs '^State:[[:space:]]*[^Z]' "/proc/$board/status"; do
	n=$((n + 1))
	if [ $n -ge 50 ]; then
		kill "$board"
		echo "FAIL: the board runs on after its script"
		exit 1
	fi
	sleep 0.1
done
echo "1 passed, 0 failed"
