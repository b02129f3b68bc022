#!/bin/sh
# A measured model against a small source of LLVM's Skylake: which numbers
# change, which do not, and what is refused.  export_against.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work" || exit 2

# A multiclass with the write of a load, a write of its own for several InstRW,
# and one for a list of which only a part differs.
cat >X86SchedSkylake.td <<'EOF2'
// Of the core, not all of it.
def SkylakeClientModel : SchedMachineModel {
  let IssueWidth = 6;
}
let SchedModel = SkylakeClientModel in {
multiclass SKLWriteResPair<X86FoldableSchedWrite SchedRW,
                           list<ProcResourceKind> ExePorts, int Lat,
                           list<int> Res = [1], int UOps = 1> {
  def : WriteRes<SchedRW, ExePorts> {
    let Latency = Lat;
  }
}
defm : SKLWriteResPair<WriteIMul64Reg, [SKLPort1], 3>; // "a string
defm : SKLWriteResPair<WriteALU, [SKLPort0156], 1>;
def SKLSlow : SchedWriteRes<[SKLPort0]> {
  let Latency = 1; // of three lists
  let ReleaseAtCycles = [1];
}
def : InstRW<[SKLSlow], (instrs BSWAP32r)>;
def : InstRW<[SKLSlow], (instregex "^BLSR(32|64)rr$")>;
def : InstRW<[SKLSlow], (instregex "BLSI32rr",
                                   "BLSI64rr")>;
def SKLMixed : SchedWriteRes<[SKLPort1]> { let Latency = 1; }
def : InstRW<[SKLMixed], (instrs ANDN32rr, ANDN64rr)>;
// SKLAlias of others, too: SchedAlias, SchedVar and a second write.
def SKLAlias : SchedWriteRes<[SKLPort1]> { let Latency = 3; }
def : InstRW<[SKLAlias], (instrs TZCNT32rr)>;
def : SchedAlias<WriteOther, SKLAlias>;
def SKLSecond : SchedWriteRes<[SKLPort1]> { let Latency = 3; }
def : InstRW<[SKLSecond], (instrs TZCNT64rr)>;
def : InstRW<[SKLOther, SKLSecond], (instrs XCHG32rr)>;
def SKLFirst : SchedWriteRes<[SKLPort1]> { let Latency = 3; }
def : InstRW<[SKLFirst, SKLSecond], (instrs TZCNT16rr)>;
def SKLAlone : SchedWriteRes<[SKLPort1]> { let Latency = 3; } // SKLAlone
def : InstRW<[SKLAlone], (instrs LZCNT64rr)>;
def SKLBoth : SchedWriteRes<[SKLPort1]> {
  let Latency = 3;
  let ReleaseAtCycles = [1];
}
def : InstRW<[SKLBoth], (instrs LZCNT32rr)>;
def : InstRW<[SKLBoth], (instrs POPCNT32rr)>;
} // SchedModel
EOF2
cat >core <<'EOF2'
isa = x86_64
width = 4
ports = a b c d
form IMUL.*: ports=a, latency=5
form BLSR.*: ports=a|b, latency=4
form ANDN64rr: ports=a|b, latency=2
form TZCNT.*|LZCNT64.*: ports=a, latency=5
form LZCNT32rr: ports=a+a, latency=5
form POPCNT.*: ports=a+a, latency=3
form .*: ports=a|b|c|d
EOF2
"$anechoic" measure --board fake --isa x86_64 --core core --db a.db --forms \
	'^(ADD|SUB)(32|64)rr$|^IMUL64rr$|^BSWAP32r$|^BLS[RI](32|64)rr$|^ANDN(32|64)rr$|^[LT]ZCNT(32|64)rr$|^TZCNT16rr$|^POPCNT32rr$' \
	>out 2>&1 || fail measure
"$anechoic" export --db a.db --format llvm --against skylake \
	--td X86SchedSkylake.td -o a.diff >out 2>&1 || fail export
cp X86SchedSkylake.td old.td
patch -p1 <a.diff >out 2>&1 || fail patch
diff old.td X86SchedSkylake.td >out

# has TEXT: a line of the difference.
has() {
	grep -qF -e "$1" out || fail "a line $1"
}

has '> defm : SKLWriteResPair<WriteIMul64Reg, [SKLPort1], 5>; // "a string'
has '> def SKLSlow_4cyc : SchedWriteRes<[SKLPort0]> {'
has '> def : InstRW<[SKLSlow_4cyc], (instregex "^BLSR(32|64)rr$")>;'
! grep -q '> .*BLSI\|> .*BSWAP' out || fail "others of SKLSlow"
! grep -q 'WriteALU' out || fail "WriteALU is right"
! grep -q '> .*SKLMixed\|> .*ANDN' out || fail "ANDN's forms differ"
has '> def SKLAlone : SchedWriteRes<[SKLPort1]> { let Latency = 5; } // SKLAlone'
has '> def SKLAlias_5cyc : SchedWriteRes<[SKLPort1]> { let Latency = 5; }'
has '> def : InstRW<[SKLSecond_5cyc], (instrs TZCNT64rr)>;'
! grep -q '< def SKL[AS][le][ic][ao]' out || fail "others take these"
! grep -q '> .*SKLFirst' out || fail "one of two writes"
# Cycles that changed for all are those of the copy, too.
grep -A3 '> def SKLBoth_5cyc' out | grep -q '> *let ReleaseAtCycles = \[2\];' ||
	fail "the cycles of the copy"
grep -q 'values that differ are left out' a.diff || fail "what is left out"
# A file that has no such statement, one that ends early, and options.
refused() {
	"$anechoic" export --db a.db --format "$1" --against "$2" --td "$3" \
		-o b.diff >out 2>&1
	[ $? = 2 ] || fail "$*: exit status"
	grep -qF -e "$4" out || fail "$4"
}
# The table with these changes, as a model: what a compiler with the diff has.
"$anechoic" export --db a.db --format model --against skylake \
	--td old.td -o changed.json >out 2>&1 || fail "export of the model"
grep '"name": "IMUL64rr"' changed.json >out
grep -q '"cycles": \[5, 5\]' out || fail "latency of IMUL64rr"
grep '"name": "ADD64rr"' changed.json >out
grep -q '"cycles": \[1, 1\]' out || fail "latency of ADD64rr"
grep '"name": "LZCNT32rr"' changed.json >out
grep -q '"throughput": \[2, 2\]' out || fail "rate of LZCNT32rr"
echo 'def A : B;' >none.td
refused llvm skylake none.td 'none.td has no write of a scheduling model'
printf 'def A : SchedWriteRes<[B]> {\n  let Latency = 1;\n' >short.td
refused llvm skylake short.td 'short.td:1: expected the end of the statement'
sed 's/"BLSI32rr"/"BLSI(32rr"/' old.td >bad.td
refused llvm skylake bad.td "bad.td:21: expected an expression, not 'BLSI(32rr'"
refused llvm spacemit-x60 old.td 'spacemit-x60'
refused osaca skylake old.td '--against has no effect with --format osaca'
"$anechoic" export --db a.db --format llvm --td old.td -o b.diff >out 2>&1
[ $? = 2 ] || fail "--td alone"
