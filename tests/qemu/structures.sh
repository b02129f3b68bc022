#!/bin/sh
# structures.sh ANECHOIC: the command on a clock that counts instructions.  It runs
# to its end, its kernels are valid there, and nothing is known: a number would be one
# of instructions.
. "$(dirname "$0")/../head.sh"
anechoic=$1

need qemu-system-riscv64 qemu-system-misc
need qemu-system-aarch64 qemu-system-arm
for isa in riscv64 aarch64; do
	"$anechoic" structures --board qemu-virt --isa $isa --csv "$work/csv" \
		-o "$work/conf" --db "$work/$isa.db" >"$work/out" 2>&1
	[ $? -eq 1 ] || fail "$isa: a file of caches without caches"
	grep -q 'no file of caches is written' "$work/out" || fail "$isa: no reason"
	for key in l1.size memory.latency l1.mshr tlb1.entries page.walk \
		branch.penalty branch.history branch.patterns branch.loop \
		branch.calls branch.targets branch.indirect \
		window queue.stores forward.latency alias.4096 \
		registers.flags scheduler.vector forward.page drain.same; do
		grep -Eq "^$key +- +not known +[a-z]" "$work/out" ||
			fail "$isa: $key"
	done
	# The database has the same.
	"$anechoic" show --db "$work/$isa.db" structures >"$work/shown" ||
		fail "$isa: show"
	grep -Eq '^  l1.size +- +not-shown$' "$work/shown" ||
		fail "$isa: not in the database"
	grep -E '(ok|noisy|at-least)$' "$work/shown" &&
		fail "$isa: a number in the database"
	awk '/runs of kernels/ { next } /^[a-z0-9._]+ +[0-9.]+[KM]? / { bad = 1 }
		END { exit bad }' "$work/out" || fail "$isa: a number of instructions"
	# All loads take as long, in sets far larger than the memory of an image.
	awk -F, '$1 == "bytes" { n++; if ($3 != first && n > 1) bad = 1; first = $3 }
		$1 == "bytes" { most = $2 }
		END { exit bad || n < 10 || most < 3000000 }' "$work/csv" ||
		fail "$isa: the curve"
done
echo ok
