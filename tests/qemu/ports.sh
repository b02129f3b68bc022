#!/bin/sh
# Ports through an interactive link: -icount makes every instruction a cycle, a
# core that starts one at a time, on which no port shows.
#	ports.sh ANECHOIC
set -u
anechoic=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAIL: $*"
	sed 's/^/  | /' "$work/out"
	exit 1
}

# has TEXT
has() {
	grep -qE -e "$1" "$work/out" || fail "a line like: $1"
}

command -v qemu-system-riscv64 >/dev/null || {
	echo "SKIP: no qemu-system-riscv64 (package qemu-system-misc)"
	exit 0
}
"$anechoic" measure --board qemu-virt --isa riscv64 --what ports \
	--forms '^(ADD|SUB|MUL|XOR|AND)$' --db "$work/db" >"$work/out" 2>&1 ||
	fail "measure"
has '^width 1, 0 ports'
has '^6 forms: 6 with ports, 0 unsure, 0 misfits'
"$anechoic" model --db "$work/db" >"$work/out" 2>&1 || fail "model"
has '^width: 1 slots per cycle'
has 'as fast as the front end'
"$anechoic" solve --db "$work/db" >"$work/out" 2>&1 || fail "solve"
has '^width 1, 0 ports'
echo "1 passed, 0 failed"
