#!/bin/sh
# Build the firmwares of this folder:	build.sh FOLDER OUT
set -eu
here=$1
out=$2
flags="--target=riscv64-unknown-elf -march=rv64imac_zicsr -mabi=lp64
	-mcmodel=medany -O1 -ffreestanding -fno-pic -nostdinc -I$here/../../..
	-isystem $(clang-19 -print-resource-dir)/include -Wall -Wextra -Werror"
mkdir -p "$out"
for name in dbcn mute busy timeless uncounted; do
	for part in start.S sbi.c $name.c; do
		# shellcheck disable=SC2086 # a list of words on purpose
		clang-19 $flags -c "$here/$part" -o "$out/$name-${part%.*}.o"
	done
	ld.lld-19 -Ttext=0x80000000 -o "$out/$name.elf" "$out/$name-start.o" \
		"$out/$name-sbi.o" "$out/$name-$name.o"
	llvm-objcopy-19 -O binary "$out/$name.elf" "$out/$name.bin"
done
# EFI applications, as PE files.
for name in attribute locked; do
	provide=1
	[ "$name" = locked ] && provide=0
	clang-19 --target=aarch64-unknown-windows -O1 -ffreestanding -fshort-wchar \
		-fno-stack-protector -mgeneral-regs-only -nostdinc \
		-isystem "$(clang-19 -print-resource-dir)/include" \
		-I"$here/../../.." -I"$here/../../../target/boot/efi/aarch64" \
		-DPROVIDE=$provide -Wall -Wextra -Werror \
		-c "$here/attribute.c" -o "$out/$name.obj"
	lld-link-19 -subsystem:efi_application -entry:efi_main -nodefaultlib \
		-out:"$out/$name.efi" "$out/$name.obj"
done
