#!/bin/sh
# alone.sh SOURCE SCRIPT ARGUMENT: run a script where SOURCE is an empty folder, if
# this user may mount one; else with SOURCE in sight, and say so.
set -eu
source=$1
shift
# shellcheck disable=SC2016 # expanded by the inner shell
hide='mount -t tmpfs none "$0"'
if unshare -rm sh -c "$hide" "$source" 2>/dev/null; then
	cd /
	exec unshare -rm sh -c "$hide"' && exec sh "$@"' "$source" "$@"
fi
echo "this user may not mount: the sources stay in sight"
exec sh "$@"
