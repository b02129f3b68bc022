#!/bin/sh
# An invented core against LLVM's tables of Skylake by scheduling class: right,
# wrong and mixed classes, JSON, the page of the site, --require.
#	compare_classes.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work" || exit 2

# run STATUS ARGUMENTS
run() {
	expected=$1
	shift
	"$anechoic" compare "$@" >out 2>&1
	got=$?
	[ $got -eq "$expected" ] || fail "compare $*: exit $got, not $expected"
}

has() {
	grep -qE -e "$1" out || fail "a line like: $1"
}

cat >core <<'EOF2'
isa = x86_64
width = 4
ports = a b
form IMUL.*: ports=a, latency=4
form SUB.*: ports=a|b, latency=2
form VPADD[BDQW]Yrr: ports=a|b, latency=3
form .*: ports=a|b
EOF2
"$anechoic" measure --board fake --isa x86_64 --cpu skylake --core core \
	--db a.db --forms \
	'^(ADD|SUB|XOR)(32|64)rr$|^IMUL64rr$|^V?PADD[DQ]Y?rr$|^LEA64r/r64$' \
	>out 2>&1 || fail measure
run 0 a.db cpu:skylake --by class
has '^latency +7 +2 +1 +0$'
has '^WriteIMul64Reg +latency +1 +3 +4 +4$'
has '^WriteALU +latency +6 +1 +1\.\.2 +mixed$'
has '^  by mnemonic: add 1, sub 2, xor 1$'
has '^WriteALU +throughput +6 +0.25 +0.5 +0.5$'
awk 'length($0) > 80 { exit 1 }' out || fail "lines of 80 columns"
right=$(sed -n 's/.*; \([0-9.]*\) % of those judged are right/\1/p' out)

# LLVM's own tables are right.
run 0 cpu:skylake cpu:skylake --by class --require 99%
has '^latency +[1-9][0-9]* +0 +0 +0$'
run 1 a.db cpu:skylake --by class --require 99%
has "of the judged classes are right, less than the 99 % of --require"
run 0 a.db cpu:skylake --by class --require "${right%.*}%"
run 1 a.db cpu:skylake --require 99.5
has "of the values agree, intervals counted, less than the 99.5 % of --require"
run 0 a.db a.db --require 100%
run 2 a.db cpu:skylake --require x
run 2 a.db a.db --by class
has 'THEIRS is cpu:NAME'
run 2 a.db cpu:skylake --by class --format csv
run 2 a.db cpu:skylake --format json

run 0 a.db cpu:skylake --by class --format json -o a.json
python3 - <<'EOF2' >out 2>&1 || fail JSON
import json
x = json.load(open("a.json"))
assert x["format"] == "anechoic classes 1"
worst = x["findings"][0]
assert worst["error"] == max(f["error"] for f in x["findings"])
mul = [f for f in x["findings"]
       if f["class"] == "WriteIMul64Reg" and f["kind"] == "latency"][0]
assert mul["verdict"] == "wrong" and mul["write"] == 4, mul
assert mul["members"] == [{"form": "IMUL64rr", "measured": [4, 4]}], mul
EOF2

# RISC-V vectors: a class for each LMUL.
cat >vector <<'EOF2'
isa = riscv64
width = 1
ports = v
form VADD_VV/e[0-9]*,m4.*: ports=v, latency=9
form .*: ports=v, latency=4
EOF2
"$anechoic" measure --board fake --isa riscv64 --core vector --db v.db \
	--forms '^VADD_VV/e(32|64),m[14]$' >out 2>&1 || fail "measure vectors"
run 0 v.db cpu:sifive-p670 --by class
has '_M4_.* latency +2 +[0-9]+ +9 +9$'
has '_M1_.* latency +2 +[0-9]+ +4 +4$'

"$anechoic" site -o site a.db >out 2>&1 || fail site
grep -q 'WriteIMul64Reg.*wrong: write 4' site/classes/*.html ||
	fail "the site's page"
grep -q 'href="../classes/' site/core/*.html || fail "a link to the page"
