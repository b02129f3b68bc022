#!/bin/sh
# Exported scheduling models behind LLVM's own targets:
#	llvm.sh ANECHOIC PYTHON
# ANECHOIC_LLVM_SOURCE is a folder with Debian's source package of the LLVM that
# the program is built against (apt-get source --download-only
# llvm-toolchain-19), or one where it is unpacked.  Only the targets'
# descriptions are unpacked.  Prints a row for table.sh for each model.
. "$(dirname "$0")/../head.sh"
anechoic=$1
here=$(cd "$(dirname "$0")" && pwd)
source=${ANECHOIC_LLVM_SOURCE:-}
if [ -z "$source" ]; then
	echo "SKIP: ANECHOIC_LLVM_SOURCE does not name LLVM's source package"
	exit 77
fi
tar=$(find "$source" -maxdepth 1 -name 'llvm-toolchain-19_*.orig.tar.xz' |
	head -1)
if [ -n "$tar" ]; then
	tar xJf "$tar" -C "$work" --wildcards '*/llvm/include/llvm/*.td' \
		'*/llvm/lib/Target/X86/*.td' '*/llvm/lib/Target/AArch64/*.td' \
		'*/llvm/lib/Target/RISCV/*.td' || exit 2
	source=$work
fi
llvm=$(find "$source" -path '*/llvm/lib/Target/X86/X86.td' | head -1)
llvm=${llvm%/lib/Target/X86/X86.td}
if [ -z "$llvm" ]; then
	echo "FAIL: $source has no llvm/lib/Target/X86/X86.td"
	exit 1
fi
version=$(llvm-tblgen-19 --version | grep -o '[0-9][0-9.]*' | head -1)
failed=0

# try TARGET SOURCE...: -gen-subtarget resolves every resource, write, read and
# opcode of the model.
try() {
	target=$1
	shift
	"$anechoic" export "$@" --format llvm -o "$work/model.td" || exit 2
	{
		echo "include \"$target.td\""
		cat "$work/model.td"
		echo "def : ProcessorModel<\"anechoic\", $(sed -n \
			's/^def \([A-Za-z0-9_]*_Model\) .*/\1/p' \
			"$work/model.td"), []>;"
	} >"$work/target.td"
	if llvm-tblgen-19 -gen-subtarget -I "$llvm/include" \
		-I "$llvm/lib/Target/$target" "$work/target.td" \
		-o "$work/out.inc" >"$work/log" 2>&1 &&
		grep -q '{ "anechoic", ' "$work/out.inc"; then
		printf 'row|llvm-tblgen|%s|%s behind %s.td|-gen-subtarget|' \
			"$version" "$*" "$target"
		echo "accepted, $(grep -c '^def : InstRW' \
			"$work/model.td") costs"
	else
		echo "FAIL: $*: $(head -3 "$work/log")"
		failed=1
	fi
}

try X86 --cpu skylake
try X86 --cpu znver4
try X86 --cpu sapphirerapids
try AArch64 --cpu neoverse-v2
try AArch64 --cpu cortex-a55
# Whole models of RISC-V: LLVM's own come back, an invented core is accepted.
for row in sifive-p670,SiFiveP600Model sifive-x280,SiFive7Model; do
	"$2" -B "$here/llvm_whole.py" "$anechoic" "$llvm" "${row%,*}" \
		"${row#*,}" || failed=1
done
"$anechoic" measure --board fake --isa riscv64 --core "$here/x60v.core" \
	--forms '^(ADD|MULH?|DIV|FMADD_D|LD|V(ADD|MUL|DIV)_VV/.*)$' \
	--db "$work/x60.db" >"$work/log" 2>&1 || exit 2
try RISCV --db "$work/x60.db" --tables none
exit $failed
