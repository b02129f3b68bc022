#!/bin/sh
# Build the firmwares of this folder:	build.sh FOLDER OUT
set -eu
here=$1
out=$2
flags="--target=riscv64-unknown-elf -march=rv64imac_zicsr -mabi=lp64
	-mcmodel=medany -O1 -ffreestanding -fno-pic -nostdinc -I$here/../../..
	-isystem $(clang-19 -print-resource-dir)/include -Wall -Wextra -Werror"
mkdir -p "$out"
cp "$here/disk.sh" "$out"
for name in dbcn mute busy timeless uncounted poor; do
	for part in start.S sbi.c $name.c; do
		# shellcheck disable=SC2086 # a list of words on purpose
		clang-19 $flags -c "$here/$part" -o "$out/$name-${part%.*}.o"
	done
	ld.lld-19 -Ttext=0x80000000 -o "$out/$name.elf" "$out/$name-start.o" \
		"$out/$name-sbi.o" "$out/$name-$name.o"
	llvm-objcopy-19 -O binary "$out/$name.elf" "$out/$name.bin"
done
for name in el2 el3; do
	clang-19 --target=aarch64-unknown-elf -c "$here/$name.S" \
		-o "$out/$name.o"
	llvm-objcopy-19 -O binary -j .text "$out/$name.o" "$out/$name.bin"
done
# EFI applications, as PE files: efi NAME SOURCE DEFINITIONS...
efi() {
	app=$1
	source=$2
	shift 2
	objects=
	for part in shim.c tables.c "$source"; do
		object=$out/$app-${part%.c}.obj
		clang-19 --target=aarch64-unknown-windows -O1 -ffreestanding \
			-fshort-wchar -fno-stack-protector -mgeneral-regs-only \
			-nostdinc -isystem "$(clang-19 -print-resource-dir)/include" \
			-I"$here/../../.." \
			-I"$here/../../../target/boot/efi/aarch64" \
			"$@" -Wall -Wextra -Werror -c "$here/$part" -o "$object"
		objects="$objects $object"
	done
	# shellcheck disable=SC2086 # a list of words on purpose
	lld-link-19 -subsystem:efi_application -entry:efi_main -nodefaultlib \
		-out:"$out/$app.efi" $objects
}
efi attribute attribute.c -DPROVIDE=1
efi locked attribute.c -DPROVIDE=0
efi unmapped unmapped.c
efi foreign foreign.c -DMASKED=0 -DHIDDEN=0
efi hidden foreign.c -DMASKED=0 -DHIDDEN=1
efi masked foreign.c -DMASKED=1 -DHIDDEN=0
