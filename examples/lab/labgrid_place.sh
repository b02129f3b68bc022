#!/bin/sh
# A place of a labgrid coordinator as a console and a power switch.
#	labgrid_place.sh console PLACE	acquire it, and its console on standard input
#					and output
#	labgrid_place.sh cycle PLACE	power-cycle it
#	labgrid_place.sh release PLACE
# LG_CROSSBAR is the coordinator's address.
set -u

# Debian's package of labgrid has its modules, but not this program.
client() {
	if command -v labgrid-client >/dev/null; then
		labgrid-client "$@"
	else
		/usr/bin/python3 -m labgrid.remote.client "$@"
	fi
}

case "${1-} $#" in
"console 2")
	# A console that was lost is started again: then the place is acquired.
	client -p "$2" acquire >&2 || :
	client -p "$2" console --loop
	;;
"cycle 2") client -p "$2" power cycle ;;
"release 2") client -p "$2" release ;;
*)
	echo "usage: labgrid_place.sh console|cycle|release PLACE" >&2
	exit 2
	;;
esac
