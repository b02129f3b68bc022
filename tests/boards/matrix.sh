#!/bin/sh
# Boot the images of `anechoic image` on the machines of a table, import what
# the console said, and print a line for each: the boots seen, the kernels that
# came back, the verdict and the seconds.
#	matrix.sh BUILD [TABLE [NAME...]]
# TABLE is the matrix.cfg of this folder, or a file like it; without names every
# variant in it runs, JOBS (1) at a time.  Console, import and values stay in
# BUILD/boards/<name>.  Fails if a variant is not ok; one whose emulator is
# missing is "skipped", which the last line counts.  LIMIT_S replaces the seconds
# after which a board is given up.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
build=$(cd "$1" && pwd)
table=${2:-$here/matrix.cfg}
[ $# -ge 2 ] && shift
shift
anechoic=$build/bin/anechoic
line='%-22s %5s  %7s  %-34s %7s\n'

# verdict TEXT: print the variant's line and end
verdict() {
	# shellcheck disable=SC2059 # a format of our own
	printf "$line" "$name" "${boots:--}" "${kernels:--}" "$1" \
		"$(($(date +%s) - start))"
	case $1 in
	ok) exit 0 ;;
	skipped:*) exit 0 ;;
	*) exit 1 ;;
	esac
}

# The variant's own board: the file of its board with words behind the command.
board() {
	for boards in "$source/boards" "$source/tests/qemu/boards"; do
		for file in "$boards/$board/$isa"-*.conf; do
			[ -f "$file" ] && break 2
		done
	done
	[ -f "$file" ] || verdict "no board $board for $isa"
	mkdir -p "$work/share/boards/$name"
	ln -s "$build/share/anechoic/runtime" "$work/share/runtime"
	awk -v words="$words" -v limit="${LIMIT_S:-}" '
		/^command *=/ && words != "" { $0 = $0 " " words }
		/^timeout_s *=/ && limit != "" { $0 = "timeout_s = " limit }
		{ print }' "$file" \
		>"$work/share/boards/$name/${file##*/}"
}

# console PATTERN: how many lines of the console have it
console() {
	grep -acE -e "$1" "$work/console"
}

# What the console says is whole: one boot, every kernel of the pack, the end.
whole() {
	boots=$(console '@[0-9]+ info .*\*[0-9a-f]{8}')
	[ "$boots" -gt 0 ] ||
		verdict "does not boot: $(cat "$work/stderr" "$work/console" |
			tr -dc '[:print:]\n' | grep -m 1 . || echo silence)"
	[ "$boots" -eq 1 ] || verdict "started $boots times"
	in_pack=$(($(sed -n 's/^\([0-9]*\) kernels and \([0-9]*\) of calibration.*/\1 + \2/p' \
		"$work/image")))
	[ "$(console "@[0-9]+ done from=0 to=$in_pack ")" -gt 0 ] ||
		verdict "not all of $in_pack kernels ran"
	[ "$(console '@[0-9]+ bye ')" -eq 1 ] || verdict "no end (bye)"
}

# The numbers of import: nothing lost, no fault, a sample of each kernel.
imported() {
	counts=$(sed -n 's/^run 1: \(.*\) refused records$/\1/p' "$work/import" |
		tr -dc '0-9 ' | tr -s ' ')
	# shellcheck disable=SC2086 # a list of numbers
	set -- $counts
	[ $# -eq 6 ] || verdict "import: $(head -n 1 "$work/import")"
	kernels=$(awk -v n="$1" -v of="$3" -v text="$(console ' done ')" \
		'BEGIN { print n / text "/" of }')
	[ "$2" -eq 0 ] || verdict "$2 faults"
	[ "$4$5$6" = 000 ] || verdict "$4 damaged, $5 missing, $6 refused"
	[ "$kernels" = "$3/$3" ] || verdict "kernels without a sample"
	# Calibration comes first and has no samples; the others are all there.
	grep -aoE ' (sample|fault) k=[0-9]+ ' "$work/console" |
		tr -dc '0-9\n' | sort -nu >"$work/answered"
	seq $((in_pack - $3)) $((in_pack - 1)) | cmp -s - "$work/answered" ||
		verdict "not each of the last $3 kernels of $in_pack answered"
}

# Fields that INFO must have, which say that the machine is the one of the row.
info() {
	record=$(grep -aoE '@[0-9]+ info .*' "$work/console")
	for field in $(echo "$fields" | tr , ' '); do
		case " $record " in
		*" $field "*) ;;
		*) verdict "INFO lacks $field" ;;
		esac
	done
}

