#!/bin/sh
# Measure the ports of an invented core, and compare with its file:
#	run.sh ANECHOIC CHECK FOLDER FILE.core [EXTRA LINE]...
# FOLDER receives the database; extra lines go to the head of the file.  FORMS
# in the environment: an expression, other forms than those of every core.
set -eu
anechoic=$1
check=$2
folder=$3
core=$4
shift 4
name=$(basename "$core" .core)
mkdir -p "$folder"
for line; do
	name=$name-$(echo "$line" | tr -cd 'a-z0-9')
done
for line; do
	echo "$line"
done >"$folder/$name.head"
# A key may stand once: what is given here takes the place of the file's.
sed 's/ *=.*//' "$folder/$name.head" >"$folder/$name.keys"
{
	cat "$folder/$name.head"
	awk -v keys="$folder/$name.keys" '
		BEGIN { while ((getline k < keys) > 0) given[k] = 1 }
		{ key = $0; sub(/ *=.*/, "", key) }
		!(key in given)' "$core"
} >"$folder/$name.core"
rm -f "$folder/$name.db" "$folder/$name.db-journal"
# A core may say which forms to measure, and how long its kernels are.
chosen=$(sed -n 's/^# forms: //p' "$core")
cycles=$(sed -n 's/^# cycles: //p' "$core")
case $(sed -n 's/^isa *= *//p' "$core") in
x86_64) forms='^(MOV|ADD|SUB|AND|OR|XOR|CMP|TEST|NEG|NOT|SHL|SHR|SAR|RORX|SARX|SHLX|SHRX|LEA|IMUL|LZCNT|TZCNT|POPCNT|PDEP|PEXT|ANDN|BLSI|BLSR|BSWAP|XCHG)64(r|rr|ri|rm|mr)$|^VP(ADD|SUB|AND|OR|XOR|SHUF|SLL|SRL)[BWDQ]?Y?r[ri]$|^VPMULLDY?rr$|^V(ADD|SUB|MUL|DIV)P[SD]Y?rr$' ;;
aarch64) forms='^(ADD|SUB|AND|ORR|EOR|BIC)[XW]r[ris]$|^(LSL|LSR|ASR|ROR)V[XW]r$|^(SBFM|UBFM)[XW]ri$|^(CLZ|RBIT|REV)[XW]r$|^MADD[XW]rrr$|^[SU](MULHrr|DIV[XW]r)$|^(ADD|SUB|MUL)v(4i32|8i16|16i8)$|^(AND|ORR|EOR)v16i8$|^F(ADD|DIV)v(2f64|4f32)$|^(SSHR|USHR|SHL)v4i32_shift$|^(ZIP|UZP)1v4i32$|^TBLv16i8One$|^(LDR|STR)Xui$' ;;
*) forms='^(ADD|SUB|AND|OR|XOR|SLT|SLTU|SLL|SRL|SRA)(W|I|IW)?$|^(MUL|MULW|MULH|MULHU|MULHSU|DIVU?W?|REMU?W?)$|^(CLZ|CTZ|CPOP)W?$|^(ANDN|ORN|XNOR|MIN|MAX|MINU|MAXU|ROL|ROR|SH[123]ADD)$|^F(ADD|SUB|MUL|DIV|SGNJ|SGNJN|SGNJX|MADD|MSUB|MIN|MAX)_[SD]$|^(LD|SD|LW|SW|LH|SH)$' ;;
esac
forms=${FORMS:-$forms}
"$anechoic" measure --board fake --core "$folder/$name.core" --what ports \
	--forms "${chosen:-$forms}" ${cycles:+--kernel-cycles "$cycles"} --db "$folder/$name.db" >"$folder/$name.log" 2>&1 || {
	cat "$folder/$name.log"
	exit 1
}
grep -E 'experiments|kernels measured' "$folder/$name.log"
"$check" "$folder/$name.db" "$folder/$name.core"
