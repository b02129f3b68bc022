#!/bin/sh
# Three hundred machines drawn at random; ctest runs a dozen.
#	all.sh BUILD [SEEDS [FIRST_SEED]]
# Prints the summary; the lines of all seeds are in BUILD/adversary.txt.
set -u
build=$1
n=${2:-300}
seed=${3:-1}
echo "== machines drawn at random, with the runtime's own code"
"$build/bin/adversary" "$seed" "$n" >"$build/adversary.txt"
status=$?
tail -n 2 "$build/adversary.txt"
exit $status
