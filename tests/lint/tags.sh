#!/bin/sh
# One name, one thing: a struct, union or enum that a header of the host defines
# is defined nowhere else in it, so that a reader who looks for the name finds
# one meaning. Prints each name with its files and fails.
cd "$(dirname "$0")/../.." || exit 2

# shellcheck disable=SC2016 # the dollars are awk's
find host common lib \( -name '*.h' -o -name '*.c' -o -name '*.cpp' \) \
	-exec awk '
	match($0, /^(struct|union|enum) [a-z_0-9]+ \{/) {
		split($0, w, " ")
		tag = w[1] " " w[2]
		n[tag]++
		where[tag] = where[tag] " " FILENAME
		if (FILENAME ~ /\.h$/)
			public[tag] = 1
	}
	END {
		for (tag in n) {
			all++
			if (n[tag] > 1 && (tag in public)) {
				print tag ": defined in" where[tag]
				bad++
			}
		}
		# A pattern that matches nothing would pass, too.
		if (all < 100) {
			print "only " all + 0 " definitions found"
			bad++
		}
		exit bad > 0
	}' {} +
