#!/bin/sh
# A stage may include base, common, isa, experiment, fake, store, model and
# itself - never another stage; only cli knows the order of the stages.  common includes
# nothing of ours but itself, target nothing of the host, the host nothing of
# the target.  Prints each violation and fails.
cd "$(dirname "$0")/../.." || exit 2
{
	for f in host/*/*.[ch] host/*/*.cpp; do
		[ -f "$f" ] || continue
		from=${f#host/}
		from=${from%%/*}
		sed -n 's|^#include "\(.*\)"|\1|p' "$f" | sed "s|^|$f $from |"
	done
	for f in common/*.[ch]; do
		sed -n 's|^#include "\(.*\)"|\1|p' "$f" | sed "s|^|$f common |"
	done
	find target -name '*.[chS]' | while read -r f; do
		sed -n 's|^#include "\(.*\)"|\1|p' "$f" | sed "s|^|$f target |"
	done
} | awk '
	BEGIN {
		n = split("common base isa experiment fake store model", l)
		for (i = 1; i <= n; i++) rank[l[i]] = i
	}
	{
		to = $3
		host = sub(/^host\//, "", to)
		sub(/\/.*/, "", to)
		if ($2 == "target" && host || $2 != "target" && to == "target")
			bad = 1
		else if ($2 == "target" || $2 == to || $2 == "cli" ||
			 (host == 0 && to == "common"))
			next
		else if (to in rank && (!($2 in rank) || rank[to] < rank[$2]))
			next
		print $1 ": " $2 " must not include " $3
		bad = 1
	}
	END { exit bad }'
