#!/bin/sh
# The measuring routine is frozen: its disassembly must be the committed one.
#
#	measure.sh <isa>		compare; prints the difference
#	measure.sh <isa> --update	freeze it again, after an intended change
#
# A change of the routine changes every number it measures, so freezing again
# belongs in a commit that says what was measured before and after.
cd "$(dirname "$0")/../.." || exit 2
isa=$1
case $isa in
riscv64) flags="-march=rv64imac_zicsr_zifencei -mabi=lp64 -mno-relax" ;;
aarch64 | x86_64) flags= ;;
*)
	echo "measure.sh: expected riscv64, aarch64 or x86_64" >&2
	exit 2
	;;
esac
golden=tests/golden/measure-$isa.txt
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # the flags are words
clang-19 --target="$isa-unknown-elf" $flags -I. -c \
	"target/arch/$isa/measure.S" -o "$work/measure.o" || exit 2
# Relocations (-r) too: which variable a load reads is part of the routine.
llvm-objdump-19 -dr --no-show-raw-insn "$work/measure.o" |
	sed '/file format/d' >"$work/now"
if [ "$2" = --update ]; then
	cp "$work/now" "$golden"
	exit
fi
diff -u "$golden" "$work/now"
