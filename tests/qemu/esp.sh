#!/bin/sh
# A node without a serial line: boot the disk image, take the file off the
# disk again, import it; options come from the disk too.
#	esp.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
firmware=/usr/share/qemu-efi-aarch64/QEMU_EFI.fd

boot() {
	timeout 300 qemu-system-aarch64 -M virt,virtualization=on \
		-cpu neoverse-n1 -m 512 -icount shift=0,sleep=off -display none \
		-monitor none -serial stdio -no-reboot -nic none \
		-bios "$firmware" \
		-drive "if=none,id=disk,format=raw,file=$work/esp.img" \
		-device virtio-blk-device,drive=disk </dev/null \
		>"$work/console" 2>&1 || fail "QEMU: $(tail -3 "$work/console")"
}

command -v qemu-system-aarch64 >/dev/null || skip "no qemu-system-aarch64"
"$anechoic" image --board grace-efi --forms '^MADDXrrr$' \
	-o "$work/esp.img" >"$work/out" || fail "image: $(cat "$work/out")"
printf 'passes = 2 # twice\r\nready_ms = 1\r\n' >"$work/conf"
mcopy -o -i "$work/esp.img" "$work/conf" ::anechoic/anechoic.conf ||
	fail "options"
boot
mcopy -i "$work/esp.img" ::anechoic/run-001.log "$work/run-001.log" ||
	fail "no file on the disk"
tr -d '\r' <"$work/console" | sed -n 's/.*\(@[0-9]* [a-z]* .*\*[0-9a-f]\{8\}\)$/\1/p' \
	>"$work/records"
cmp "$work/records" "$work/run-001.log" || fail "file and console differ"
grep -q 'log=run-001.log .*option_passes=2 option_ready_ms=1' \
	"$work/run-001.log" || fail "options in INFO"
grep -q 'done .*visit=1 ' "$work/run-001.log" || fail "the second pass"
"$anechoic" import --log "$work/run-001.log" --db "$work/db" >"$work/out" 2>&1 ||
	fail "import: $(cat "$work/out")"
"$anechoic" export --db "$work/db" --format csv -o "$work/csv" || fail "export"
grep -q '^aarch64,MADDXrrr,latency,1,0,1,1,' "$work/csv" ||
	fail "MADDXrrr: $(grep ,MADDXrrr, "$work/csv")"
# An ESP that has nothing of ours but the application: the folder is made.
mdeltree -i "$work/esp.img" ::anechoic || fail "mdeltree"
boot
mcopy -n -o -i "$work/esp.img" ::anechoic/run-001.log "$work/second.log" ||
	fail "no file in a new folder"
grep -q 'option_' "$work/second.log" && fail "options of a file that is gone"
grep -q '^@[0-9]* bye ' "$work/second.log" || fail "the whole second run"
echo "1 passed, 0 failed"
