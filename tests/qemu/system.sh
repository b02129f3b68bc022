#!/bin/sh
# System instructions: the reason against each, by CPU, and those of the family
# `system`, which run, restore what they change, and fault where a privilege or the
# instruction is missing.
#	system.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1

fail() {
	echo "FAIL: $*"
	tail -n 40 "$work/out" | sed 's/^/  | /'
	exit 1
}

# count ISA CPU STATUS: forms with this status
count() {
	"$anechoic" forms --board qemu-virt --isa "$1" --cpu "$2" >"$work/out" ||
		fail "forms of $2"
	awk -F'\t' -v s="$3" '$5 == s { n++ } END { print n + 0 }' "$work/out"
}
[ "$(count aarch64 neoverse-n1 matrix-state)" -eq 0 ] || fail 'SME of a Neoverse N1'
[ "$(count aarch64 apple-m4 matrix-state)" -gt 500 ] || fail 'no SME2 of an M4'
[ "$(count aarch64 generic,+sme matrix-state)" -eq 0 ] || fail 'SME2 without it'
[ "$(count aarch64 neoverse-n1 unknown-effects)" -lt 20 ] || fail 'effects'
"$anechoic" forms --board linux-process --isa x86_64 --cpu sapphirerapids \
	>"$work/out" || fail 'forms of sapphirerapids'
grep -q '^TILELOADD	.*	matrix-state$' "$work/out" || fail 'no AMX'
"$anechoic" forms --board linux-process --isa x86_64 --cpu skylake >"$work/out" ||
	fail 'forms of skylake'
grep -E '^(TILELOADD|CLWB)	' "$work/out" && fail 'what Skylake has not'
grep -q '^VMLAUNCH	.*	virtualization$' "$work/out" || fail 'VMX'

# value FORM LOW HIGH FILE
value() {
	grep -Eq "^[a-z0-9_]*,\"?$1\"?,throughput,,,$2,$3," "$4" || {
		cp "$4" "$work/out"
		fail "$1"
	}
}
if command -v qemu-system-riscv64 >/dev/null; then
	# Under -icount each instruction takes a cycle: with the load or the store in
	# front there are two.  Ordinary forms of the same run are as ever.
	"$anechoic" measure --board qemu-virt --isa riscv64 \
		--variants default,system --db "$work/riscv64.db" --forms \
		'^(FENCE.*|CSRR.|SFENCE_VMA)/|^(ADD|FADD_D|LD)$' \
		>"$work/out" 2>&1 || fail 'riscv64'
	"$anechoic" export --db "$work/riscv64.db" --format csv \
		-o "$work/riscv64.csv" >"$work/out" 2>&1 || fail 'riscv64: export'
	for form in FENCE/rw,rw FENCE_I/system CSRRS/cycle CSRRW/fcsr \
		SFENCE_VMA/page ADD FADD_D LD; do
		value "$form" 1 1 "$work/riscv64.csv"
	done
	value CSRRS/mcycle '' '' "$work/riscv64.csv"
	"$anechoic" show --db "$work/riscv64.db" CSRRS/mcycle >"$work/out" 2>&1
	grep -q 'fault:illegal' "$work/out" || fail 'mcycle in S-mode'
	"$anechoic" measure --board qemu-virt --isa aarch64 \
		--variants default,system --db "$work/aarch64.db" --forms \
		'^(D[MS]B|ISB|CLREX|MRS|MSR|SYSxt)/|^(ADDXrs|FADDDrr|LDRXui)$' \
		>"$work/out" 2>&1 || fail 'aarch64'
	"$anechoic" export --db "$work/aarch64.db" --format csv \
		-o "$work/aarch64.csv" >"$work/out" 2>&1 || fail 'aarch64: export'
	for form in DMB/ish DSB/sy ISB/sy CLREX/system MRS/sctlr MSR/fpcr \
		SYSxt/tlbi-vaae1 SYSxt/dc-civac,again ADDXrs FADDDrr LDRXui; do
		value "$form" 1 1 "$work/aarch64.csv"
	done
	value SYSxt/dc-civac,dirty 2 2 "$work/aarch64.csv"
	value SYSxt/ic-ivau,read 2 2 "$work/aarch64.csv"
	# SME runs in streaming mode, and what follows it outside; a core without it
	# faults and goes on.
	for board in qemu-virt-max qemu-virt; do
		"$anechoic" measure --board $board --isa aarch64 --once \
			--cpu generic,+sve,+sme --db "$work/$board.db" --forms \
			'^(FMOPA_MPPZZ_S|INSERT_MXIPZ_H_S|EXTRACT_ZPMXI_V_D|LD1_MXIPXX_H_D|STR_ZA|ADDSVL_XXI|FADDDrr)$' \
			>"$work/out" 2>&1 || fail "SME on $board"
		"$anechoic" export --db "$work/$board.db" --format csv \
			-o "$work/$board.csv" >"$work/out" 2>&1 || fail "$board: export"
		value FADDDrr 1 1 "$work/$board.csv"
	done
	for form in FMOPA_MPPZZ_S INSERT_MXIPZ_H_S EXTRACT_ZPMXI_V_D \
		LD1_MXIPXX_H_D STR_ZA ADDSVL_XXI; do
		value $form 1 1 "$work/qemu-virt-max.csv"
		value $form '' '' "$work/qemu-virt.csv"
	done
	"$anechoic" show --db "$work/qemu-virt.db" FMOPA_MPPZZ_S >"$work/out" 2>&1
	grep -q 'fault:illegal' "$work/out" || fail 'SME on a core without it'
else
	echo 'no qemu-system-riscv64 (package qemu-system-misc): boards not tried'
fi

# In a process, what needs no privilege runs, and the rest faults.  A busy machine may
# leave a form without a value: CPUID takes an exit to the hypervisor there.
[ "$(uname -m)" = x86_64 ] || exit 0
"$anechoic" measure --board linux-process --cpu native --variants system \
	--forms '^(LFENCE|CPUID|CLFLUSH|LDMXCSR|RDMSR|INVLPG|F?X(SAVE|RSTOR|SAVES)64)/' \
	--db "$work/here.db" >"$work/out" 2>&1 || fail 'here'
"$anechoic" export --db "$work/here.db" --format csv -o "$work/here.csv" \
	>"$work/out" 2>&1 || fail 'here: export'
for form in LFENCE/system CPUID/leaf0 CLFLUSH/dirty LDMXCSR/default \
	XSAVE64/sse XRSTOR64/x87 FXSAVE64/sse FXRSTOR64/sse; do
	grep -E "^x86_64,\"?$form\"?,throughput," "$work/here.csv" >"$work/out" ||
		fail "$form has no row"
	grep -q ',fault:' "$work/out" && fail "$form"
done
privileged='RDMSR/tsc INVLPG/system'
# A virtual machine may hide it.
grep -qw xsaves /proc/cpuinfo && privileged="$privileged XSAVES64/sse"
for form in $privileged; do
	value "$form" '' '' "$work/here.csv"
	"$anechoic" show --db "$work/here.db" "$form" >"$work/out" 2>&1
	grep -q 'fault:access' "$work/out" || fail "$form"
done
