#!/bin/sh
# A PC whose CPU lacks the vectors of the wake-up kernels, and of some forms:
# these fault, are reported, and the session goes on.
#	wake.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1

command -v qemu-system-x86_64 >/dev/null || skip "no qemu-system-x86_64"
"$anechoic" image --board pc-efi --cpu sapphirerapids \
	--forms '^(ADD64rr|VADDPDZrr)$' -o "$work/pc.img" >"$work/out" 2>&1 ||
	fail "image: $(cat "$work/out")"
timeout 300 qemu-system-x86_64 -M q35 -cpu qemu64 -m 256 -icount shift=4 \
	-display none -monitor none -serial stdio -no-reboot -nic none \
	-bios /usr/share/ovmf/OVMF.fd \
	-drive "format=raw,file=$work/pc.img" </dev/null >"$work/console" 2>&1 ||
	fail "QEMU: $(tail -3 "$work/console")"
grep -aq '@[0-9]* bye ' "$work/console" || fail "no bye record"
grep -aq 'fault .*x=throughput:VADDPDZrr .*cause=illegal' "$work/console" ||
	fail "VADDPDZrr has no fault"
grep -aq 'sample .*x=throughput:ADD64rr ' "$work/console" ||
	fail "ADD64rr has no sample"
