#!/bin/sh
# Diffs against LLVM's own sources: llvm_diff.sh ANECHOIC PYTHON.  The variable
# is that of llvm.sh.
. "$(dirname "$0")/../head.sh"
source=${ANECHOIC_LLVM_SOURCE:-}
if [ -z "$source" ]; then
	echo "SKIP: ANECHOIC_LLVM_SOURCE does not name LLVM's source package"
	exit 77
fi
tar=$(find "$source" -maxdepth 1 -name 'llvm-toolchain-19_*.orig.tar.xz' |
	head -1)
if [ -n "$tar" ]; then
	tar xJf "$tar" -C "$work" --wildcards '*/llvm/include/llvm/*.td' \
		'*/llvm/lib/Target/X86/*.td' \
		'*/llvm/lib/Target/AArch64/*.td' || exit 2
	source=$work
fi
llvm=$(find "$source" -path '*/llvm/lib/Target/X86/X86.td' | head -1)
llvm=${llvm%/lib/Target/X86/X86.td}
failed=0
for row in znver4,X86,Znver4Model,X86ScheduleZnver4.td \
	neoverse-v2,AArch64,NeoverseV2Model,AArch64SchedNeoverseV2.td; do
	cpu=${row%%,*}
	rest=${row#*,}
	target=${rest%%,*}
	rest=${rest#*,}
	"$2" -B "$(dirname "$0")/llvm_diff.py" "$1" "$cpu" "$target" \
		"${rest%%,*}" "$llvm" "${rest#*,}" || failed=1
done
exit $failed
