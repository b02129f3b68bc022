#!/bin/sh
# Parts of a run are measured again, and measuring ends in time: --redo and
# --time.  redo.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
db=$work/run.db
log=$work/log
passed=0

# One form runs at two speeds, one takes the board down, one is illegal.
cat >"$work/odd.core" <<'EOF'
isa = x86_64
cpu = odd
clock = ref
hz = 1000000000
ghz = 2
width = 4
ports = a b
noise = 0.2
form BSF64rr: ports=a, latency=3, slow_share=40, slow_occupancy=9
form POPCNT64rr: ports=a, fault=die
form LZCNT64rr: ports=a, fault=illegal
form .*: ports=a|b
EOF
sed 's/fault=die/latency=3/' "$work/odd.core" >"$work/mended.core"
core=$work/odd.core
forms='^(AND|OR|BSF|POPCNT|LZCNT)64rr$'

fail() {
	echo "FAIL: $*"
	sed 's/^/  | /' "$log" | tail -20
	exit 1
}

# measure STATUS WORDS OPTIONS...: the exit status, and what the output holds.
measure() {
	status=$1
	words=$2
	shift 2
	"$anechoic" measure --board fake --isa x86_64 --core "$core" \
		--db "$db" "$@" >"$log" 2>&1
	got=$?
	[ $got -eq "$status" ] || fail "exit $got, not $status: $*"
	grep -qF -e "$words" "$log" || fail "no '$words' in the output: $*"
	passed=$((passed + 1))
}

# all_visits FORM: how many visits its kernels have together.
all_visits() {
	"$anechoic" show --all --db "$db" "$1" | grep -c '^ *visit [0-9]*:'
}

# visits FORM: numbers of the visits of its first kernel.
visits() {
	"$anechoic" show --all --db "$db" "$1" >"$work/show" || fail "show $1"
	awk '/^ *kernel [0-9]/ { n++ } n == 1 && /^ *visit [0-9]+:/ {
		sub(":", "", $2); printf "%s ", $2 }' "$work/show"
}

# How many values a table of the newest ones has.
claims() {
	"$anechoic" export --db "$db" --format csv -o "$work/csv" ||
		fail "export"
	tail -n +2 "$work/csv" | wc -l
}

same() {
	[ "$1" = "$2" ] || fail "$3: '$1', expected '$2'"
	passed=$((passed + 1))
}

measure 0 "95 % of the values after" --forms "$forms"
n_claims=$(claims)
same "$(visits OR64rr)" "0 1 " "visits of a form that agrees"
bsf=$(all_visits BSF64rr)

# Visits are numbered on, and only those that were asked for.
measure 0 "2 of 83 kernels are measured again" --forms "$forms" --redo noisy
same "$(visits OR64rr)" "0 1 " "visits of it after --redo noisy"
[ "$(all_visits BSF64rr)" -gt "$bsf" ] ||
	fail "more visits of what is noisy"
measure 0 "5 of 83 kernels are measured again" --forms "$forms" \
	--redo '^OR64rr$'
same "$(visits OR64rr)" "0 1 2 3 " "visits of a form, after --redo FORM"
same "$(visits AND64rr)" "0 1 " "visits of another form"
same "$(claims)" "$n_claims" "claims after --redo"

# What took the board down is missing, what is illegal is not.
"$anechoic" show --all --db "$db" POPCNT64rr | grep -q 'fault:lost' ||
	fail "a lost form"
core=$work/mended.core
measure 0 "3 of 83 kernels are measured again" --forms "$forms" --redo missing
same "$(visits POPCNT64rr)" "0 1 " "visits of what was lost"
"$anechoic" show --all --db "$db" LZCNT64rr | grep -q 'fault:illegal' ||
	fail "a fault that stays"
measure 0 "no kernel is missing" --forms "$forms" --redo missing

# Which run?
measure 2 "has no run with" --redo noisy
measure 2 "was measured with pack" --forms "$forms" --kernel-cycles 9000 \
	--redo noisy
measure 2 "and --shard" --forms "$forms" --shard 1/2 --redo noisy
measure 2 "run 1 has no kernel of a form that matches" --forms "$forms" \
	--redo '^NO$'
db=$work/none.db
measure 2 "none.db" --forms "$forms" --redo noisy
[ ! -e "$db" ] || fail "--redo made a database"

# Time is up: the run is finished, and goes on.
db=$work/time.db
forms='^(A|V[A-F])'
measure 0 "stopped after 0.2s (--time)" --forms "$forms" --time 0.2s
grep -q 'kernels have no sample yet; continue with --redo missing' "$log" ||
	fail "what is left after --time"
measure 0 "no unfinished run like this one" --forms "$forms" --resume \
	--time 0.1s
measure 0 "are measured again (--redo missing)" --forms "$forms" --redo missing
grep -q 'no sample yet' "$log" && fail "all have samples after --redo missing"
measure 0 "no kernel is missing" --forms "$forms" --redo missing

# The same on this machine.  Which kernels are noisy is not known before.
native() {
	words=$1
	shift
	"$anechoic" measure --board linux-process --forms "$forms" --db "$db" \
		"$@" >"$log" 2>&1 || fail "exit $?: $*"
	grep -qE -e "$words" "$log" || fail "no '$words' in the output: $*"
	passed=$((passed + 1))
}
case $(uname -m) in
x86_64) one=ADD64rr two=XOR64rr ;;
aarch64) one=ADDXrr two=EORXrr ;;
*) one=ADD two=XOR ;;
esac
forms="^($one|$two)\$"
for i in 1 2; do
	db=$work/part$i.db
	native "kernels" --shard $i/3
done
db=$work/all.db
"$anechoic" merge -o "$db" "$work/part1.db" "$work/part2.db" >"$log" 2>&1 ||
	fail "merge"
native 'are measured again \(--redo missing\)' --redo missing
native 'no kernel is missing' --redo missing
native 'are measured again|no kernel is noisy' --redo noisy
kept=$(all_visits "$two")
more=$(all_visits "$one")
native 'are measured again' --redo "^$one\$"
same "$(all_visits "$two")" "$kept" "visits of another form on this machine"
[ "$(all_visits "$one")" -gt "$more" ] || fail "more visits of $one"

echo "$passed passed, 0 failed"
