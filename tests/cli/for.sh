#!/bin/sh
# measure --for: what a compiled loop consists of is measured on this machine, and
# the loop is predicted from it.
#	for.sh ANECHOIC CC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cc=$2
cat >"$work/loop.c" <<'EOF'
unsigned long f(const unsigned long *x, unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++)
		sum = sum * 3 + x[i];
	return sum;
}

void g(unsigned long *x, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		x[i] *= 5;
}
EOF
# has TEXT FILE
has() {
	grep -q -e "$1" "$2" && return
	echo "FAIL: no '$1' in:"
	tail -n 40 "$2"
	exit 1
}
"$cc" -O1 -S "$work/loop.c" -o "$work/loop.s"
"$anechoic" measure --board linux-process --for "$work/loop.s" --function f \
	--db "$work/x.db" >"$work/out" 2>"$work/err" || {
	cat "$work/err"
	exit 1
}
has '^  predicted  *[0-9]' "$work/out"
has "^loop: $work/loop.s:" "$work/out"
# Latencies of the loop's forms are measured.  Noise may leave one without a value.
"$anechoic" export --db "$work/x.db" --format csv -o "$work/x.csv"
has ',latency,' "$work/x.csv"
if grep -q ',latency,.*,ok,' "$work/x.csv"; then
	has 'latency.* measured' "$work/out"
fi
# A second time the database is there, and the prediction needs no board.
"$anechoic" predict --db "$work/x.db" --function f "$work/loop.s" >"$work/again"
has '^  predicted  *[0-9]' "$work/again"

# Every loop of the file, as text and as a list in JSON.
"$anechoic" predict --db "$work/x.db" --all "$work/loop.s" >"$work/all"
[ "$(grep -c '^loop: ' "$work/all")" -eq 2 ]
"$anechoic" predict --db "$work/x.db" --all --format json "$work/loop.s" \
	-o "$work/all.json"
[ "$(grep -c '"source":' "$work/all.json")" -eq 2 ]
[ "$(head -c 1 "$work/all.json")" = '[' ]
if "$anechoic" predict --db "$work/x.db" --all --format dot "$work/loop.s" \
	2>"$work/err"; then
	exit 1
fi
has '--all prints text or JSON' "$work/err"

# A loop whose loads compute: plain loads and stores are measured for their
# forwarding.
[ "$(uname -m)" = x86_64 ] || exit 0
printf '.L:\n\taddq -8(%%rbp), %%rax\n\tmovq %%rax, -8(%%rbp)\n\tdecq %%rdx\n\tjne .L\n' \
	>"$work/memory.s"
"$anechoic" measure --board linux-process --for "$work/memory.s" \
	--db "$work/y.db" >/dev/null 2>"$work/err"
"$anechoic" export --db "$work/y.db" --format csv -o "$work/y.csv"
has ',MOV64mr+MOV64rm,latency,' "$work/y.csv"
# The model has what settled; noise may have kept the pair from it.
if grep -q ',MOV64mr+MOV64rm,latency,,,[0-9].*,\(ok\|eliminated\),' "$work/y.csv"; then
	"$anechoic" export --db "$work/y.db" --format model -o "$work/y.json"
	has '"store": "MOV64mr", "load": "MOV64rm"' "$work/y.json"
fi
