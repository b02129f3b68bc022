#!/bin/sh
# Measure every node type of a cluster in shards and merge the results.
#	submit.sh SHARDS FOLDER CONSTRAINT... [-- OPTIONS of measure]
# A constraint names the nodes of one type, as sbatch --constraint does ("any":
# all nodes are alike).  FOLDER is on a file system that all nodes share; it gets
# a database for each shard, and all.db.  Prints the numbers of the jobs.
set -eu
[ $# -ge 3 ] || {
	sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
shards=$1
FOLDER=$(mkdir -p "$2" && cd "$2" && pwd)
ANECHOIC=${ANECHOIC:-anechoic}
shift 2
types=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	types="$types $1"
	shift
done
[ $# -eq 0 ] || shift
MEASURE=${*:---board linux-process}
export FOLDER ANECHOIC MEASURE

after=afterok
for NODE_TYPE in $types; do
	export NODE_TYPE
	constraint=
	[ "$NODE_TYPE" = any ] || constraint=--constraint=$NODE_TYPE
	# shellcheck disable=SC2086 # empty without a constraint
	job=$(sbatch --parsable --export=ALL --chdir="$FOLDER" \
		--array="1-$shards" $constraint "$here/measure.sbatch")
	echo "$NODE_TYPE: array job $job"
	after=$after:$job
done
job=$(sbatch --parsable --export=ALL --chdir="$FOLDER" --dependency="$after" \
	"$here/merge.sbatch")
echo "merge: job $job"
