#!/bin/sh
# A database of two cores: no command combines their values, and each lists the
# cores until one is chosen.  cores.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work"

# Both runs of one file differ in the latency alone.
core() {
	cat >"$1.core" <<EOF
isa = x86_64
cpu = $1
clock = core
width = 4
ports = a b
form .*: ports=a|b, latency=$2
EOF
}
measure() {
	"$anechoic" measure --board fake --core "$1.core" \
		--forms '^(ADD|IMUL)64rr$' --db "$2" >out 2>&1 ||
		fail "measure $1: $(tail -3 out)"
}
core old 3
core new 7
measure old x.db
grep -q 'other cores' out && fail "one core: $(cat out)"
measure new x.db
grep -q '^  x86_64/-/-/old/-/-' out ||
	fail "measure does not name the other core: $(cat out)"
printf 'add %%rbx, %%rax\n' >loop.s

# refused COMMAND...: exit status 2, both cores on standard error, no file.
refused() {
	status=0
	"$anechoic" "$@" >out 2>err || status=$?
	[ $status -eq 2 ] || fail "$*: exit status $status: $(cat err)"
	grep -q 'values of 2 cores' err || fail "$*: $(cat err)"
	grep -q '^  x86_64/-/-/new/-/-  (1 run)$' err || fail "$*: $(cat err)"
	grep -q '^  x86_64/-/-/old/-/-  (1 run)$' err || fail "$*: $(cat err)"
	[ ! -s out ] || fail "$*: prints values: $(cat out)"
	[ ! -e file ] || fail "$*: writes a file"
}
refused model --db x.db
refused show --db x.db ADD64rr
for format in csv json winic model osaca uops llvm; do
	refused export --db x.db --format $format -o file
done
refused compare x.db x.db
refused compare x.db cpu:skylake
refused predict --db x.db loop.s
refused shares --db x.db

# Each core has its own values, under any prefix that chooses it.
for of in old/-/- old; do
	"$anechoic" export --db x.db --core-of "x86_64/-/-/$of" \
		--format csv -o old.csv
	grep -q '^x86_64,ADD64rr,latency,1,0,3,3,.*,x86_64/-/-/old/-/-,-$' \
		old.csv || fail "export --core-of $of: $(cat old.csv)"
	grep -q '/new/' old.csv && fail "the other core: $(cat old.csv)"
done
"$anechoic" export --db x.db --core-of x86_64/-/-/new --format json -o new.json
[ "$(grep -c '"core": "x86_64/-/-/new/-/-"' new.json)" -gt 3 ] ||
	fail "json: $(cat new.json)"
grep -q old new.json && fail "json has the other core: $(cat new.json)"
"$anechoic" show --db x.db --core-of x86_64/-/-/old ADD64rr >out
grep -q '^  latency .* 3 ' out || fail "show: $(cat out)"
"$anechoic" predict --db x.db --core-of x86_64/-/-/new --tables none \
	loop.s >out
grep -q '7' out || fail "predict: $(cat out)"
"$anechoic" model --db x.db --core-of x86_64/-/-/new >out ||
	fail "model: $(cat out)"
"$anechoic" shares --db x.db --core-of x86_64/-/-/new >out ||
	fail "shares: $(cat out)"
"$anechoic" compare x.db x.db --core-of x86_64/-/-/old >out
grep -q '100' out || fail "a core agrees with itself: $(cat out)"
"$anechoic" compare x.db x.db --core-of x86_64/-/-/old \
	--with-core-of x86_64/-/-/new --format csv >out
grep -q '3.*7' out || fail "two cores differ: $(cat out)"

# A prefix of both, and of none.
refused export --db x.db --core-of x86_64/- --format csv -o file
"$anechoic" model --db x.db --core-of arm 2>err && fail "a core that is not there"
grep -q "no values of a core 'arm' (--core-of); its cores:" err ||
	fail "$(cat err)"

# A run stays on its core.
status=0
"$anechoic" measure --board fake --core new.core --redo '^ADD' \
	--forms '^(ADD|IMUL)64rr$' --db x.db >out 2>&1 || fail "redo: $(cat out)"
sed 's/= new/= newer/' new.core >newer.core
"$anechoic" measure --board fake --core newer.core --redo '^ADD' \
	--forms '^(ADD|IMUL)64rr$' --db x.db >out 2>&1 || status=$?
[ $status -ne 0 ] || fail "a run on two cores: $(cat out)"
grep -q 'is of core x86_64/-/-/new/-/-' out || fail "$(cat out)"
echo "two cores: never combined"

# What is published about a core is printed with what was measured.
published() {
	sed "s/= old/= znver3/; s/= 4/= $1/; s/= a b/= a b c d e f/;
		s/a|b/a|b|c|d|e|f/; s/latency=3/latency=1/" old.core >znver3.core
	measure znver3 "published-$1.db"
	grep -q '^published about Zen 3 (Milan' out || fail "published: $(cat out)"
	grep -q '^  width 6: AMD 56665' out || fail "its source: $(cat out)"
	"$anechoic" model --db "published-$1.db" >model.out
	grep -q '^published about Zen 3' model.out || fail "model: $(cat model.out)"
}
published 6
grep -q 'warning' out && fail "the width is as published: $(cat out)"
published 4
grep -q 'warning: the measured width is 4, the published one 6' out ||
	fail "another width: $(cat out)"

# Its latencies against LLVM's table: a core whose every instruction takes seven
# cycles is no Zen 3, whatever its name.  On a Zen 3 most of these take one.
for latency in 7 1; do
	sed "s/latency=[0-9]*/latency=$latency/" znver3.core >"tables-$latency.core"
	"$anechoic" measure --board fake --core "tables-$latency.core" \
		--forms '^V?P(ADD|SUB|AND|OR|XOR|MIN|MAX|CMP|UNPCK)[A-Z]*Y?rr$' \
		--db "tables-$latency.db" >out 2>&1 || fail "$(cat out)"
	grep -q '^  latencies: [0-9]* % of [0-9]* are as in LLVM.s table of znver3' \
		out || fail "the latencies: $(cat out)"
	n=$(grep -c 'this is hardly a znver3' out || true)
	[ "$n" -eq $((latency == 7)) ] || fail "latency $latency: $(cat out)"
done
echo "latencies: compared with LLVM's table"
