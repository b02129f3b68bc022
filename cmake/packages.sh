#!/bin/sh
# Install the Debian packages that are missing: by itself as root, else by
# printing the one command to type.  Does nothing when all are there.
#	packages.sh [PACKAGE...]	those of all that is built and tested, and these
#	packages.sh run			those of `make run`: the program, the runtimes
#					and the boards that it boots
set -eu
run="
	llvm-19-dev llvm-19 clang-19 lld-19
	newlib-source linux-source-6.1
	qemu-system-misc qemu-system-arm qemu-efi-aarch64
	libsqlite3-dev libyaml-dev libexpat1-dev liblzma-dev zlib1g-dev
	libcadical-dev
	libdw-dev libelf-dev
	ninja-build cmake gcc g++ ccache xz-utils
"
tests="
	libclang-rt-19-dev
	opensbi u-boot-qemu u-boot-tools ovmf grub-efi-amd64-bin
	qemu-system-x86 qemu-user
	libfdt-dev libcmocka-dev
	valgrind gcc-aarch64-linux-gnu gcc-riscv64-linux-gnu
	libc6-dev-arm64-cross libc6-dev-riscv64-cross
	mtools dosfstools sbsigntool openssl pkg-config
	shellcheck clang-format clang-tidy-19 zsh fish
	chromium chromium-driver fonts-dejavu-core python3
	python3-matplotlib python3-pandas
	labgrid ser2net microcom
"
if [ "$*" = run ]; then
	packages=$run
else
	packages="$run $tests $*"
fi
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
