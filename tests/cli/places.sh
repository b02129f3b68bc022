#!/bin/sh
# Where the program and its files are: names with commas and blanks, of which QEMU
# takes a comma for the end of a value; and systems without /proc.
#	places.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work"

for program in qemu-x86_64 qemu-riscv64; do
	command -v $program >/dev/null || skip "no $program"
done

# A copy of the tree uses its own files: links within it are relative.
for link in "$(dirname "$anechoic")"/../share/anechoic/*; do
	case $(readlink "$link") in /*) fail "$link leads out of a copy" ;; esac
done

# Installed in such a folder, with a temporary folder of the same kind: plugin and
# runtime are files there.
share=$(readlink -f "$(dirname "$anechoic")/../share/anechoic")
mkdir -p "a,b c/bin" "a,b c/share" "t,m p"
cp "$anechoic" "a,b c/bin"
ln -s "$share" "a,b c/share/anechoic"
there="$work/a,b c/bin/anechoic"
true=$(command -v true)
"$there" estimate -o report -- "$true" >log 2>&1 || fail "estimate: $(cat log)"
grep -q '^instructions' report || fail "estimate: $(cat report)"
ANECHOIC_SHARE="$work/a,b c/share/anechoic" "$anechoic" estimate -o report -- \
	"$true" >log 2>&1 || fail "ANECHOIC_SHARE: $(cat log)"
TMPDIR="$work/t,m p" "$there" measure --board qemu-user --isa riscv64 --once \
	--forms '^ADD$' --what throughput >log 2>&1 || fail "measure: $(cat log)"

# An image of a board is such a file, too; its emulator only says what it was given.
mkdir own
ln -s "$share"/* own
rm own/boards
mkdir own/boards
cp -r "$share/boards/pc-efi" own/boards
sed -i "s|^command = .*|command = $work/qemu-args -drive format=raw,file=@IMAGE@ -kernel @IMAGE@|" \
	own/boards/pc-efi/x86_64-efi.conf
cat >qemu-args <<END
#!/bin/sh
printf '%s\n' "\$@" >$work/arguments
[ -f "\$4" ] || echo "no \$4" >>$work/arguments
END
chmod +x qemu-args
ANECHOIC_SHARE=own TMPDIR="$work/t,m p" "$anechoic" measure --board pc-efi \
	--forms '^ADD64rr$' --what throughput --db no.db >log 2>&1 &&
	fail "a board without an emulator is measured"
image=$(sed -n 4p arguments)
cat >expected <<END
-drive
format=raw,file=$work/t,,m p/${image#"$work/t,m p/"}
-kernel
$work/t,m p/${image#"$work/t,m p/"}
END
cmp expected arguments ||
	fail "an image in a folder with a comma: $(cat arguments log)"

# Without /proc the program finds its files, also if it is called by a link; what
# needs /proc says so.
unshare -rm true 2>log ||
	skip "no mount namespaces, so /proc is always there: $(cat log)"
printf '.loop:\n\tadd %%rax, %%rbx\n\tjne .loop\n' >loop.s
printf 'one.board = nowhere\n' >lab.conf
ln -s "$there" called
cat >inside.sh <<'END'
mount -t tmpfs none /proc || exit 9
./called boards >boards.out || exit 1
./called predict --cpu skylake --isa x86_64 -o loop.out loop.s || exit 2
./called farm lab.conf -o lab >farm.out
./called estimate -- "$1" 2>estimate.out && exit 3
exit 0
END
status=0
unshare -rm sh inside.sh "$true" 2>log || status=$?
[ $status = 0 ] || fail "without /proc: exit $status: $(cat log)"
"$there" boards | cmp - boards.out || fail "without /proc: other boards"
"$there" predict --cpu skylake --isa x86_64 loop.s | cmp - loop.out ||
	fail "without /proc: another prediction"
grep -q 'failed .*unknown board' farm.out ||
	fail "without /proc: $(cat farm.out)"
grep -q 'through /proc, which is not mounted' estimate.out ||
	fail "without /proc: $(cat estimate.out)"
