#!/bin/sh
# symbols.sh PLUGIN: every name that the plugin takes from QEMU (qemu.h) is one
# that each emulator exports, and the plugin exports the two that QEMU needs.
bad=0
wanted=$(nm -D --undefined-only "$1" | grep -o 'qemu_plugin_[a-z_]*')
[ -n "$wanted" ] || exit 1
for isa in x86_64 aarch64 riscv64; do
	offered=$(nm -D --defined-only "$(command -v qemu-$isa)")
	for name in $wanted; do
		echo "$offered" | grep -q " T $name\$" || {
			echo "qemu-$isa has no $name"
			bad=1
		}
	done
done
for name in qemu_plugin_install qemu_plugin_version; do
	nm -D --defined-only "$1" | grep -q " $name\$" || bad=1
done
exit $bad
