#!/bin/sh
# What a campaign with ports found goes through every format of models and
# back: exports.sh ANECHOIC CORE TBLGEN.SH
. "$(dirname "$0")/../head.sh"
anechoic=$1
tblgen=$3
# Whole cycles: noise has its own tests.
sed '/^noise/d' "$2" >"$work/core"
cd "$work" || exit 2

fail() {
	echo "FAIL: $*"
	[ ! -f out ] || sed 's/^/  | /' out
	exit 1
}

# has FILE TEXT
has() {
	grep -qF -e "$2" "$1" || fail "$1: $2"
}

measure() {
	"$anechoic" measure --board fake --core core --db a.db "$@" >out 2>&1 ||
		fail "measure $*"
}

forms='^(MOV|ADD|SUB|CMP|SHL|RORX|IMUL|LZCNT|ANDN|XCHG)64(rr|ri|rm|mr)$|^VPADDDY?rr$|^VPSHUF[BD]r[ri]$|^VPMULLDrr$|^V(ADD|MUL)PSY?rr$|^VDIVPSrr$'
measure --what ports --forms "$forms"
measure --forms "$forms|^VDIVPSrr/" --variants default,slow
for format in model osaca osaca-sets osaca-isa llvm uops exegesis \
	exegesis-throughput csv json winic; do
	"$anechoic" export --db a.db --format $format -o a.$format >out 2>&1 ||
		fail "export $format"
done
# What the operands held while a value was measured.
for format in model uops csv json winic; do
	has a.$format 'full mantissas'
done
has a.osaca 'operands held: ones'
# How certain ports are is said wherever there are ports, and read back.
sed 's|"ports_mark": "measured"|"ports_mark": "open"|' a.model >open.model
for format in osaca osaca-sets llvm uops; do
	"$anechoic" export --model open.model --format $format -o open.$format \
		>out 2>&1 || fail "export of open ports to $format"
done
for kind in measured open; do
	name=a
	[ $kind = measured ] || name=open
	has $name.model "\"ports_mark\": \"$kind\""
	has $name.osaca "ports_mark: '$kind'"
	has $name.osaca-sets "ports_mark: '$kind'"
	has $name.llvm "/* ports: $kind */"
	has $name.uops "ports_mark=\"$kind\""
done
! grep -q "ports_mark: 'measured'\|ports: measured" open.osaca open.llvm ||
	fail "open ports are given as measured"
for format in osaca uops; do
	"$anechoic" export --model open.$format --format model -o back.model \
		>out 2>&1 || fail "open ports of $format"
	has back.model '"ports_mark": "open"'
done
# Words of a file that would end a comment.
sed 's|"values": "ones"|"values": "*/ class end\\n- name: x"|' a.model >bad.model
for format in osaca llvm; do
	"$anechoic" export --model bad.model --format $format -o bad.$format \
		>out 2>&1 || fail "export of odd words to $format"
	has bad.$format '?/ class end?- name: x'
done

"$anechoic" compare model:a.db a.db >out || fail "two databases"
has out 'ports '
awk '$1 == "ports" && $2 > 20 && $2 == $3 { ok = 1 } END { exit !ok }' out ||
	fail "two databases have the same ports"
# A search for ports measures nothing that `shares` counts.
cp a.db later.db
"$anechoic" measure --board fake --core core --db later.db --what ports \
	--forms '^(ADD|IMUL)64rr$' >out 2>&1 || fail "ports once more"
"$anechoic" shares --db a.db >before || fail "shares"
"$anechoic" shares --db later.db >out || fail "shares behind a search"
cmp -s before out || fail "shares: the newest run that measured forms"
"$anechoic" model --db a.db >out || fail "model"
has out 'classes of one uop'

# same FILE WIDER: as many values as the model has, and none differs; WIDER:
# kinds of which the format holds exact ones alone.
same() {
	"$anechoic" compare a.db a.model --tolerance 0 >all ||
		fail "compare model"
	"$anechoic" compare a.db "$1" --tolerance 2 >out ||
		fail "compare $1"
	for kind in latency throughput slots ports; do
		wanted=$(awk -v k=$kind '$1 == k { print $2 }' all)
		got=$(awk -v k=$kind '$1 == k { print $2 }' out)
		differ=$(awk -v k=$kind '$1 == k { print $5 }' out)
		[ "$wanted" -gt 20 ] || fail "only $wanted of $kind"
		[ "$differ" = 0 ] || fail "$1: $kind differs"
		case " $2 " in
		*" $kind "*) ;;
		*) [ "$wanted" = "$got" ] || fail "$1: $got $kind of $wanted" ;;
		esac
	done
}
same a.model ""

# A model file is completed as the database is, with the same tables: forms that
# neither has (orq, vsubps) come from the class and from the tables.
printf 'addq %%rax, %%rbx\norq %%rbx, %%rcx\nvsubps %%ymm0, %%ymm1, %%ymm2\n%s' \
	'vaddps (%rsi), %ymm0, %ymm3
' >loop.s
for tables in skylake none; do
	"$anechoic" predict --db a.db --tables $tables loop.s >of.db 2>out ||
		fail "predict --db"
	"$anechoic" predict --model a.model --tables $tables loop.s >of.model \
		2>out || fail "predict --model"
	sed 1d of.db >first
	sed 1d of.model >second
	cmp -s first second || fail "a database and its model differ"
	cp of.db out
	[ $tables = none ] || has out "from LLVM's tables of skylake"
