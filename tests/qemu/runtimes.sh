#!/bin/sh
# What must hold of every runtime file: only RELATIVE relocations, no GOT,
# and no FP or vector register outside the measuring routine and its probes.
# usage: runtimes.sh FOLDER
bad=0
complain() {
	echo "$1: $2"
	bad=1
}

n=0
for elf in "$1"/*.elf "$1"/*-linux; do
	[ -f "$elf" ] || continue
	n=$((n + 1))
	if llvm-readobj-19 --relocations "$elf" |
		grep '^ *0x' | grep -v '_RELATIVE '; then
		complain "$elf" "relocations that are not RELATIVE"
	fi
	if llvm-readobj-19 --symbols --undefined-symbols "$elf" 2>/dev/null |
		grep -q 'Binding: Weak'; then
		complain "$elf" "a weak symbol"
	fi
	if llvm-readobj-19 --program-headers "$elf" | grep -q PT_INTERP; then
		complain "$elf" "an interpreter"
	fi
done
[ "$n" -ge 6 ] || complain "$1" "expected 6 runtimes, found $n"

# All but the frozen routine is compiled for general registers; the text of
# arch_measure and arch_probe is assembly and may name the others.
for elf in "$1"/*.elf "$1"/*-linux; do
	llvm-objdump-19 -d --no-show-raw-insn --mattr=+all "$elf" 2>/dev/null |
		awk -v elf="$elf" '
		/^[0-9a-f]+ <.*>:$/ {
			own = $2 ~ /^<(arch_(measure|probe|sve|vlenb)|load_|restore)/
			next
		}
		own { next }
		/[ ,{\t](%?[xyz]mm[0-9]|[qvz][0-9]+[.,}]|f[ast][0-9]|ft1[01])/ {
			print elf ": vector register outside of arch_measure: " $0
			found = 1
		}
		END { exit found }' || bad=1
done
exit $bad
