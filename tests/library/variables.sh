#!/bin/sh
# variables.sh LIBRARY: the variables of libanechoic that can change are those
# that the language initialises once.  Constant data that the dynamic linker
# relocates is none.
set -eu
found=$(objdump -t "$1" | awk '
	NF > 3 && $(NF - 2) ~ /^\.(data|bss)$/ && $0 ~ / O / { print $NF }' |
	sed 's/\.[0-9]*$//' | grep -vE '^(completed|_ZGV.*)$' || :)
expected=$(printf '%s\n' "$found" | grep -cE \
	'^_ZZ(11find_target.*registered|.*host_cpu.*4name)$' || :)
others=$(printf '%s\n' "$found" | grep -vE \
	'^_ZZ(11find_target.*registered|.*host_cpu.*4name)$' || :)
[ "$expected" -ge 1 ] || {
	echo "$1: its symbols cannot be read"
	exit 1
}
[ -z "$others" ] || {
	echo "variables of libanechoic that threads share: $others"
	exit 1
}
