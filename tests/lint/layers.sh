#!/bin/sh
# Rooms have ranks:
#
#	common < base < html cache machine farm < isa < guest < experiment < fake < store < model < stages <
#	effect < compare, view < campaign < node, structures < cli
#
# A file of the host includes rooms of a lower rank and its own room, and the
# CMakeLists.txt of a room links only these.  So a stage never includes another
# stage; the campaign may include every stage; cli may include every room of the
# host and common.  Nothing of the host includes target, target includes nothing
# of the host, and common includes nothing but itself.  A room without a rank
# may include nothing.  Prints each violation and fails.
cd "$(dirname "$0")/../.." || exit 2

# FILE ROOM INCLUDED of each include, and of each library that a room links.
uses() {
	for f in host/*/*.[ch] host/*/*.cpp host/*/*/*.[ch]; do
		[ -f "$f" ] || continue
		room=${f#host/}
		room=${room%%/*}
		sed -n 's|^#include "\(.*\)"|\1|p' "$f" | sed "s|^|$f $room |"
	done
	for f in common/*.[ch]; do
		sed -n 's|^#include "\(.*\)"|\1|p' "$f" | sed "s|^|$f common |"
	done
	find target -name '*.[chS]' | while read -r f; do
		sed -n 's|^#include "\(.*\)"|\1|p' "$f" | sed "s|^|$f target |"
	done
	for f in host/*/CMakeLists.txt; do
		room=${f#host/}
		room=${room%%/*}
		tr '\n' ' ' <"$f" |
			grep -o 'target_link_libraries([^)]*)' |
			sed 's/.*(//; s/)//' | tr ' ' '\n' | while read -r l; do
			if [ "$l" = common ]; then
				echo "$f $room common/"
			elif [ -n "$l" ] && [ -d "host/$l" ]; then
				echo "$f $room host/$l/"
			fi
		done
	done
}

uses | awk '
	BEGIN {
		rows = "common:base:html cache machine farm:isa:guest:experiment:fake:store:model:" \
		       "plan gen image link solve ports predict codec:" \
		       "effect:compare view:campaign estimate site:node structures:cli"
		n = split(rows, row, ":")
		for (i = 1; i <= n; i++) {
			m = split(row[i], room, " ")
			for (k = 1; k <= m; k++)
				rank[room[k]] = i
		}
	}
	{
		from = $2
		to = $3
		host = sub(/^host\//, "", to)
		sub(/\/.*/, "", to)
		n_uses[from]++
		# Stages call effects through this header, which includes none, and
		# link them.
		if ($3 == "host/effect/effect.h" || to == "effect" && $1 ~ /CMakeLists.txt$/)
			next
		if (from == "target")
			good = !host
		else if (to == "target" || !host && to != "common")
			good = 0
		else
			good = to == from || (to in rank) &&
			       (from in rank) && rank[to] < rank[from]
		if (good)
			next
		print $1 ": " from " must not include " $3
		bad = 1
	}
	END {
		if (!n_uses["cli"] || !n_uses["campaign"]) {
			print "host: rooms cli and campaign with includes"
			bad = 1
		}
		exit bad
	}'
