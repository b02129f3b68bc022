#!/bin/sh
# Own code on boards: live, where each instruction takes a cycle, and in an image
# whose log is imported.
#	code.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1

need qemu-system-riscv64 qemu-system-misc
cat >"$work/riscv64.s" <<'CODE'
x:	fld fa0, 0(a0)
	fadd.d fa1, fa1, fa0
	mul a4, a3, a3
	addi a0, a0, 8
	bne a0, a1, x
CODE
cat >"$work/aarch64.s" <<'CODE'
x:	ldr d0, [x1], #8
	fadd d1, d1, d0
	str d1, [x3], #8
	subs x2, x2, #1
	b.ne x
CODE
for isa in riscv64 aarch64; do
	"$anechoic" time --board qemu-virt --isa $isa "$work/$isa.s" \
		>"$work/out" 2>&1 || fail "$isa"
	grep -q 'measured  *5 cycles per iteration' "$work/out" || fail "$isa"
done

# Six instructions in one iteration, four in the next: the path repeats after two.
cat >"$work/path-riscv64.s" <<'CODE'
x:	xori a2, a2, 1
	beqz a2, y
	mul a0, a0, a1
	mul a0, a0, a1
y:	addi a3, a3, -1
	bnez a3, x
CODE
cat >"$work/path-aarch64.s" <<'CODE'
x:	eor x2, x2, #1
	cbz x2, y
	mul x0, x0, x1
	mul x0, x0, x1
y:	subs x3, x3, #1
	b.ne x
CODE
for isa in riscv64 aarch64; do
	"$anechoic" time --board qemu-virt --isa $isa \
		"$work/path-$isa.s" >"$work/out" 2>&1 || fail "$isa: path"
	grep -q '10 instructions are executed in 2 iterations' "$work/out" ||
		fail "$isa: path"
	grep -q 'measured  *5 cycles per iteration' "$work/out" ||
		fail "$isa: path"
done

# Functions: each instruction of them takes a cycle, too, and one takes another way
# each time that it is called.  An address that is overwritten is a fault.
cat >"$work/calls-riscv64.s" <<'CODE'
x:	call f
	call g
	addi a0, a0, -1
	bnez a0, x
	ret
f:	addi sp, sp, -16
	sd ra, 8(sp)
	call g
	ld ra, 8(sp)
	addi sp, sp, 16
	tail g
g:	xori a2, a2, 1
	beqz a2, y
	mul a1, a1, a3
y:	ret
CODE
cat >"$work/calls-aarch64.s" <<'CODE'
x:	bl f
	bl g
	subs x0, x0, #1
	b.ne x
	ret
f:	stp x29, x30, [sp, #-16]!
	bl g
	ldp x29, x30, [sp], #16
	b g
g:	eor x3, x3, #1
	cbz x3, y
	mul x1, x1, x2
y:	ret
CODE
sed 's/^g:.*/g:	li ra, 0/' "$work/calls-riscv64.s" >"$work/bad-riscv64.s"
sed 's/^g:.*/g:	mov x30, #0/' "$work/calls-aarch64.s" >"$work/bad-aarch64.s"
for row in riscv64=20.5 aarch64=18.5; do
	isa=${row%=*}
	"$anechoic" time --board qemu-virt --isa "$isa" \
		--events instructions,cycles "$work/calls-$isa.s" \
		>"$work/out" 2>&1 || fail "$isa: calls"
	grep -q "event  *${row#*=} instructions per iteration" "$work/out" ||
		fail "$isa: instructions"
	grep -q "event  *${row#*=} cycles per iteration" "$work/out" ||
		fail "$isa: cycles"
	grep -q "measured  *${row#*=} cycles per iteration" "$work/out" ||
		fail "$isa: calls"
	"$anechoic" time --board qemu-virt --isa "$isa" \
		"$work/bad-$isa.s" >"$work/out" 2>&1 || fail "$isa: return"
	grep -q 'fault:' "$work/out" || fail "$isa: return"
done

# The state that it starts with: code before it costs nothing, and a fault shows what
# memory holds.
printf '\110\1\0\0\0\0\0\0' >"$work/data"
state() {
	isa=$1
	"$anechoic" time --board qemu-virt --isa "$isa" --asm-init "$2" \
		--asm "$3" >"$work/out" 2>&1 || fail "$isa: init"
	grep -q 'measured  *3 cycles per copy' "$work/out" || fail "$isa: init"
	"$anechoic" time --board qemu-virt --isa "$isa" --data "$work/data" \
		--asm "$4" >"$work/out" 2>&1 || fail "$isa: data"
	grep -q 'fault:access' "$work/out" || fail "$isa: data"
	grep -q 'address 0x148' "$work/out" || fail "$isa: data"
}
state riscv64 'li a2, 7; mv a3, a0; sd a2, 8(a3)' \
	'ld a1, 8(a0); add a4, a4, a1; ld a5, 16(a3)' \
	'ld a1, 0(a0); ld a2, 0(a1)'
state aarch64 'mov x2, #7; mov x3, x0; str x2, [x3, #8]' \
	'ldr x1, [x0, #8]; add x4, x4, x1; ldr x5, [x3, #16]' \
	'ldr x1, [x0]; ldr x2, [x1]'

"$anechoic" image --board qemu-virt --isa riscv64 --code "$work/riscv64.s" \
	--db "$work/db" -o "$work/image" >"$work/out" 2>&1 || fail "image"
qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 1 -icount shift=0 \
	-display none -monitor none -serial stdio -no-reboot \
	-kernel "$work/image" </dev/null >"$work/log" 2>&1
"$anechoic" import --log "$work/log" --db "$work/db" >"$work/out" 2>&1 ||
	fail "import"
key=$(grep -o 'riscv64\.s#[0-9a-f]*' "$work/log" | head -n 1)
[ -n "$key" ] || fail "no code in the log"
"$anechoic" show --db "$work/db" "$key" >"$work/out" 2>&1 || fail "show"
grep -qE 'code .*5( |\.0|$)' "$work/out" || fail "five cycles"
"$anechoic" show --db "$work/db" --evidence "$key" >"$work/out" 2>&1 ||
	fail "evidence"
if grep -q 'not known' "$work/out"; then fail "the code is not known"; fi
grep -q 'fadd.d' "$work/out" || fail "no bytes of the code"
"$anechoic" export --db "$work/db" --format csv -o "$work/csv" >"$work/out" 2>&1 ||
	fail "export"
