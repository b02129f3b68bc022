#!/bin/sh
# Files stay readable (500 lines), names in a profile say whose they are, and the
# ISA is chosen by path, not #ifdef.
cd "$(dirname "$0")/../.." || exit 2
long=$(find common host target tests \( -name '*.[chS]' -o -name '*.cpp' \) \
	-exec wc -l {} + |
	awk '$2 != "total" && $1 > 500 { print $2 ": " $1 }')
if [ -n "$long" ]; then
	echo "at most 500 lines: $long"
	exit 1
fi
if grep -rnE '#\s*if.*(__riscv|__aarch64__|__x86_64__)' \
	common host target/core target/boot target/console; then
	echo "the ISA is chosen by include path and link, not by #ifdef"
	exit 1
fi
if grep -rnE '^static [a-z_ *0-9]*\b(run|add|find|compare|count|collect|step|by_name|find_isa)\(' \
	host target common lib --include='*.c'; then
	echo "a profile cannot tell them apart: begin the name with the file's"
	exit 1
fi
