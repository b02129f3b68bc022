#!/bin/sh
# anechoic time --hex on an invented core: shards, other predictors, the pages.
#	time_corpus.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work"

cat >x.core <<'CORE'
isa = x86_64
cpu = znver3
width = 4
window = 128
ports = a b m l s

form IMUL64rr.*: ports=m, latency=3
form (MOV64rm|ADD64rm).*: ports=l, latency=5
form MOV64mr.*: ports=s
form .*: ports=a|b
CORE
cat >blocks.csv <<'CODE'
4801d8,add,1
480fafc3,mul
488b00,load,5
0f05,system
zz,nothing
CODE
time_hex() {
	"$anechoic" time --board fake --core x.core --cpu skylake --hex "$@" \
		2>err || {
		cat err
		echo "FAIL: $*"
		exit 1
	}
}

# Shards together are the whole: each block once, with its number.
time_hex blocks.csv >all
for i in 1 2 3; do
	time_hex blocks.csv --shard "$i/3" | tail -n +2 >>parts
done
tail -n +2 all | sort >whole
sort parts | cut -d , -f 1,2,5 >a
cut -d , -f 1,2,5 whole >b
cmp a b || fail "shards"

# Bytes in any case; blocks without a value of the other; a heading.
printf 'block,name,cycles\n4801D8,,2\n480fafc3,,3\n488b00,,\n' >other.csv
time_hex blocks.csv --against other=other.csv --html page.html >out
head -n 1 out | grep -q ',detail,other_cycles$' || fail "heading"
grep -q '^4801d8,add\.1,.*,2$' out || fail "column"
grep -q '^488b00,load\.3,.*,$' out || fail "no value"
grep -q '^other against measured *2 blocks' err || fail "scores"
grep -q '^other against given *1 blocks' err || fail "scores"

# Predictions of blocks alone have the same scores.
printf '4801d8,1\n480fafc3,3\n488b00\nzz\n' >batch.csv
"$anechoic" predict --cpu skylake --isa x86_64 --batch batch.csv \
	--against other=other.csv >out 2>err && fail "a block without code"
grep -q '^predicted against given *2 blocks' err || fail "scores of a batch"
grep -q '^other against given *2 blocks' err || fail "scores of a batch"
grep -q '^  scalar *2 blocks' err || fail "categories of a batch"

# refused WORDS ARGUMENT ...
refused() {
	words=$1
	shift
	status=0
	"$anechoic" time --board fake --core x.core "$@" >out 2>err ||
		status=$?
	if [ "$status" -ne 2 ] || ! grep -q -e "$words" err; then
		cat err
		fail "status $status of $*; expected: $words"
	fi
}
refused 'must be llvm-mca or osaca' --hex blocks.csv --peer gcc
refused 'must be NAME=FILE' --hex blocks.csv --against other.csv
printf '4801d8,2\n480fafc3,x\n' >bad.csv
refused 'bad.csv:2: expected' --hex blocks.csv --against x=bad.csv
refused 'no blocks' --hex blocks.csv --shard 9/9
refused 'need a folder' --shard 1/2 --asm nop

# Pages are well formed: each link leads to its block, and the worst is first.
"$anechoic" time --board fake --core x.core --cpu skylake --html loop.html \
	--asm 'imul %rbx, %rax' >out 2>err
cat >check.py <<'CHECK'
import html.parser, sys

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.dots = [], set(), [], 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.ids.add(attrs.get("id"))
        if tag == "a" and attrs["href"].startswith("#b"):
            self.links.append(attrs["href"][1:])
        self.dots += tag == "circle"
        if tag not in ("meta", "link", "line", "rect", "wbr", "path", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            assert self.open.pop() == tag, tag

pages = []
for name in sys.argv[1:]:
    page = Page()
    page.feed(open(name, encoding="utf-8").read())
    assert not page.open, (name, page.open)
    pages.append(page)
blocks = pages[0]
assert blocks.dots == 3, blocks.dots
assert len(blocks.links) == 3 + 5, blocks.links
assert set(blocks.links) <= blocks.ids, (blocks.links, blocks.ids)
CHECK
python3 check.py page.html loop.html
grep -q 'imul' loop.html || fail "no code in the page"

# A folder: each file is a piece of code, a loop or not; other predictors by name.
mkdir loops
printf 'x: imul %%rbx, %%rax\n dec %%rcx\n jne x\n' >loops/mul.s
printf 'x: lea 1(%%r8), %%r9\n imul %%rbx, %%rax\n mov %%r9, %%r8\n cmp %%r9, %%rdx\n jne x\n' \
	>loops/copy.s
printf 'imul %%rbx, %%rax\n add %%rbx, %%rdx\n' >loops/straight.s
printf 'neither\n' >loops/text.s
printf 'mul.s,2\n' >other.csv
"$anechoic" time --board fake --core x.core --cpu skylake --against \
	other=other.csv --html page.html loops >out 2>err || {
	cat err
	fail "folder"
}
[ "$(tail -n +2 out | cut -d , -f 2 | tr '\n' ' ')" = \
	"copy.s mul.s straight.s text.s " ] || fail "files"
for name in copy mul straight; do
	awk -v name="$name.s" -F , '$2 == name && $3 > 2.9 && $4 < 3.1 { n++ }
		END { exit n != 1 }' out || fail "$name takes 3 cycles"
done
grep -q ',text\.s,,,refused,.*text.s:1:1' out || fail "no code"
grep -q ',mul\.s,.*,2$' out || fail "other by name"
for option in --explain '--format json' '--iterations-in rcx'; do
	# shellcheck disable=SC2086 # words
	refused 'not with a folder' $option loops
done
refused 'need a folder' --shard 1/2 loops/mul.s
