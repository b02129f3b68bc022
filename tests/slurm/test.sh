#!/bin/sh
# examples/slurm on real daemons: an array of 4 shards, and the merge that depends
# on it.  test.sh ANECHOIC SOURCE
set -eu
anechoic=$1
source=$2
for program in slurmctld slurmd munged sbatch; do
	command -v $program >/dev/null || {
		echo "SKIP: no $program; install slurm-wlm and munge"
		exit 77
	}
done
[ "$(id -u)" -eq 0 ] || {
	echo "SKIP: the daemons need root"
	exit 77
}
work=$(mktemp -d)
cluster=$source/tests/slurm/cluster.sh
trap 'sh "$cluster" stop "$work/cluster"; rm -rf "$work"' EXIT
chmod 755 "$work"

fail() {
	echo "FAIL: $*" >&2
	cat "$work"/results/*.out >&2 || :
	tail -20 "$work"/cluster/slurm*.log >&2 || :
	exit 1
}
sh "$cluster" start "$work/cluster" || fail "the cluster does not start"
SLURM_CONF=$work/cluster/slurm.conf
export SLURM_CONF
options="--board qemu-virt --isa riscv64 --forms ^(ADD|SUB|MUL|DIV|XOR|AND|OR|LD)\$"

ANECHOIC=$anechoic
export ANECHOIC
# shellcheck disable=SC2086 # several options
sh "$source/examples/slurm/submit.sh" 4 "$work/results" loopback -- $options ||
	fail "submit.sh"
for _ in $(seq 120); do
	[ -n "$(squeue -h)" ] || break
	sleep 1
done
[ -z "$(squeue -h)" ] || fail "jobs do not end: $(squeue)"
[ -e "$work/results/all.db" ] || fail "no all.db"
[ "$(find "$work/results" -name 'loopback-*-of-4.db' | wc -l)" -eq 4 ] ||
	fail "not four shards: $(ls "$work/results")"

# shellcheck disable=SC2086
"$anechoic" measure $options --db "$work/whole.db" >"$work/out" 2>&1 ||
	fail "$(cat "$work/out")"
for db in "$work/whole.db" "$work/results/all.db"; do
	"$anechoic" export --db "$db" --format csv -o "$db.csv"
done
cmp "$work/whole.db.csv" "$work/results/all.db.csv" ||
	fail "the merged shards are not the undivided run"
echo "four shards in an array job, merged: $(wc -l <"$work/whole.db.csv") lines, equal to the undivided run"
