#!/bin/sh
# A limit of the size of files, as of a full disk: an error with a message and
# exit status 1; nothing half-written, and what was measured is kept.
# file_size.sh ANECHOIC
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
	"$anechoic" measure --board fake --isa riscv64 --core some.core "$@"
}
# limited BLOCKS SAYS COMMAND...: files of at most 512 * BLOCKS bytes.
limited() {
	blocks=$1
	says=$2
	shift 2
	status=0
	(
		ulimit -f "$blocks"
		exec "$@"
	) >out 2>err || status=$?
	[ $status -eq 1 ] || fail "$* with $blocks blocks: status $status"
	grep -q "$says" err || fail "$* with $blocks blocks: $(cat err)"
}
limit='the limit of the size of files is reached (ulimit -f)'
all='^(ADD|SUB|MUL|DIV|AND|OR|XOR|SLL|SRL|SLT)$'

# A database: what was committed is there, and the run continues.
measure --db whole.db --forms "$all" >out 2>&1 || fail "measure: $(cat out)"
"$anechoic" export --db whole.db --format csv -o whole.csv
for fewer in 1 60; do
	rm -f part.db
	limited $(($(wc -c <whole.db) / 512 - fewer)) "$limit" "$anechoic" \
		measure --board fake --isa riscv64 --core some.core \
		--db part.db --forms "$all"
	measure --db part.db --forms "$all" --resume >out 2>&1 ||
		fail "resume: $(cat out)"
	"$anechoic" export --db part.db --format csv -o part.csv
	cmp whole.csv part.csv || fail "the run that was continued differs"
done
# An earlier run is untouched by one for which there is no room.
limited $(($(wc -c <part.db) / 512 + 8)) "$limit" "$anechoic" measure \
	--board fake --isa riscv64 --core some.core --db part.db --forms ^MULH
"$anechoic" export --db part.db --format csv -o part.csv
cmp whole.csv part.csv || fail "an earlier run differs"
limited 2 "$limit" "$anechoic" measure --board fake --isa riscv64 \
	--core some.core --db none.db --forms "$all"
cp whole.db same.db
limited 8 "$limit" "$anechoic" merge -o same.db whole.db part.db
cmp whole.db same.db || fail "merge: the database is another"

# Files that are written whole.
echo old >old
for format in json csv model winic uops exegesis; do
	cp old x
	limited 1 'cannot write x: File too large' \
		"$anechoic" export --db whole.db --format $format -o x
	cmp old x || fail "export: the file is half-written"
done
limited 1 'cannot write standard output\|cannot write to standard output' \
	"$anechoic" export --db whole.db --format json -o -
limited 1 'cannot write' "$anechoic" site -o web whole.db
[ ! -e web ] || fail "site: a folder is left"
limited 1 'cannot write' "$anechoic" record --db whole.db -o record.db
[ ! -e record.db ] || fail "record: a file is left"
set -- x* web* record* same* none*
[ "$*" = 'x web* record* same.db none.db' ] || fail "left: $*"
echo "ok"
