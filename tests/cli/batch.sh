#!/bin/sh
# Blocks of a file, with one process and with several: the same text, in the order of
# the file; each block that cannot be predicted says so in its row.
#	batch.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
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
awk -F , 'NR > 1 && $7 + 0 != NR - 2 { exit 1 }' one.csv ||
	fail "blocks are not in the order of the file"
for jobs in 2 3 16; do
	predict many $jobs blocks.csv
	[ "$code" = 0 ] || fail "$jobs processes: exit $code"
	cmp one.csv many.csv || fail "$jobs processes print something else"
	grep -q '^500 blocks, ' many.err || fail "counts: $(cat many.err)"
done

# Blocks that cannot be predicted: each has its row with the reason, in the order of
# the file; the others have the values that they have without them.
sed -e '1s/.*/x,0/' -e '201s/48/4801c/' -e '250s/4801c./0f0b06/' -e '399s/^[^,]*//' \
	blocks.csv >wrong.csv
sed -e '1d;201d;250d;399d' blocks.csv >good.csv
predict right 1 good.csv
[ "$code" = 0 ] || fail "right lines: exit $code"
predict one 1 wrong.csv
[ "$code" = 2 ] || fail "wrong lines: exit $code"
awk -F , '$2 != ""' one.csv | cmp - right.csv ||
	fail "wrong lines change values of others"
awk -F , '$2 == ""' one.csv >bad.csv
[ "$(wc -l <bad.csv)" = 4 ] || fail "rows without values: $(cat bad.csv)"
n=0
for text in '^x,,,,,"wrong.csv:1:2: expected an even number' \
	'wrong.csv:201:.*: expected an even number' \
	'^0f0b06[0-9a-f]*,,,,,.*wrong.csv:250' \
	'^,,,,,.*wrong.csv:399:1: expected an even number'; do
	n=$((n + 1))
	sed -n "${n}p" bad.csv | grep -q "$text" ||
		fail "wrong line $n: $(sed -n "${n}p" bad.csv)"
done
grep -q '^anechoic: 4 of 500 blocks have no prediction; the first: wrong.csv:1:2: ' one.err ||
	fail "wrong lines: $(cat one.err)"
predict many 3 wrong.csv
[ "$code" = 2 ] || fail "wrong lines, three processes: exit $code"
cmp one.csv many.csv || fail "wrong lines: three processes print something else"
tail -1 one.err >one.last
tail -1 many.err | cmp - one.last ||
	fail "wrong lines: three processes say something else"

# -o has what is printed otherwise, and is not touched by a file that cannot be read.
"$anechoic" predict --isa x86_64 --cpu skylake --jobs 1 --batch wrong.csv \
	-o out.csv >stdout 2>/dev/null && fail "-o: exit 0 with wrong lines"
[ ! -s stdout ] || fail "-o: something is printed"
cmp one.csv out.csv || fail "-o has something else"
"$anechoic" predict --isa x86_64 --cpu skylake --batch none.csv -o out.csv \
	2>/dev/null && fail "-o: exit 0 without a file"
cmp one.csv out.csv || fail "-o: a file that is missing changed it"
"$anechoic" predict --isa x86_64 --cpu skylake --batch good.csv -o none/out \
	2>out.err && fail "-o: exit 0 without a folder"
grep -q 'cannot write none/out' out.err || fail "-o: $(cat out.err)"

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
	grep -q "^x,,,,,\"ends.csv:$n:2: expected an even number" many.csv ||
		fail "line $n, $jobs processes: $(tail -1 many.csv)"
done
