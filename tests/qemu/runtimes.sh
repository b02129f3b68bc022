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

# All but the frozen routine is compiled for general registers; arch_measure, arch_observe
# and arch_probe are assembly and may name the others. That they do name them
# proves that this reads the disassembly right.
for elf in "$1"/*.elf "$1"/*-linux; do
	case ${elf##*/} in
	x86_64*) regs='%?([xyz]mm|k|mm)[0-9]' more= ;;
	aarch64*) regs='[bhsdqvzp][0-9]+([.,}/]|$)' more=--mattr=+all ;;
	riscv64*) regs='(f[ast]|v)[0-9]+' more=--mattr=+d,+v ;;
	esac
	llvm-objdump-19 -d --no-show-raw-insn ${more:+"$more"} "$elf" |
		awk -v elf="$elf" -v regs="[ ,{(\t]$regs" '
		/^[0-9a-f]+ <[^.].*>:$/ {
			own = $2 ~ /^<(arch_(measure|observe|probe|sve|vlenb)|load_)/
			next
		}
		$0 !~ regs { next }
		own { seen = 1; next }
		{
			print elf ": vector register in compiled code: " $0
			found = 1
		}
		END {
			if (!seen)
				print elf ": no vector register in arch_measure"
			exit found || !seen
		}' || bad=1
done
exit $bad
