#!/bin/sh
# Whether a core starts instructions in program order is a claim of a run without a
# port search, where a cycle shows it.  order.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work"

# core ORDER OCCUPANCY: of the multiplier.
core() {
	cat >x.core <<EOF
isa = $isa
cpu = invented
clock = core
order = $1
width = 2
ports = a b m
form $product: ports=m, latency=3, occupancy=$2
form .*: ports=a|b, latency=1
EOF
	rm -f x.db
	"$anechoic" measure --board fake --core x.core --forms "^($forms)\$" \
		--db x.db >out 2>&1 || fail "measure: $(tail -3 out)"
	"$anechoic" model --db x.db >model.out || fail "model"
}

for isa in riscv64 aarch64; do
	product=MUL forms='ADD|MUL'
	[ $isa = riscv64 ] || product=MADDXrrr forms='ADDXrs|MADDXrrr'
	core in 1
	grep -q '^width: .*, in program order$' model.out ||
		fail "$isa in order: $(cat model.out)"
	core out 1
	grep -q '^width: .*, out of order$' model.out ||
		fail "$isa out of order: $(cat model.out)"
	# The multiplier is as slow for products that do not wait for each other:
	# neither order would show.
	core out 3
	grep -q 'order$' model.out && fail "$isa, unknown: $(cat model.out)"
	# Without the cycle's forms nothing is planned.
	"$anechoic" measure --board fake --core x.core --forms "^$product\$" \
		--db y.db >out 2>&1 || fail "measure: $(tail -3 out)"
	"$anechoic" model --db y.db >model.out || fail "model"
	grep -q 'order$' model.out && fail "$isa, no cycle: $(cat model.out)"
	rm -f y.db
done
echo "program order: a claim where a cycle shows it"
