#!/bin/sh
# program.sh PREFIX: what an installed program does without its sources, so without
# head.sh.
set -eu
prefix=$1
PATH=$prefix/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

fail() {
	echo "FAIL: $*"
	exit 1
}
holds() {
	want=$1
	shift
	"$@" >out 2>&1 || fail "$*: $(tail -3 out)"
	grep -q -e "$want" out || fail "$*: no '$want': $(tail -3 out)"
}

version=$(anechoic --version)
version=${version#anechoic }
holds "qemu-virt" anechoic boards
holds "ADD64rr\|ADDXrr\|ADD " anechoic measure --board linux-process \
	--forms '^(ADD64rr|ADDXrr|ADD)$' --what throughput --db a.db
sqlite3 a.db "SELECT tool FROM run" >tool 2>/dev/null ||
	anechoic export --db a.db --format json -o tool
grep -qF "$version" tool || fail "the database has another version: $(cat tool)"
holds "" anechoic image --board qemu-virt --isa riscv64 --forms '^ADD$' \
	-o image.bin
[ -s image.bin ] || fail "no image"
cp "$prefix/share/doc/anechoic/examples/recurrence.s" x.s
holds "cycles per iteration" anechoic predict --isa aarch64 \
	--cpu neoverse-v2 x.s
printf '.L1:\n\timulq %%rax, %%rax\n\tdecq %%rcx\n\tjne .L1\n' >loop.s
for model in "$prefix"/share/anechoic/models/*.xz; do
	[ -f "$model" ] || continue
	holds "predicted  *3" anechoic predict --model "$model" loop.s
done
if command -v qemu-x86_64 >/dev/null && [ "$(uname -m)" = x86_64 ]; then
	holds "instructions" anechoic estimate -- /bin/true
fi
