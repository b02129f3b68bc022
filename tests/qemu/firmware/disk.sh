#!/bin/sh
# Put a shim of this folder before the application of a disk image, unless it is
# there from an earlier boot, and boot it.
#	disk.sh IMAGE SHIM COMMAND...
set -eu
image=$1
shim=$2
shift 2
boot=::EFI/BOOT/BOOTAA64.EFI
if ! mdir -i "$image" ::anechoic.efi >/dev/null 2>&1; then
	mcopy -n -i "$image" $boot "$image.efi"
	mcopy -i "$image" "$image.efi" ::anechoic.efi
	rm -f "$image.efi"
	mcopy -o -i "$image" "$shim" $boot
fi
exec "$@"
