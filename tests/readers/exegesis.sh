#!/bin/sh
# Benchmark files for llvm-exegesis, read by its analysis, and back:
#	exegesis.sh ANECHOIC
# Prints a row for table.sh for each file.
. "$(dirname "$0")/../head.sh"
anechoic=$1
exegesis=llvm-exegesis-19
command -v $exegesis >/dev/null ||
	skip "$exegesis is not installed (Debian package llvm-19)"
version=$($exegesis --version | sed -n 's/.*LLVM version //p')
cd "$work" || exit 2
failed=0

fail() {
	echo "FAIL: $*"
	failed=1
}

# try FORMAT ISA MOST NAME SOURCE...: the analysis parses all entries, puts
# every value into its table and names at most MOST classes inconsistent; what
# is read back is what was written.
try() {
	format=$1
	isa=$2
	most=$3
	name=$4
	shift 4
	"$anechoic" export "$@" --format "$format" -o a.yaml 2>log || {
		fail "$*: $(head -3 log)"
		return
	}
	$exegesis -mode=analysis --mtriple="$isa-unknown-linux-gnu" \
		--benchmarks-file=a.yaml --analysis-clusters-output-file=a.csv \
		--analysis-numpoints=1 \
		--analysis-inconsistencies-output-file=a.html >log 2>&1 || {
		fail "$* as $format: $(head -3 log)"
		return
	}
	entries=$(grep -c '^mode:' a.yaml)
	values=$(grep -c "^error: ''" a.yaml)
	grep -q "Parsed $entries benchmark points" log ||
		fail "$* as $format: $(cat log)"
	rows=$(grep -c '^[0-9]' a.csv)
	[ "$rows" = "$values" ] ||
		fail "$* as $format: $rows of $values values in the table"
	classes=$(grep -o 'Sched Class <span' a.html | wc -l)
	[ "$classes" -le "$most" ] ||
		fail "$* as $format: $classes classes are inconsistent"
	"$anechoic" export --model a.yaml --strict --format model -o b.json \
		2>log || fail "read back: $(cat log)"
	"$anechoic" export "$@" --format model -o a.json 2>log || fail model
	"$anechoic" compare a.json b.json --tolerance 1% >same || fail compare
	[ "$(awk '/^(latency|throughput|slots) / { n += $2; d += $5 }
		END { print (n > 0 && d == 0) }' same)" = 1 ] ||
		fail "$* as $format, read back: $(cat same)"
	echo "row|llvm-exegesis|$version|$format of $name|-mode=analysis|$entries\
 entries, $values with a value, $classes classes inconsistent"
}

# LLVM's own values agree with its classes, where no value is corrected.
try exegesis x86_64 0 skylake --cpu skylake
try exegesis-uops x86_64 0 znver3 --cpu znver3
# Classes with forms that have other micro-ops in LLVM 22.
try exegesis-uops aarch64 7 neoverse-v2 --cpu neoverse-v2
try exegesis-throughput aarch64 200 neoverse-v2 --cpu neoverse-v2
try exegesis aarch64 100 cortex-a55 --cpu cortex-a55

# What a machine with counters wrote: pairs follow from the registers.
cat >capture.yaml <<'EOF'
---
mode:            latency
key:
  instructions:
    - 'ADD64rr RAX RAX RBX'
  config:          ''
  register_initial_values:
    - 'RBX=0x0'
cpu_name:        skylake
llvm_triple:     x86_64-unknown-linux-gnu
min_instructions: 10000
measurements:
  - { key: latency, value: 1.0029, per_snippet_value: 1.0029, validation_counters: {} }
error:           ''
info:            Repeating a single explicitly serial instruction
assembled_snippet: 4801D8
...
---
mode:            latency
key:
  instructions:
    - 'ADC64rr RAX RAX RBX'
  config:          ''
  register_initial_values: []
cpu_name:        skylake
llvm_triple:     x86_64-unknown-linux-gnu
min_instructions: 10000
measurements:
  - { key: latency, value: 2, per_snippet_value: 2 }
error:           ''
...
---
mode:            latency
key:
  instructions:
    - 'CVTSI2SDrr XMM0 EAX'
    - 'CVTSD2SIrr EAX XMM0'
  config:          ''
  register_initial_values: []
cpu_name:        skylake
llvm_triple:     x86_64-unknown-linux-gnu
min_instructions: 10000
measurements:
  - { key: latency, value: 6, per_snippet_value: 12 }
error:           ''
...
---
mode:            inverse_throughput
key:
  instructions:
    - 'ADD64rr RAX RAX RBX'
    - 'ADD64rr RCX RCX RBX'
  config:          ''
  register_initial_values: []
cpu_name:        skylake
llvm_triple:     x86_64-unknown-linux-gnu
min_instructions: 10000
measurements:
  - { key: inverse_throughput, value: 0.25, per_snippet_value: 0.5 }
error:           ''
...
EOF
"$anechoic" export --model capture.yaml --format model -o c.json 2>log ||
	fail "a capture: $(cat log)"
for text in '"cpu": "skylake"' '1 entries are of several opcodes' \
	'"throughput": [0.25, 0.25]' \
	'{ "from": 1, "to": 0, "cycles": [1.0029, 1.0029] }' \
	'{ "from": 1, "to": 0, "cycles": [0, 2] }'; do
	grep -qF "$text" c.json || fail "a capture has $text: $(cat c.json)"
done

# bad TEXT SED: the capture with a mistake is refused with its place.
bad() {
	sed "$2" capture.yaml >bad.yaml
	"$anechoic" export --model bad.yaml --strict --format model -o c.json \
		2>log
	status=$?
	[ $status = 2 ] || fail "$2: status $status"
	grep -q "bad.yaml:[0-9]*: expected $1" log || fail "$2: $(cat log)"
}
bad 'as many operands' 's/RAX RAX RBX/RAX/'
bad 'mode: latency' 's/^mode:.*/mode: cycles/'
bad 'cpu_name' '20,999s/skylake/haswell/'
bad 'llvm_triple' '20,999s/x86_64-un/arm-un/'
bad 'an opcode' "s/- 'ADD64rr.*/- ''/"
exit $failed