# Under -icount each instruction is a cycle: a chain costs as many as it has,
# anything else one; and each form of the set has its throughput.
values() {
	"$anechoic" export --db "$work/db" --format csv -o "$work/csv" \
		>"$work/export" 2>&1 || verdict "export"
	"$anechoic" forms --isa "$isa" --forms "$forms" 2>/dev/null |
		sed '1d; s/\t.*//' >"$work/forms"
	[ -s "$work/forms" ] || verdict "no form for '$forms'"
	wrong=$(awk '
	# Fields of a line of CSV, quoted ones too: into f[]
	function split_csv(text,   n, field) {
		for (n = 0; text != ""; n++) {
			if (match(text, /^"[^"]*"/)) {
				field = substr(text, 2, RLENGTH - 2)
				text = substr(text, RLENGTH + 2)
			} else {
				match(text, /^[^,]*/)
				field = substr(text, 1, RLENGTH)
				text = substr(text, RLENGTH + 2)
			}
			f[n] = field
		}
	}
	NR == FNR { want[$0] = 1; next }
	FNR == 1 { next }
	{
		split_csv($0)
		# A short loop takes a cycle for each of its slots.
		cycles = f[2] == "iteration" ? f[3] + f[4] : \
					       gsub(/\+/, "+", f[1]) + 1
		# Two forms whose throughputs sum up to the chain bound it.
		bound = f[9] == "throughput-bound" && cycles == 2
		if (f[9] != "ok" && !bound || f[5] == "" || f[5] > cycles ||
		    f[6] < cycles || !bound && f[6] - f[5] > cycles / 50) {
			print f[1] " " f[2] ": " f[5] " to " f[6] " " f[9]
			exit
		}
		if (f[2] == "throughput")
			delete want[f[1]]
	}
	END {
		for (form in want) {
			print form ": no throughput"
			exit
		}
	}' "$work/forms" "$work/csv" | head -n 1)
	[ -z "$wrong" ] || verdict "$wrong"
}

# one NAME: run a variant and print its line
one() {
	start=$(date +%s)
	name=$1
	row=$(grep "^$name|" "$table") || verdict "not in $table"
	IFS='|' read -r _ _ board isa set keys fields words <<-END
		$row
	END
	IFS='|' read -r _ cpu forms <<-END
		$(grep "^set $set\.$isa|" "$table")
	END
	[ -n "$forms" ] || verdict "no set $set.$isa in the table"
	command -v "qemu-system-$isa" >/dev/null ||
		verdict "skipped: no qemu-system-$isa"
	work=$build/boards/$name
	rm -rf "$work"
	mkdir -p "$work"
	board
	export ANECHOIC_SHARE="$work/share"
	"$anechoic" image --board "$name" --isa "$isa" --forms "$forms" \
		${cpu:+--cpu "$cpu"} -o "$work/img" >"$work/image" 2>&1 ||
		verdict "image: $(tail -n 1 "$work/image")"
	"$build/bin/boards_console" "$work/share/boards" \
		"$build/tests/qemu/firmware" "$name" "$isa" "$work/img" \
		${keys:+"$source/tests/qemu/keys/$keys"} \
		</dev/null >"$work/console" 2>"$work/stderr"
	status=$?
	rm -f "$work/img"
	whole
	[ $status -eq 0 ] || verdict "$(head -n 1 "$work/stderr")"
	"$anechoic" import --log "$work/console" --db "$work/db" \
		>"$work/import" 2>&1 ||
		verdict "import: $(tail -n 1 "$work/import")"
	imported
	info
	values
	verdict ok
}

[ "${MATRIX_ONE:-}" ] && one "$1"
names=$*
[ -n "$names" ] || names=$(sed -n 's/^\([a-z0-9-]*\)|.*/\1/p' "$table")
[ -n "$names" ] || {
	echo "$table has no variant" >&2
	exit 2
}
start=$(date +%s)
mkdir -p "$build/boards"
lines=$build/boards/lines.$$
trap 'rm -f "$lines"' EXIT
# shellcheck disable=SC2059 # a format of our own
printf "$line" variant boots kernels verdict seconds
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $names | MATRIX_ONE=1 xargs -P "${JOBS:-1}" -n 1 \
	sh "$0" "$build" "$table" | tee "$lines"
awk -v seconds="$(($(date +%s) - start))" -v of="$(echo "$names" | wc -w)" '
	$4 == "ok" { ok++ }
	$4 == "skipped:" { skipped++ }
	END {
		printf "%d variants: %d ok, %d failed, %d skipped; %d s\n",
		       of, ok, of - ok - skipped, skipped, seconds
		exit ok + skipped != of || of == 0
	}' "$lines"