done
# Of variants that look alike OSACA has one, one latency of each form, and no
# slots of what it composes itself.
same a.osaca "latency throughput slots"
same a.uops "throughput"
"$anechoic" export --model a.model --format model -o again.model
cmp -s a.model again.model || fail "the model file changes"

has a.osaca "'10'"
has a.osaca "load_throughput:
- {dst: gpr"
has a.osaca "load_latency: {xmm: ~"
has a.osaca ", gpr: 4}"
! grep 'throughput: [0~],' a.osaca | grep -v 'ports_unknown' ||
	fail "OSACA: no throughput with ports"
[ "$(grep -c "name: 'vdivps'" a.osaca)" = 1 ] || fail "OSACA: variants clash"
! grep -q "'addq'" a.osaca || fail "OSACA: a letter of width"
[ "$(grep -c ' form="VDIVPSrr' a.uops)" = 3 ] || fail "uops: variants"
grep -q 'ports="1\*p' a.uops || fail "uops: ports"
grep -m1 -A3 "name: \['xchg', 'xchgq'\]" a.osaca-isa >out
[ "$(grep -o 'true' out | wc -l)" = 4 ] || fail "osaca-isa: xchgq"
grep -m1 -A3 "name: \['cmp', 'cmpq'\]" a.osaca-isa >out
[ "$(grep -c 'destination: false' out)" = 2 ] || fail "osaca-isa: cmpq"
grep -m1 -A8 "name: \['cmp', 'cmpq'\]" a.osaca-isa | grep -A3 'class: flag' >out
has out "destination: true"

awk -f "$(dirname "$tblgen")/opcodes.awk" a.llvm >each.llvm
# cost OPCODE TEXT: of its first write.
cost() {
	grep -B9 -F "\"^$1\$\"" each.llvm | grep SchedWriteRes | tail -1 >out
	has out "$2"
}
cost IMUL64rr "let Latency = 3; let NumMicroOps = 1; let ReleaseAtCycles = [1]"
cost XCHG64rr "let NumMicroOps = 0"
grep -q 'ReleaseAtCycles = \[.*5\]' a.llvm || fail "llvm: the divider"
! grep -q 'VDIVPSrr/' each.llvm || fail "llvm: variants"
# An odd entry is left out and told; --strict refuses the file.
printf '%s\n' 'isa: x86' "ports: ['0']" 'instruction_forms:' \
	'- {name: add, operands: [{class: register, name: gpr}, {class: register,' \
	"   name: gpr}], latency: 1, throughput: 1, port_pressure: [[1, ['0']]]}" \
	"- {name: sub, operands: [], port_pressure: [[1, ['9']]]}" >odd.yml
"$anechoic" export --model odd.yml --format model -o odd.json 2>out ||
	fail "an odd entry"
has out "anechoic: 1 of 2 entries are left out; the first: odd.yml:6: expected"
has odd.json '"ADD64rr"'
"$anechoic" export --model odd.yml --strict --format model -o no.json 2>out
[ $? = 2 ] || fail "--strict"
has out "without --strict they are left out"
[ ! -e no.json ] || fail "--strict wrote a file"
# Entries of no form are told as well.
printf '%s\n' "- {name: nosuch, operands: [], port_pressure: [[1, ['0']]]}" \
	>>odd.yml
"$anechoic" export --model odd.yml --format model -o odd.json 2>out ||
	fail "an entry of no form"
has out "anechoic: entries that stand for no form of x86_64: 1 of 2"
# uops.info's XML: AMD's ports are FP0 ..; an odd value leaves out its
# instruction, not the file.
measured() {
	echo "<instruction iform='X' string='$1'><architecture name='ZEN4'>"
	echo "<measurement TP_unrolled='0.5' uops='$2' ports='$3'>"
	echo "<latency start_op='2' target_op='1' cycles='3'/></measurement>"
	echo "</architecture></instruction>"
}
{
	echo "<root><extension name='AVX'>"
	measured 'VADDPD (XMM, XMM, XMM)' 1 '1*FP23'
	measured 'VADDPD_EVEX (XMM, XMM, XMM)' 1 '1*FP01+2*FP2'
	measured 'VMULPD (XMM, XMM, XMM)' -1 '1*FP01'
	measured 'VMULPS (XMM, XMM, XMM)' 1 '1*FPx'
	measured 'ADD_01 (R64, R64)' 1 '1*p0B'
	measured 'NOSUCH (XMM)' 1 '1*FP01'
	echo "</extension></root>"
} >amd.xml
"$anechoic" export --model amd.xml --format model -o amd.json 2>out ||
	fail "amd.xml: $(cat out)"
has out "anechoic: 2 of 6 entries are left out; the first: amd.xml:11: expected"
has out "anechoic: entries that stand for no form of x86_64: 1"
has amd.json '"cpu": "znver4"'
for port in p0 pB FP0 FP1 FP2 FP3; do
	has amd.json "{ \"name\": \"$port\""
done
! grep -q '"name": "\(p1\|FP4\)"' amd.json || fail "amd: a port that nothing uses"
! grep -q '"VMULP' amd.json || fail "amd: an odd instruction"
has amd.json '"VADDPDrr"'
has amd.json '"VADDPDZ128rr"'
"$anechoic" export --model amd.xml --strict --format model -o no.json 2>out
[ $? = 2 ] || fail "amd: --strict"
sh "$tblgen" "$anechoic" --db "$work/a.db" || exit 1
echo "1 passed, 0 failed"
