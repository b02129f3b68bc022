#!/bin/sh
# Blocks of a file, with one process and with several: the same text, in the order of
# the file; a wrong line has its number, and what stands before it is printed.
#	batch.sh ANECHOIC
set -eu
anechoic=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
	echo "batch.sh: $1" >&2
	exit 1
}

# 500 blocks of one to five additions, with empty lines and CRLF line ends.
awk 'BEGIN {
	for (i = 0; i < 500; i++) {
		for (k = 0; k <= i % 5; k++)
			printf "4801c%d", k
		printf i % 3 == 0 ? ",%d\n" : i % 3 == 1 ? ",%d\r\n" : ",%d\n\n", i
	}
}' >blocks.csv

# predict NAME JOBS FILE
predict() {
	code=0
	"$anechoic" predict --isa x86_64 --cpu skylake --jobs "$2" \
		--batch "$3" >"$1.csv" 2>"$1.err" || code=$?
}

predict one 1 blocks.csv
[ "$code" = 0 ] || fail "one process: exit $code: $(cat one.err)"
[ "$(wc -l <one.csv)" = 501 ] || fail "expected 501 lines: $(wc -l <one.csv)"
awk -F , 'NR > 1 && $6 + 0 != NR - 2 { exit 1 }' one.csv ||
	fail "blocks are not in the order of the file"
for jobs in 2 3 16; do
	predict many $jobs blocks.csv
	[ "$code" = 0 ] || fail "$jobs processes: exit $code"
	cmp one.csv many.csv || fail "$jobs processes print something else"
	grep -q '^500 blocks, ' many.err || fail "counts: $(cat many.err)"
done

# The 400th line is wrong.
sed '400s/.*/x/' blocks.csv >wrong.csv
predict one 1 wrong.csv
[ "$code" = 2 ] || fail "a wrong line: exit $code"
grep -q 'wrong.csv:400:2: expected an even number' one.err ||
	fail "a wrong line: $(cat one.err)"
predict many 3 wrong.csv
[ "$code" = 2 ] || fail "a wrong line, three processes: exit $code"
cmp one.csv many.csv || fail "a wrong line: three processes print something else"
cmp one.err many.err || fail "a wrong line: three processes say something else"

# A file that is wrong from the start prints nothing.
sed '1s/.*/x/' blocks.csv >wrong.csv
predict many 3 wrong.csv
[ "$code" = 2 ] || fail "a wrong first line: exit $code"
[ ! -s many.csv ] || fail "a wrong first line: something is printed"

# A reader that closes the pipe early gets what it reads.
for _ in 1 2 3 4 5 6 7 8; do
	cat blocks.csv blocks.csv blocks.csv blocks.csv
done >many.csv
"$anechoic" predict --isa x86_64 --cpu skylake --bounds --jobs 3 \
	--batch "$work/many.csv" 2>/dev/null | head -1 | grep -q '^block,' ||
	fail "head -1"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	left=$(pgrep -f "$work/many.csv" || true)
	[ -z "$left" ] && break
	sleep 1
done
[ -z "$left" ] || fail "processes are left: $left"

# Line ends of three kinds count alike.
{
	sed -n '1,99p' blocks.csv | tr -d '\r' | grep .
	printf '4801c0,\r4801c0,\r\r\n4801c0,\r\nx\n'
} >ends.csv
n=$(($(sed -n '1,99p' blocks.csv | tr -d '\r' | grep -c .) + 4))
for jobs in 1 3; do
	predict many $jobs ends.csv
	grep -q "ends.csv:$n:2: expected an even number" many.err ||
		fail "line $n, $jobs processes: $(cat many.err)"
done
