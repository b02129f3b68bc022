#!/bin/sh
# Install the Debian packages that are missing: by itself as root, else by
# printing the one command to type.  Does nothing when all are there.
#	packages.sh [PACKAGE...]	these too
set -eu
packages="
	llvm-19-dev llvm-19 clang-19 lld-19 libclang-rt-19-dev
	newlib-source linux-source-6.1 opensbi u-boot-qemu u-boot-tools
	qemu-efi-aarch64 ovmf grub-efi-amd64-bin qemu-system-misc qemu-system-arm
	qemu-system-x86 qemu-user
	libsqlite3-dev libyaml-dev libexpat1-dev liblzma-dev libfdt-dev libcadical-dev
	libcmocka-dev
	libdw-dev libelf-dev valgrind gcc-aarch64-linux-gnu gcc-riscv64-linux-gnu
	libc6-dev-arm64-cross libc6-dev-riscv64-cross
	mtools dosfstools sbsigntool openssl ninja-build cmake gcc g++ ccache pkg-config
	xz-utils
	shellcheck clang-format clang-tidy-19 zsh fish
	chromium chromium-driver fonts-dejavu-core python3
	python3-matplotlib python3-pandas
	labgrid ser2net microcom
	$*
"
missing=
for p in $packages; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null |
		grep -q 'install ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" -ne 0 ]; then
	echo "missing packages; install them with:" >&2
	echo "  sudo apt-get install --no-install-recommends$missing" >&2
	exit 1
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086 # a list of words on purpose
apt-get install -y -qq --no-install-recommends $missing >/dev/null
