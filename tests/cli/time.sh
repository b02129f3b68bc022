#!/bin/sh
# anechoic time: own code on an invented core, whose truth is known, and on this
# machine.
#	time.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1

cat >"$work/x.core" <<'CORE'
isa = x86_64
cpu = znver3
width = 4
window = 128
ports = a b m l s

form IMUL64rr.*: ports=m, latency=3
form (MOV64rm|MOVSDrm|VMOVUPDYrm|ADD64rm).*: ports=l, latency=5
form (MOV64mr|MOVSDmr).*: ports=s
form ADDSDrr.*: ports=m, latency=4
form .*: ports=a|b
CORE

# cycles WANTED ARGUMENT ...: what is measured is within 2 %.
cycles() {
	wanted=$1
	shift
	"$anechoic" time --board fake --core "$work/x.core" --format json "$@" \
		>"$work/out" 2>"$work/err" || {
		cat "$work/err"
		echo "FAIL: $*"
		exit 1
	}
	awk -v wanted="$wanted" -F '[:,]' '
		/"low_cycles"/ { low = $2 }
		/"high_cycles"/ { high = $2 }
		END {
			x = (low + high) / 2
			exit !(x > 0.98 * wanted && x < 1.02 * wanted)
		}' "$work/out" || {
		cat "$work/out"
		echo "FAIL: $wanted cycles expected of $*"
		exit 1
	}
}

# Straight code: a chain, independent instructions, both dialects.
cycles 4 --asm 'add rax, rbx; imul rax, rbx' --syntax intel
cycles 2 --asm 'addq %rbx, %rax; addq %rbx, %rcx; addq %rbx, %rdx; addq %rbx, %rsi'
cycles 3 --asm 'imul %rbx, %rax' --mode unroll

# A loop that counts down, one that counts to a register, one that counts to a
# number, and one that counts a negative index up to zero.
printf 'loop:\n imul %%rbx, %%rax\n dec %%rcx\n jne loop\n' >"$work/down.s"
cycles 3 "$work/down.s"
cat >"$work/register.s" <<'CODE'
x:	imul %rbx, %rax
	addq $8, %rdx
	cmpq %rsi, %rdx
	jne x
CODE
cycles 3 "$work/register.s"
cat >"$work/number.s" <<'CODE'
x:	imul %rbx, %rax
	incq %rdx
	cmpq $100, %rdx
	jl x
CODE
cycles 3 "$work/number.s"
printf 'x:\n addsd (%%rdi,%%rax,8), %%xmm0\n incq %%rax\n jne x\n' >"$work/sum.s"
"$anechoic" time "$work/sum.s" >"$work/out" 2>"$work/err" || {
	cat "$work/err"
	exit 1
}
grep -q 'points into memory' "$work/out"

# What ends no loop, what calls, what is no code, and what no register is.
# refused WORDS ARGUMENT ...
refused() {
	words=$1
	shift
	status=0
	"$anechoic" time "$@" >"$work/out" 2>"$work/err" || status=$?
	if [ "$status" -ne 2 ] || ! grep -q -e "$words" "$work/err"; then
		cat "$work/err"
		echo "FAIL: status $status of $*; expected: $words"
		exit 1
	fi
}
cat >"$work/data.s" <<'CODE'
x:	imul %rbx, %rax
	testb $3, %al
	jne x
CODE
refused 'iterations-in' "$work/data.s"
refused 'must stay inside' --asm 'call *%rax'
refused 'must stay inside' --board fake --core "$work/x.core" --asm 'syscall'
refused 'no such general register' --set xmm0=1 --asm 'nop'
refused 'must follow' --set rax=z --asm 'nop'
refused 'name a file'
refused 'below 64' --align 64 --asm nop

# A fault is a result, with its place.
"$anechoic" time --asm 'xorl %eax, %eax; movq (%rax), %rbx' >"$work/out"
grep -q 'fault:access' "$work/out"
grep -q 'movq (%rax), %rbx' "$work/out"
"$anechoic" time --format json --asm 'xorl %eax, %eax; movq (%rax), %rbx' \
	>"$work/out"
