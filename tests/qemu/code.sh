#!/bin/sh
# Own code on boards: live, where each instruction takes a cycle, and in an image
# whose log is imported.
#	code.sh ANECHOIC
set -u
anechoic=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*"
	sed 's/^/  | /' "$work/out"
	exit 1
}

command -v qemu-system-riscv64 >/dev/null || {
	echo "SKIP: no qemu-system-riscv64 (package qemu-system-misc)"
	exit 0
}
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
