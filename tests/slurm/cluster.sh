#!/bin/sh
# A Slurm cluster of one node on the loopback interface, in a folder.
#	cluster.sh start FOLDER [PLUGINS] | stop FOLDER
# PLUGINS bind jobs to their CPUs: task/affinity (default: by an affinity mask),
# task/cgroup (by a cpuset), or both joined by a comma.  Needs root and Debian's slurm-wlm and munge.  start writes FOLDER/slurm.conf;
# set SLURM_CONF to it.
set -eu
folder=$2
plugins=${3:-task/affinity}

start() {
	mkdir -p "$folder/state" "$folder/spool" "$folder/munge"
	chmod 755 "$folder"
	host=$(hostname -s)
	dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 2>/dev/null
	chmod 400 "$folder/munge/key"
	chmod 755 "$folder/munge"
	# munged refuses folders that others may write.
	munged --force --key-file="$folder/munge/key" \
		--socket="$folder/munge/socket" \
		--pid-file="$folder/munge/pid" \
		--log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
	cat >"$folder/slurm.conf" <<EOF
ClusterName=anechoic
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=$plugins
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) Features=loopback State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=30 State=UP
EOF
	case $plugins in
	*cgroup*) echo 'ConstrainCores=yes' >"$folder/cgroup.conf" ;;
	esac
	SLURM_CONF=$folder/slurm.conf
	export SLURM_CONF
	slurmctld -f "$SLURM_CONF"
	slurmd -f "$SLURM_CONF"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		! sinfo -h -o %T 2>/dev/null | grep -q idle || return 0
		sleep 1
	done
	echo "the node is not idle after 20 s:" >&2
	sinfo >&2 || :
	tail -5 "$folder"/slurm*.log >&2
	return 1
}

stop() {
	for pid in slurmd slurmctld munge/; do
		case $pid in
		*/) file=$folder/${pid}pid ;;
		*) file=$folder/$pid.pid ;;
		esac
		[ ! -s "$file" ] || kill "$(cat "$file")" 2>/dev/null || :
	done
	sleep 1
	# slurmd leaves its cpusets behind; those in use cannot be removed.
	[ ! -e "$folder/cgroup.conf" ] ||
		find /sys/fs/cgroup -depth -type d \
			-path "*/slurm_$(hostname -s)*" -exec rmdir {} + \
			2>/dev/null || :
}

case $1 in
start | stop) "$1" ;;
*)
	echo "usage: cluster.sh start FOLDER [PLUGINS] | stop FOLDER" >&2
	exit 2
	;;
esac
