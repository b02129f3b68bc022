#!/bin/sh
# Hundreds of small cores at the default budget of every board of their ISA:
# each claim must hold the truth, and none that is ok may be off by a percent.
#	all.sh BUILD [CORES [FIRST_SEED [ISA]]]
set -eu
build=$1
cores=${2:-300}
first=${3:-1}
isa=${4:-riscv64}
here=$(dirname "$0")
work=$build/tests/fake/all
# Boards without a budget of their own have the default: an empty line.
budgets=$(for board in "$here"/../../boards/*/"$isa"-*.conf; do
	sed -n 's/^kernel_cycles = /--kernel-cycles=/p' "$board" | grep . ||
		echo default
done | sort -u)
failed=0
for budget in $budgets; do
	for seed in $(seq "$first" $((first + cores - 1))); do
		option=$budget
		[ "$budget" != default ] || option=
		# shellcheck disable=SC2086 # no option is no word
		if ! sh "$here/random.sh" "$build/bin/anechoic" \
			"$build/bin/fake_invent" \
			"$build/bin/fake_truth" "$work" "$isa" "$seed" \
			simple --variants vector,address,condition,same,same-register,high,fast,slow,wide --forms '^[^V]' \
			$option >"$work.log" 2>&1; then
			echo "core $seed, budget $budget:"
			tail -5 "$work.log"
			failed=$((failed + 1))
		fi
	done
done
echo "$cores small $isa cores at $(echo "$budgets" | wc -l) budgets: $failed failed"
[ "$failed" -eq 0 ]
