#!/bin/sh
# measure --for: what a compiled loop consists of is measured on this machine, and
# the loop is predicted from it.
#	for.sh ANECHOIC CC
set -eu
anechoic=$1
cc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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
"$cc" -O1 -S "$work/loop.c" -o "$work/loop.s"
"$anechoic" measure --board linux-process --for "$work/loop.s" --function f \
	--db "$work/x.db" >"$work/out" 2>"$work/err" || {
	cat "$work/err"
	exit 1
}
grep -q '^  predicted  *[0-9]' "$work/out"
grep -q "^loop: $work/loop.s:" "$work/out"
# Each row of the loop whose form can be measured has a measured value.
grep -q 'latency.* measured' "$work/out"
# A second time the database is there, and the prediction needs no board.
"$anechoic" predict --db "$work/x.db" --function f "$work/loop.s" >"$work/again"
grep -q '^  predicted  *[0-9]' "$work/again"

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
grep -q -e '--all prints text or JSON' "$work/err"

# A loop whose loads compute: plain loads and stores are measured for their
# forwarding.
[ "$(uname -m)" = x86_64 ] || exit 0
printf '.L:\n\taddq -8(%%rbp), %%rax\n\tmovq %%rax, -8(%%rbp)\n\tdecq %%rdx\n\tjne .L\n' \
	>"$work/memory.s"
"$anechoic" measure --board linux-process --for "$work/memory.s" \
	--db "$work/y.db" >/dev/null 2>"$work/err"
"$anechoic" export --db "$work/y.db" --format model -o "$work/y.json"
grep -q '"store": "MOV64mr", "load": "MOV64rm"' "$work/y.json"
