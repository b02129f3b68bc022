#!/bin/sh
# examples/slurm on real daemons: an array of 4 shards, and the merge that depends
# on it; whole nodes, and cpusets.  test.sh ANECHOIC SOURCE
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
SLURM_CONF=$work/cluster/slurm.conf
export SLURM_CONF
start() {
	rm -rf "$work/cluster"
	sh "$cluster" start "$work/cluster" "$1" ||
		fail "the cluster does not start with $1"
}
start task/affinity
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

# Each shard has the node for itself: none starts before the last one ends.
scontrol show job -o |
	sed -n 's/.*JobName=anechoic .*StartTime=\([^ ]*\) EndTime=\([^ ]*\) .*/\1 \2/p' |
	sort >"$work/times"
[ "$(wc -l <"$work/times")" -eq 4 ] || fail "jobs: $(cat "$work/times")"
awk '$1 < end { exit 1 } { end = $2 }' "$work/times" ||
	fail "shards share the node: $(cat "$work/times")"

# A job that has one CPU of several measures on it, and its run says so.  The
# files of one.sh: the job's CPUs and cpuset, the CPUs of the runtime, the run.
case $(uname -m) in
x86_64) form='^ADD64rr$' ;;
aarch64) form='^ADDXrr$' ;;
*) form='^ADD$' ;;
esac
cat >"$work/one.sh" <<'EOF'
#!/bin/sh
set -eu
cpus() {
	sed -n 's/^Cpus_allowed_list:[^0-9]*//p' "/proc/$1/status" 2>/dev/null || :
}
cpus self >cpus
sed -n 's/.*:cpuset://p; s/^0:://p' /proc/self/cgroup >cpuset
"$1" measure --board linux-process --forms "$2" --db one.db >measured 2>&1 &
while kill -0 $! 2>/dev/null; do
	for child in $(cat /proc/$!/task/*/children 2>/dev/null); do
		cpus "$child"
	done
	sleep 0.05
done | sort -u >runtime
wait $!
EOF
one_cpu() {
	rm -rf "$work/one"
	mkdir "$work/one"
	chmod 755 "$work/one"
	sbatch -W --ntasks=1 --chdir="$work/one" "$work/one.sh" "$anechoic" \
		"$form" >"$work/out" 2>&1 || fail "$1: $(cat "$work/out" "$work"/one/*)"
	cpus=$(cat "$work/one/cpus")
	case $cpus in
	*[!0-9]* | '') fail "$1: a job of one CPU has CPUs $cpus" ;;
	esac
	[ "$(cat "$work/one/runtime")" = "$cpus" ] ||
		fail "$1: the runtime uses $(cat "$work/one/runtime"), not $cpus"
	"$anechoic" export --db "$work/one/one.db" --format json -o "$work/json"
	grep -q "\"allowed_cpus\": \"${cpus}_of_$(nproc)\"" "$work/json" ||
		fail "$1: the run does not say that it had CPU $cpus"
	echo "$1: a job of one CPU of $(nproc) measured on CPU $cpus"
}
if [ "$(nproc)" -eq 1 ]; then
	echo "cpusets: not tried, this machine has one CPU"
else
	one_cpu task/affinity
	if [ -w /sys/fs/cgroup/cpuset/tasks ] ||
		[ -w /sys/fs/cgroup/cgroup.subtree_control ]; then
		sh "$cluster" stop "$work/cluster"
		start task/affinity,task/cgroup
		one_cpu task/cgroup
		grep -q slurm "$work/one/cpuset" ||
			fail "the job is in no cpuset of its own"
	else
		echo "task/cgroup: not tried, cgroups cannot be written here"
	fi
fi
echo "four shards in an array job, merged: $(wc -l <"$work/whole.db.csv") lines, equal to the undivided run"
