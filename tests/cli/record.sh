#!/bin/sh
# A recorded part of a database solves to the claims of the whole, and bad input
# leaves no file behind.  record.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work" || exit 2

# Run record; the exit status it must have comes first.
record() {
	expected=$1
	shift
	"$anechoic" record "$@" >out 2>&1
	got=$?
	[ $got -eq "$expected" ] || fail "record $*: exit $got, not $expected"
}

has() {
	grep -qE -e "$1" out || fail "a line like: $1"
}

# values DATABASE FORMS: its claims of these forms, all but the date of the run
values() {
	"$anechoic" export --db "$1" --format csv -o values.csv >out 2>&1 ||
		fail "export $1"
	tail -n +2 values.csv | tr -d '"' | grep -E "^x86_64,($2),"
}

cat >core <<'EOF'
isa = x86_64
width = 4
ports = a b c v w
form IMUL.*: ports=a, latency=3
form MOV64toPQIrr: ports=v, latency=3
form MOVPQIto64rr: ports=w, latency=2
form V.*|CVT.*|COMI.*: ports=v|w, latency=2
form .*: ports=a|b|c
EOF
# Chains through flags, other banks and carriers, loads, helpers.
"$anechoic" measure --board fake --isa x86_64 --core core --db whole.db --forms \
	'^(AD[CD]64|SUB64|XOR64|IMUL64r|CMOV64rr|BT64rr|CMP64rr|TEST64rr|MOV64|MOVPQI|CVTS[DS]2SI|COMISD|VADDPD|VPMOVMSKB|SETCCr|LEA64r|MOVMSK)' \
	>out 2>&1 || fail "measure"

forms='ADC64rr|CVTSD2SI64rr_Int|COMISDrr|VADDPDrr|CMOV64rr|MOV64rm|VPMOVMSKBrr'
record 0 --db whole.db --forms "^($forms)$" -o part.db
has '^part.db: 7 forms, [0-9]+ kernels, [0-9]+ samples, 0 faults \(1 run, [0-9]+ bytes, without machine code\)$'
grep -q 'no claims' out && fail "claims of a measured database"
values part.db "$forms" && fail "claims in a part that was not solved"
"$anechoic" solve --db part.db >out 2>&1 || fail "solve"
values whole.db "$forms" >whole
values part.db "$forms" >part
[ "$(wc -l <whole)" -gt 25 ] || fail "claims of the whole"
cmp whole part || fail "the same claims: $(diff whole part)"
[ "$(wc -c <part.db)" -lt "$(($(wc -c <whole.db) / 4))" ] ||
	fail "a smaller database"
"$anechoic" show --all --db part.db COMISDrr >out 2>&1 || fail "show"
has 'latency:COMISDrr@0>EFLAGS'

# A part of a part, with the visits asked for; code that is not there.
record 0 --db part.db --forms '^ADC64rr$' --visits 1 --code -o again.db
has '^again.db: 1 form, .* with machine code\)$'
record 0 --db whole.db --forms "^($forms)$" --code -o code.db
[ "$(wc -c <code.db)" -gt "$(wc -c <part.db)" ] || fail "machine code"
"$anechoic" solve --db code.db >out 2>&1 || fail "solve"
"$anechoic" show --all --db code.db ADC64rr >out 2>&1 || fail "show"
has 'adcq? '

# Without claims values of the part may be wider: a message says so.
record 0 --db again.db -o third.db
has '^again.db has no claims of these runs'

# Other files are replaced, as by export; databases are not.
echo old >text
record 0 --db whole.db --forms '^ADD64rr$' -o text
cp part.db same.db
for out in whole.db part.db text; do
	record 2 --db whole.db -o $out
	has "^anechoic: -o $out is a database, which is not replaced; remove it"
done
cmp part.db same.db || fail "a database that stays as it is"

before=$(printf '%s ' ./*)
record 2 --db whole.db --forms '^NOSUCH' -o new
has "^anechoic: whole.db has no kernel of a form that matches '.NOSUCH'"
record 2 --db whole.db --forms '(' -o new
has 'regular expression'
record 2 --db nowhere.db -o new
has 'nowhere.db'
record 2 --db core -o new
has '^anechoic: core: '
record 2 --db whole.db -o nowhere/new
has 'nowhere/new'
record 2 --db whole.db --visits 0 -o new
record 2 --db whole.db
has '[-]o FILE'
record 2 -o new
has '[-]-db FILE'
: >empty.db
record 2 --db empty.db -o new
rm empty.db
[ "$(printf '%s ' ./*)" = "$before" ] || fail "no file after bad input"
echo "1 passed, 0 failed"
