#!/bin/sh
# A whole scheduling model of an invented RISC-V core: export_whole.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
core=$(cd "$(dirname "$0")/../readers" && pwd)/x60v.core
cd "$work" || exit 2

fail() {
	echo "FAIL: $*"
	head -60 x.td | cut -c1-120
	exit 1
}

# has TEXT: the model has this line.
has() {
	grep -qF -e "$1" x.td || fail "no '$1'"
}

forms='^(ADD|MUL|MULH|MULHU|DIV|FMADD_D|LD|VADD_VV/.*(m1|m2)|VMUL_VV/e(32|64),m1|VDIV_VV/.*,m1)$'
for what in latency,throughput ports; do
	"$anechoic" measure --board fake --isa riscv64 --core "$core" \
		--cpu spacemit-x60 --what $what --forms "$forms" --db x.db \
		>log 2>&1 || fail "measure: $(tail -3 log)"
done
"$anechoic" export --db x.db --format llvm --tables none -o x.td 2>log ||
	fail "export: $(cat log)"
has 'def SpacemitX60_Model : SchedMachineModel {'
has '  let IssueWidth = 2;'
has '  let MicroOpBufferSize = 0;'
has '  let LoadLatency = 3;'
# LLVM's spacemit-x60 has no Zvkb, but atomics, which were not measured.
grep -q 'HasStdExtZvkb' x.td || fail "no feature"
grep -q 'HasStdExtA[],]' x.td && fail "a feature that the CPU has"
has 'defm : UnsupportedSchedA;'
has 'def : WriteRes<WriteIALU, []>;'
# Two of three forms of a write have the cost of the write, MUL has its own.
has 'def : WriteRes<WriteIMul, [SpacemitX60_IMul]> { let Latency = 6; } // MULH, 3 forms, 1 differ, 1 of them below'
grep -A1 'let Latency = 3; }$' x.td | grep -qF ', ReadIMul, ReadIMul], (instregex "^MUL$")>;' ||
	fail "no exception of MUL"
has '{ let Latency = 20; let ReleaseAtCycles = [20]; } // DIV'
has 'def : ReadAdvance<ReadFMA64Addend, 2, [WriteFMA64]>;'
# The unit of VADD is one for all vector types.
unit=$(sed -n 's/.*"WriteVIALUV", \[\(.*\)\], mx.*/\1/p' x.td | sort -u)
[ "$(echo "$unit" | wc -l)" = 1 ] || fail "units: $unit"
grep -B1 '^foreach mx = \["M2"\]' x.td |
	grep -q 'let Latency = 4, ReleaseAtCycles = \[2\] in' || fail "VADD, M2"
grep -qE '^  defm "" : LMULSEWWriteResMXSEW<"WriteVIDivV", \[[A-Za-z0-9_]+\], "M1", sew, false>;' x.td ||
	fail "VDIV, M1"
grep -B1 '^foreach sew = \[16, 32, 64\]' x.td |
	grep -q 'let Latency = 30, ReleaseAtCycles = \[30\] in' || fail "VDIV"
# e32 and e64 share an opcode, but not their cost.
grep -q '^// VMUL_VV/e.*, 2 forms, 1 differ, 0 of them below' x.td ||
	fail "VMUL is not told to differ"
grep -q 'WriteVIDivV_WorstCase, .*Latency = 30; let ReleaseAtCycles = \[30\]' \
	x.td || fail "no worst case"
echo "$(grep -c 'WriteRes' x.td) writes"

# The same core for GCC: by type, and by LMUL and SEW of vectors.
"$anechoic" export --db x.db --format gcc -o x.td 2>log ||
	fail "export: $(cat log)"
has '(define_insn_reservation "spacemit_x60_idiv" 20'
has ';; latency 3 to 6, members differ:'
has '(define_insn_reservation "spacemit_x60_imul" 6'
has '(define_insn_reservation "spacemit_x60_vialu_rvvm1di" 4'
grep -A4 '"spacemit_x60_vimul_rvvm1si" 5' x.td | grep -qF '*2")' ||
	fail "VMUL, e32"
grep -A4 '"spacemit_x60_vimul" 6' x.td | grep -qF '(not (eq_attr "mode" "RVVM1SI' ||
	fail "VMUL, other types"
has ';; 9 of 160 types have a reservation.'
"$anechoic" export --cpu znver4 --format gcc -o y.md 2>log
[ $? = 2 ] || fail "x86-64: $(cat log)"
grep -q 'no table of GCC.s instruction types for x86_64' log || fail "$(cat log)"
