#!/bin/sh
# A compiler engineer measures the instructions of her loop, predicts it, compares the
# core with LLVM's tables, and writes a scheduling model for LLVM.
#	engineer.sh ANECHOIC CORE
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
core=$2
cd "$work"

# has FILE WORDS: what she looks for is there.
has() {
	grep -qF -e "$2" "$1" || {
		echo "FAIL: no '$2' in:"
		cat "$1"
		exit 1
	}
}

cat >dot.s <<END
loop:
	ld a2, 0(a0)
	ld a3, 0(a1)
	mul a2, a2, a3
	add a4, a4, a2
	addi a0, a0, 8
	addi a1, a1, 8
	bne a0, a5, loop
END
"$anechoic" measure --board fake --core "$core" \
	--forms '^(C_)?(LD|MUL|ADD|ADDI|BNE)$' --db core.db >out 2>&1
has out "throughput"
"$anechoic" predict --db core.db dot.s >out
has out "where the values come from"
"$anechoic" model --db core.db >out
has out "forms:"
"$anechoic" compare db:core.db cpu:sifive-u74 >out
has out "latency"

# With LLVM's tables for the ports that she has not measured; the file says so.
"$anechoic" export --db core.db --format llvm --tables sifive-u74 -o core.td \
	2>out
has out "from LLVM's tables of sifive-u74"
has core.td "from LLVM's tables of sifive-u74"
has core.td "WriteRes"
"$anechoic" export --db core.db --format model -o core.json
"$anechoic" predict --model core.json dot.s >out
has out "predicted"
echo "a loop became a prediction, a comparison and a model for LLVM"
