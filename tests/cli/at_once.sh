#!/bin/sh
# Several commands that write one file at once lose nothing: each ends well and
# has done its work, or fails and says why.  at_once.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work"

cat >some.core <<'END'
isa = riscv64
cpu = some
width = 2
ports = a b
form MUL.*: ports=a, latency=3
form .*: ports=a|b
END
measure() {
	db=$1
	forms=$2
	shift 2
	"$anechoic" measure --board fake --isa riscv64 --core some.core \
		--db "$db" --forms "$forms" "$@"
}
csv() {
	"$anechoic" export --db "$1" --format csv -o "$1.csv"
}
# both COMMAND1 COMMAND2: run them at once; their statuses in $first, $second,
# what they say in one.out and two.out.
both() {
	first=0
	second=0
	sh -c "$1" >one.out 2>&1 &
	pid=$!
	sh -c "$2" >two.out 2>&1 || second=$?
	wait $pid || first=$?
}
# alone FILE: no temporary file is left with it.
alone() {
	set -- "$1" "$1"?*
	[ "$2" = "$1?*" ] || fail "$* is left"
}
for f in a:ADD b:XOR c:MUL d:OR; do
	measure ${f%:*}.db "^${f#*:}\$" >out 2>&1 || fail "measure: $(cat out)"
done

# ---- merge -------------------------------------------------------------------
"$anechoic" merge -o ab.ref a.db b.db >out
"$anechoic" merge -o cd.ref c.db d.db >out
csv ab.ref
csv cd.ref
export anechoic
losers=0
for i in 1 2 3 4 5 6; do
	target=$(printf 'new.db\nold.db\n' | sed -n $((i % 2 + 1))p)
	rm -f new.db
	cp a.db old.db
	both "exec \"\$anechoic\" merge -o $target a.db b.db" \
		"exec \"\$anechoic\" merge -o $target c.db d.db"
	alone "$target"
	csv "$target"
	case $first$second in
	00) cmp -s ab.ref.csv "$target.csv" || cmp -s cd.ref.csv "$target.csv" ;;
	01) cmp -s ab.ref.csv "$target.csv" && losers=$((losers + 1)) &&
		grep -q 'by another' two.out ;;
	10) cmp -s cd.ref.csv "$target.csv" && losers=$((losers + 1)) &&
		grep -q 'by another' one.out ;;
	*) false ;;
	esac || fail "merge: $first$second: $(cat one.out two.out)"
	rm "$target.csv"
done
# Each adds to the sum; a merge that is refused is tried again.
cp a.db sum.db
for f in b c d; do
	(until "$anechoic" merge -o sum.db sum.db $f.db; do :; done) \
		>$f.out 2>&1 &
done
wait
"$anechoic" merge -o all.db a.db b.db c.db d.db >out
csv all.db
csv sum.db
cmp all.db.csv sum.db.csv || fail "merge: a sum of four lacks some"

# Neither while another command writes, nor does one write meanwhile.
cp a.db held.db
# held_refuses LOCK SAYS COMMAND...: while held.db is locked.
held_refuses() {
	lock=$1
	says=$2
	shift 2
	status=0
	flock "$lock" 9
	"$anechoic" "$@" 9>&- 2>err || status=$?
	flock -u 9
	if [ $status -ne 1 ] || ! grep -q "$says" err; then
		fail "$*: $status, $(cat err)"
	fi
}
exec 9<held.db
held_refuses -s 'held.db is being written by another' merge -o held.db b.db
held_refuses -x 'held.db is being replaced by another' solve --db held.db
exec 9<&-
cmp a.db held.db || fail "who was refused changed something"

# What a killed merge left is removed; what others have is not.
new=held.db.anechoic-new
touch $new.abcdef $new.abcdef-journal $new.abc held.db.new.backup
ln -s a.db $new.linked
"$anechoic" merge -o held.db b.db >out
for gone in $new.abcdef $new.abcdef-journal; do
	[ ! -e "$gone" ] || fail "$gone of a killed merge is left"
done
for kept in $new.abc $new.linked held.db.new.backup a.db; do
	[ -e "$kept" ] || fail "$kept of others was removed"
done

# A link stays, and permissions too.
chmod 640 held.db
ln -s held.db link.db
"$anechoic" merge -o link.db a.db >out
if [ ! -L link.db ] || [ "$(stat -c %a held.db)" != 640 ]; then
	fail "a link is replaced: $(ls -l)"
fi
# One whose file is missing, too.
mkdir there
ln -s there/far.db dangling.db
"$anechoic" merge -o dangling.db a.db b.db >out
csv there/far.db
if [ ! -L dangling.db ] || ! cmp -s there/far.db.csv ab.ref.csv; then
	fail "a dangling link is replaced: $(ls -l)"
fi

# ---- commands that add to a database -----------------------------------------
export work
for i in 1 2; do
	rm -f m.db
	both "exec \"\$anechoic\" measure --board fake --isa riscv64 \
		--core some.core --db m.db --forms '^ADD\$'" \
		"exec \"\$anechoic\" measure --board fake --isa riscv64 \
		--core some.core --db m.db --forms '^XOR\$'"
	[ $first$second = 00 ] || fail "measure: $(cat one.out two.out)"
	csv m.db
	for form in ADD XOR; do
		grep -q "$form" m.db.csv || fail "measure: $form is lost"
	done
	both "exec \"\$anechoic\" solve --db m.db" \
		"exec \"\$anechoic\" solve --db m.db"
	[ $first$second = 00 ] || fail "solve: $(cat one.out two.out)"
	mv m.db.csv before.csv
	csv m.db
	cmp before.csv m.db.csv || fail "solve: other values"
done

# ---- files that are written whole --------------------------------------------
for format in json csv; do
	"$anechoic" export --db a.db --format $format -o a.$format
	"$anechoic" export --db c.db --format $format -o c.$format
	for i in 1 2; do
		both "exec \"\$anechoic\" export --db a.db --format $format -o x" \
			"exec \"\$anechoic\" export --db c.db --format $format -o x"
		[ $first$second = 00 ] || fail "export: $(cat one.out two.out)"
		cmp -s x a.$format || cmp -s x c.$format ||
			fail "export: neither of both"
		alone x
	done
done
for i in 1 2; do
	both "exec \"\$anechoic\" site -o web a.db" \
		"exec \"\$anechoic\" site -o web c.db"
	[ $first$second = 00 ] || fail "site: $(cat one.out two.out)"
	[ -e web/index.html ] || fail "site: no index"
	alone web
done
echo "ok, $losers merges were refused"
