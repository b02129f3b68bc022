#!/bin/sh
# From the EFI shell, as boards/grace-efi/README.md says: the application copied
# to a partition, started with options, and the prompt again when it is done.
#	shell.sh ANECHOIC
set -u
anechoic=$1
work=$(mktemp -d)
pid=
# shellcheck disable=SC2317 # it runs when the script ends
cleanup() {
	[ -n "$pid" ] && kill "$pid" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

command -v qemu-system-aarch64 >/dev/null || {
	echo "SKIP: no qemu-system-aarch64 (package qemu-system-arm)"
	exit 0
}
"$anechoic" image --board grace-efi --forms '^MADDXrrr$' -o "$work/esp.img" \
	>"$work/out" || fail "image: $(cat "$work/out")"
mcopy -i "$work/esp.img" ::EFI/BOOT/BOOTAA64.EFI "$work/anechoic.efi" ||
	fail "the application"
mdeltree -i "$work/esp.img" ::EFI || fail "the removable path"
mcopy -i "$work/esp.img" "$work/anechoic.efi" ::anechoic.efi ||
	fail "the disk"
mkfifo "$work/keys"
qemu-system-aarch64 -M virt,virtualization=on -cpu neoverse-n1 -m 512 \
	-display none -monitor none -serial stdio -no-reboot \
	-nic none -bios /usr/share/qemu-efi-aarch64/QEMU_EFI.fd \
	-drive "if=none,id=disk,format=raw,file=$work/esp.img" \
	-device virtio-blk-device,drive=disk <"$work/keys" \
	>"$work/console" 2>&1 &
pid=$!
exec 3>"$work/keys"

# await COUNT TEXT: until the console has it so often
await() {
	for _ in $(seq 600); do
		[ "$(grep -ac "$2" "$work/console")" -ge "$1" ] && return
		kill -0 "$pid" 2>/dev/null || fail "QEMU ended before '$2'"
		sleep 0.2
	done
	fail "no '$2': $(tail -c 300 "$work/console")"
}

await 1 'Shell>'
printf 'fs0:\\anechoic.efi anechoic.passes=2 anechoic.ready_ms=1 anechoic.poweroff=0\r' >&3
await 1 ' bye '
# The shell is there again and obeys.
printf 'echo back-in-the-%s\r' shell >&3
await 1 'back-in-the-shell'
printf 'reset -s\r' >&3
wait "$pid"
pid=
mcopy -n -i "$work/esp.img" ::anechoic/run-001.log "$work/run-001.log" ||
	fail "no file on the disk"
grep -q ' info .*option_passes=2 option_ready_ms=1 option_poweroff=0' \
	"$work/run-001.log" || fail "options: $(head -1 "$work/run-001.log")"
grep -q 'done .*visit=1 ' "$work/run-001.log" || fail "the second pass"
grep -q ' bye ' "$work/run-001.log" || fail "the end"
echo "1 passed, 0 failed"
