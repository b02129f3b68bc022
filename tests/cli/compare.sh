#!/bin/sh
# Values of an invented core against a reference with known mistakes, against
# another run and against its own WINIC export.  compare.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work" || exit 2

# Run compare; the exit status it must have comes first.
compare() {
	expected=$1
	shift
	"$anechoic" compare a.db "$@" >out 2>&1
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
form IMUL.*: ports=a, latency=3
form LEA.*: ports=a, latency=2
form .*: ports=a|b
EOF2
for db in a.db b.db; do
	"$anechoic" measure --board fake --isa x86_64 --core core --db $db \
		--forms '^(ADD64rr|IMUL64rr|SUB64rr|XOR64rr|CMOV64rr(/[bo])?|BT64rr|CMP64rr)$' \
		>out 2>&1 || fail "measure"
done

# The model has the bound of the width that the run printed.
width=$(sed -n 's/^issue width: \([^ ]*\) .*/\1/p' out)
"$anechoic" model --db b.db >out 2>&1 || fail "model"
has "^width: $width instructions per cycle in the fastest kernel; "

# One latency and one throughput wrong, one form not measured, CRLF.
printf '%s\r\n' 'form,variant,kind,source,destination,value' \
	'ADD64rr,,latency,*,*,1' 'IMUL64rr,,latency,*,*,"4;5"' \
	'IMUL64rr,,throughput,,,1' 'SUB64rr,,latency,2,0,1' \
	'ADD64rr,,throughput,,,0.25' 'VADDPDYrr,,throughput,,,1' \
	'NOSUCH,,throughput,,,1' >ref.csv
compare 0 ref.csv
has '^latency +3 +2 +66.67% +0 +1 +66.67%$'
has '^throughput +2 +1 +50.00% +0 +1 +50.00%$'
has '^coverage latency +3 of 3 rows .* database: 100.00 %$'
has '^coverage throughput +2 of 2 rows .* database: 100.00 %$'
has '^  IMUL64rr latency \*>\*'
has 'ours: 3, ok, residual'
has 'theirs: 4;5, line 3'
has 'no form of this instruction set +0 +1$'
has 'not in the database +0 +1$'
# Values of forms that a CPU lacks are not counted.
printf '%s\n' 'form,variant,kind,source,destination,value' \
	'IMUL64rr,,throughput,,,1' 'VADDPDYrr,,throughput,,,1' >wide.csv
compare 0 wide.csv
has 'not in the database +0 +1$'
compare 0 wide.csv --cpu x86-64
has '^throughput +1 +1 '
if grep -q 'not in the database' out; then
	fail "VADDPDYrr is of x86-64"
fi
"$anechoic" measure --board fake --isa x86_64 --core core --db wide.db \
	--what throughput --forms '^(ADD64rr|VADDPDYrr)$' >out 2>&1 ||
	fail "measure"
"$anechoic" shares --db wide.db >out
has '^forms that are not refused +2$'
"$anechoic" shares --db wide.db --cpu x86-64 >out
has '^forms that are not refused +1$'
# The largest difference first; --forms and -o.
printf '%s\n' 'form,variant,kind,source,destination,value' \
	'ADD64rr,,latency,2,0,1.2' 'IMUL64rr,,latency,2,0,9' >sizes.csv
compare 0 sizes.csv
grep -E '^  (ADD|IMUL)' out | head -1 | grep -q '^  IMUL64rr' ||
	fail "sorted by the size of the difference"
compare 0 sizes.csv --forms '^ADD' -o sizes.txt
[ -s out ] && fail "-o writes a file"
mv sizes.txt out
has '^latency +1 +0 '
has '^  ADD64rr latency 2>0: ours is 16.7 % below'
compare 1 sizes.csv --forms '^SUB'
has 'no value in common of forms that --forms names'
compare 0 ref.csv --tolerance 60%
has '^latency +3 +3 +100.00%'
compare 0 ref.csv --format csv
has '^IMUL64rr,latency,\*,\*,differs,3,4;5,ok,'
has '^XOR64rr,throughput,,,only-ours,'

# A row of a form that was measured, without a value of ours.
printf '%s\n' 'form,variant,kind,source,destination,value' \
	'ADD64rr,,latency,7,0,1' 'ADD64rr,,latency,2,0,1' \
	'IMUL32rr,,latency,*,*,3' >pair.csv
compare 0 pair.csv
has '^coverage latency +1 of 2 rows .* database: 50.00 %$'

# Another run of the same invented core repeats exactly.
compare 0 b.db --tolerance 0
has '^latency +[0-9]+ +[0-9]+ 100.00%'
has '^repeated latency +([0-9]+) of \1 values within 0.5 %: 100.00 %'
has '^repeated throughput +([0-9]+) of \1 values within 1.0 %: 100.00 %'

# The export, read back, says the same.
"$anechoic" export --db a.db --format winic -o a.yaml >out 2>&1 || fail export
compare 0 a.yaml --tolerance 0.01
has '^latency +[0-9]+ +[0-9]+ +100.00% +0 +0 '
has '^throughput +9 +[0-9]+ .* 0 +100.00%'

# Nothing in common, and bad input.
printf 'form,variant,kind,source,destination,value\nNOP,,throughput,,,1\n' >none
compare 1 none
printf 'form,variant,kind,source,destination,value\nADD64rr,,latency,*,*,x\n' \
	>bad.csv
compare 2 bad.csv
has 'bad.csv:2: a value must be cycles'
compare 2 /nonexistent
compare 2 ref.csv --tolerance 5x
compare 2 ref.csv --format xml
compare 2 ref.csv --board nowhere
printf -- '- llvmName: ADD64rr\n  throughputMin: [1]\n' >bad.yaml
compare 2 bad.yaml --strict
has 'bad.yaml:2: expected a number'
compare 1 bad.yaml
has '1 of 1 values are left out; the first: bad.yaml:2: expected a number'
echo "1 passed, 0 failed"
