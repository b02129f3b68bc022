#!/bin/sh
# Exported scheduling models are taken by LLVM's own TableGen:
#	tblgen.sh ANECHOIC [SOURCE OF A MODEL]...
# Behind a target of our own that has the forms as opcodes, -gen-subtarget
# resolves every resource, write, read and opcode of the export.
. "$(dirname "$0")/../head.sh"
anechoic=$1
here=$(cd "$(dirname "$0")" && pwd)
shift
cd "$work" || exit 2
include=$(llvm-config-19 --includedir) || exit 2
failed=0

# names LETTER: the list that `foreach LETTER` of the model goes through.
names() {
	sed -n "/^foreach $1 = /,/]/p" model.td | sed 's/.*\[//; s/\].*//' |
		tr ',' '\n' | sed 's/ //g' |
		grep '^[A-Za-z][A-Za-z0-9_.]*$'
}

# try SOURCE: the target, the model, and what TableGen makes of both.
try() {
	"$anechoic" export "$@" --format llvm -o model.td || exit 2
	{
		cat <<'END'
include "llvm/Target/Target.td"
def R0 : Register<"r0"> { let Namespace = "T"; }
def GPR : RegisterClass<"T", [i32], 32, (add R0)>;
class Op : Instruction {
  let Namespace = "T";
  let OutOperandList = (outs GPR:$d);
  let InOperandList = (ins GPR:$a, GPR:$b, GPR:$c);
  let AsmString = "";
  let Size = 4;
}
END
		sed -n 's/^def \(Anechoic_[A-Za-z0-9_]*\)_Model .*/\1/p' model.td \
			>prefix
		awk -f "$here/opcodes.awk" model.td |
			grep -o '"^[A-Za-z0-9_]*\$"' | tr -d '"^$' | sort -u |
			sed 's/.*/def & : Op;/'
		# What the export says of the target's own writes and reads.
		names W | sed 's/.*/def & : SchedWrite;/'
		names R | sed 's/.*/def & : SchedRead;/'
		cat <<'END'
def TInstrInfo : InstrInfo;
def T : Target { let InstructionSet = TInstrInfo; }
include "model.td"
END
		echo "def : ProcessorModel<\"cpu\", $(cat prefix)_Model, []>;"
	} >target.td
	if llvm-tblgen-19 -gen-subtarget -I "$include" -I . target.td \
		-o out.inc >log 2>&1 && grep -q "ProcResourceDesc" out.inc; then
		echo "ok: $2, $(grep -c '^def : InstRW' model.td) costs"
	else
		echo "FAIL: $2"
		head -5 log
		failed=1
	fi
}

# has CPU TEXT: the model says so.
has() {
	"$anechoic" export --cpu "$1" --format llvm -o model.td || exit 2
	grep -qF -e "$2" model.td && return
	echo "FAIL: $1: $2"
	failed=1
}

if [ $# -gt 0 ]; then
	try "$@"
	exit $failed
fi
try --cpu cortex-a55
try --cpu neoverse-v2
has neoverse-v2 'SchedReadAdvance<2, ['
has cortex-a55 'let MicroOpBufferSize = 0;'
has skylake 'SchedReadAdvance<5>;'
exit $failed
