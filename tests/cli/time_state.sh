#!/bin/sh
# anechoic time: the state that code starts with. Code that loads an address and
# accesses it shows by its fault what memory and registers held.
#	time_state.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
test "$(uname -m)" = x86_64 || exit 77

# faults_at ADDRESS ARGUMENT ...: the last instruction faults there.  The first 64 KiB
# are not there, and do not appear.
faults_at() {
	address=$1
	shift
	"$anechoic" time --format json --syntax intel "$@" >"$work/out" \
		2>"$work/err" || {
		cat "$work/err"
		echo "FAIL: $*"
		exit 1
	}
	grep -q "\"fault\": { \"address\": \"$address\"" "$work/out" && return
	cat "$work/out"
	echo "FAIL: no fault at $address: $*"
	exit 1
}

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

# Registers, and memory, that code before it sets.
faults_at 0x20 --asm-init 'mov rbx, 32' --asm 'mov rax, [rbx]'
faults_at 0x30 --asm-init 'mov qword ptr [r14 + 8], 48' \
	--asm 'mov rax, [r14 + 8]; mov rcx, [rax]'
faults_at 0x40 --asm-init 'lea rbx, [r14 + 16]; mov qword ptr [rbx], 64' \
	--asm 'mov rax, [rbx]; mov rcx, [rax]'
# What it pushes is forgotten; a loop in it ends by itself.
printf 'mov rcx, 7\nx: push rcx\ndec rcx\njne x\nmov rbx, 80\n' >"$work/init.s"
faults_at 0x50 --init "$work/init.s" --asm 'mov rax, [rbx]'
# A fault of its own.
"$anechoic" time --syntax intel --asm-init 'mov rbx, 8; mov rbx, [rbx]' \
	--asm 'add rax, rbx' >"$work/out" 2>"$work/err"
grep -q 'in the code of --init; address 0x8' "$work/out"
refused 'end of the loop depends' --syntax intel --asm-init 'mov ecx, 5' \
	--asm 'x: imul rax, rbx; dec rcx; jne x'
refused 'must stay inside' --asm-init 'syscall' --asm 'nop'

# Bytes of a file: at the first register, and at one that is named.
printf '\140\0\0\0\0\0\0\0' >"$work/data"
faults_at 0x60 --data "$work/data" --asm 'mov rax, [rbx]; mov rcx, [rax]'
faults_at 0x60 --data "rsi=$work/data" --asm \
	'mov rax, [rbx]; mov rdx, [rsi]; mov rcx, [rdx]'
refused 'no register that points into memory' --data "$work/data" --asm 'nop'
: >"$work/empty"
refused 'is empty' --data "$work/empty" --asm 'movq (%rbx), %rax'
head -c 40000 /dev/zero >"$work/long"
refused 'see --memory' --data "$work/long" \
	--asm 'movq (%rbx), %rax; movq (%rcx), %rdx'

# Memory: a loop walks through what is there, and an address inside is not one of
# the pages that appear.
cat >"$work/walk.s" <<'CODE'
x:	movq (%rdi), %rax
	addq $64, %rdi
	decq %rcx
	jne x
CODE
"$anechoic" time --memory 256K "$work/walk.s" >"$work/out" 2>"$work/err"
grep -q 'bytes 0 to 2[0-9]*' "$work/out"
faults_at 0x60 --memory 200K --data "$work/data" --data "rsi=$work/long" \
	--asm 'mov rax, [rbx]; mov rdx, [rsi]; mov rcx, [rax]'
refused 'see --memory' --memory 2K --mode unroll \
	--asm 'movq 4096(%rdi), %rax; movq (%rdi), %rbx'
for size in 12 1T x -1 4096M; do
	refused 'memory must be' --memory "$size" --asm nop
done
refused 'memory must be' --board qemu-virt --isa riscv64 --memory 1M --asm nop
