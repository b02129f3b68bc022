#!/bin/sh
# A place of a labgrid coordinator as a console and a power switch.
#	labgrid_place.sh console PLACE	acquire it, and its console on standard input
#					and output
#	labgrid_place.sh cycle PLACE	acquire it, and power-cycle it
#	labgrid_place.sh release PLACE	if this user acquired it on this machine
# The coordinator's address is LG_COORDINATOR (HOST:PORT, labgrid 24 and later) or
# LG_CROSSBAR (ws://HOST:PORT/ws, earlier versions).
set -u

# Debian's package of labgrid has its modules, but not this program.
client() {
	if command -v labgrid-client >/dev/null; then
		labgrid-client "$@"
	else
		/usr/bin/python3 -m labgrid.remote.client "$@"
	fi
}

# As labgrid writes who acquired a place.
me=${LG_HOSTNAME:-$(uname -n)}/${LG_USERNAME:-$(id -un)}

is_mine() {
	client -p "$1" show 2>/dev/null |
		sed -n 's/^ *acquired: *//p' | grep -Fqx "$me"
}

# A console that was lost is started again: then the place is acquired.  Otherwise
# the client's words and status tell why there is none.
acquire() {
	words=$(client -p "$1" acquire 2>&1)
	status=$?
	if [ $status -ne 0 ] && ! is_mine "$1"; then
		echo "$words" >&2
		exit $status
	fi
}

case "${1-} $#" in
"console 2")
	acquire "$2"
	client -p "$2" console --loop
	;;
"cycle 2")
	# The console may be about to acquire it.
	acquire "$2"
	client -p "$2" power cycle
	;;
"release 2")
	if is_mine "$2"; then
		client -p "$2" release
	fi
	;;
*)
	echo "usage: labgrid_place.sh console|cycle|release PLACE" >&2
	exit 2
	;;
esac
