#!/bin/sh
# Every correction of LLVM's tables in models/facts: a form's value in the model
# of the CPU, and the mark of a prediction.  corrected.sh ANECHOIC SOURCE [LLVM]
. "$(dirname "$0")/../head.sh"
anechoic=$1
llvm=${3:-19}
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 2
failed=0

# cpu  isa  form  what is in its line of the model
while read -r cpu isa form text; do
	[ -f "$cpu.json" ] || "$anechoic" export --cpu "$cpu" --isa "$isa" \
		--format model -o "$cpu.json" 2>log || cat log
	grep "\"name\": \"$form\"," "$cpu.json" >line
	grep -qF "$text" line || {
		echo "FAIL: $cpu, $form: $text: $(cat line)"
		failed=1
	}
done <<'EOF'
znver4 x86_64 TZCNT16rr "cycles": [1, 1]
znver4 x86_64 TZCNT64rr "cycles": [1, 1]
znver4 x86_64 TZCNT32rr "slots": [1, 1]
znver4 x86_64 BSF64rr "slots": [1, 1]
znver4 x86_64 BSR32rr "slots": [1, 1]
znver4 x86_64 DIV8r "cycles": [9, 9]
znver4 x86_64 IDIV16r "cycles": [10, 10]
znver4 x86_64 DIV32r "cycles": [12, 12]
znver4 x86_64 IDIV64r "cycles": [18, 18]
znver4 x86_64 PACKSSWBrr "throughput": [0.5, 0.5]
znver4 x86_64 PALIGNRrri "throughput": [0.5, 0.5]
neoverse-v2 aarch64 CFINV "throughput": [1, 1]
neoverse-v2 aarch64 SETF8 "throughput": [1, 1]
neoverse-v2 aarch64 SETF16 "cycles": [1, 1]
neoverse-v2 aarch64 RMIF "throughput": [1, 1]
neoverse-n2 aarch64 LDPXi "throughput": [0.6666
neoverse-n2 aarch64 LDNPXi "uops": 2
apple-m1 aarch64 LDRXui "cycles": [3, 3]
apple-m1 aarch64 LDRBBui "cycles": [3, 3]
EOF
python3 -B "$here/corrected.py" "$anechoic" "$2" "$llvm" || failed=1
# Widths that LLVM has corrected; later ones have numbers of their own.
for row in skylake,4 neoverse-v2,6 neoverse-n2,5 neoverse-n1,4 neoverse-v1,8; do
	[ "$llvm" = 19 ] || break
	cpu=${row%,*}
	[ -f "$cpu.json" ] || "$anechoic" export --cpu "$cpu" --format model \
		-o "$cpu.json" 2>log || cat log
	grep -q "\"width\": \[${row#*,}, ${row#*,}\]" "$cpu.json" || {
		echo "FAIL: the width of $row: $(grep -o '"width": [^]]*]' "$cpu.json")"
		failed=1
	}
done
printf '1:\ntzcntq %%rax, %%rax\naddq %%rax, %%rbx\njnz 1b\n' >loop.s
"$anechoic" predict --cpu znver4 loop.s >out 2>&1 || cat out
[ "$llvm" != 19 ] || grep -q '|t\*tzcntq' out || { cat out; failed=1; }
grep -q '|  addq' out || { cat out; failed=1; }
exit $failed