python3 - "$work/out" <<'CHECK'
import json, sys
fault = json.load(open(sys.argv[1]))["fault"]
assert fault["instruction"] == 2 and fault["address"] == "0x0", fault
assert "movq (%rax), %rbx" in fault["text"], fault
CHECK

# So is a call of the system, which does not take place: it would end the process.
"$anechoic" time --asm 'xorl %edi, %edi; leal 231(%rdi), %eax; syscall' >"$work/out"
grep -q 'fault:syscall' "$work/out"
if grep -q 'memory holds' "$work/out"; then
	echo "FAIL: measured again with other memory"
	exit 1
fi
grep -q 'at --asm, line 1: .*syscall' "$work/out"

# What llvm-exegesis' snippet files set: a shift by the register's count of bits.
cat >"$work/snippet.s" <<'CODE'
# LLVM-EXEGESIS-DEFREG RCX 11
# LLVM-EXEGESIS-LIVEIN RDI
	imul %rcx, %rax
CODE
cycles 3 "$work/snippet.s"
printf '# LLVM-EXEGESIS-DEFREG RCX zz\n nop\n' >"$work/bad.s"
refused 'bad.s:1: expected DEFREG, a general or vector register' "$work/bad.s"
for line in 'MEM-DEF x 4096' 'MEM-DEF x 0 00' 'MEM-DEF x 1 ffff' \
	'MEM-MAP x 1000' 'SNIPPET-ADDRESS z' 'LOOP-REGISTER XMM1' 'LIVEIN Q' \
	'MEMDEF'; do
	printf 'nop\n# LLVM-EXEGESIS-%s\n' "$line" >"$work/bad.s"
	refused 'bad.s:2: expected' "$work/bad.s"
done
printf '# LLVM-EXEGESIS-LOOP-REGISTER RAX\nincq %%rax\n' >"$work/bad.s"
refused 'rax cannot count the repetitions' "$work/bad.s"
printf '# LLVM-EXEGESIS-SNIPPET-ADDRESS 10000\nmovq 8(%%rip), %%rax\n' \
	>"$work/bad.s"
refused 'depends on the address' "$work/bad.s"

# A small part that is predicted wrong: a core whose product takes nine cycles.
sed 's/^form IMUL64rr.*/form IMUL64rr.*: ports=m, latency=9/' "$work/x.core" \
	>"$work/y.core"
cat >"$work/slow.s" <<'CODE'
x:	add %rbx, %rdx
	imul %rbx, %rax
	add %rbx, %rsi
	xor %rdi, %r8
	dec %rcx
	jne x
CODE
"$anechoic" time --board fake --core "$work/y.core" --cpu skylake --explain \
	"$work/slow.s" >"$work/out" 2>"$work/err" || {
	cat "$work/err"
	exit 1
}
sed -n '/^without any more/,$p' "$work/out" >"$work/part"
grep -q 'imul' "$work/part"
if grep -q 'add' "$work/part" || grep -q 'xor' "$work/part"; then
	cat "$work/out"
	echo "FAIL: more than the product is left"
	exit 1
fi

# The samples stay in a database, with their evidence.
"$anechoic" time --db "$work/a.db" --asm 'imul %rbx, %rax' >"$work/out"
key=$(sed -n "s/^evidence .*'\(.*\)'$/\1/p" "$work/out")
"$anechoic" show --db "$work/a.db" "$key" >"$work/shown"
grep -q 'code' "$work/shown"

# A database without values of forms predicts nothing, and that is said.
"$anechoic" time --db "$work/a.db" --asm 'imul %rbx, %rax' >"$work/out" 2>"$work/err"
grep -q 'not predicted by the database.* has no values' "$work/err"
# Without a database there is nothing to say.
"$anechoic" time --asm 'imul %rbx, %rax' >"$work/out" 2>"$work/err"
! grep 'not predicted by the database' "$work/err"
