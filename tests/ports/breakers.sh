#!/bin/sh
# Forms that wait for themselves through flags or a fixed register: their ports
# are found in mixes with breakers, and so is their throughput without the
# dependency.
#	breakers.sh ANECHOIC CHECK FOLDER SOURCE
set -eu
anechoic=$1
check=$2
folder=$3
source=$4
rm -rf "$folder"
mkdir -p "$folder"
{
	sed 's/^noise.*/noise = 0/' "$source/cores/zen4.core"
	cat <<'END'
form ADC64rr: ports=a0|a3
form SBB64rr: uops=2, ports=a0|a3 + a1|a2
form MUL64r: uops=2, ports=a1 + a0|a1|a2|a3, latency=3
form DIV64r: ports=a2, latency=14, occupancy=7
form MOV64ri32: ports=a0|a1|a2|a3
END
} >"$folder/breakers.core"
FORMS='^(ADC|SBB|ADD|SHL|ANDN|LZCNT|IMUL|POPCNT)64rr$|^(SHL|RORX)64ri$|^(MUL|DIV)64r$|^MOV64rm$'
export FORMS
sh "$source/run.sh" "$anechoic" "$check" "$folder/db" "$folder/breakers.core"
db=$(echo "$folder"/db/*.db)
core=$(echo "$folder"/db/*.core)
"$anechoic" measure --board fake --core "$core" --db "$db" --what throughput \
	--forms '^((ADC|SBB|TEST)64rr|(MUL|DIV)64r|MOV64ri32)$' \
	>"$folder/log" 2>&1
"$anechoic" export --db "$db" --format model -o "$folder/model"
# has FORM TEXT: in its line of the model.
has() {
	grep -F "\"name\": \"$1\"" "$folder/model" >"$folder/form" || {
		echo "FAIL: no $1"
		exit 1
	}
	grep -qF -e "$2" "$folder/form" || {
		echo "FAIL: $1: $2"
		cat "$folder/form"
		exit 1
	}
}
has ADC64rr '"throughput": [0.5, 0.5]'
has ADC64rr 'throughput from its ports'
has SBB64rr '"throughput": [0.5, 0.5]'
has MUL64r '"throughput": [1, 1]'
"$anechoic" show --all --db "$db" ADC64rr >"$folder/show"
grep -q 'less what its breaker takes' "$folder/show" || {
	echo "FAIL: show"
	cat "$folder/show"
	exit 1
}
# Without options the ports and values are one screen; mixes are evidence.
"$anechoic" show --db "$db" ADC64rr >"$folder/show"
if ! grep -q '^  ports  *1 uop on ' "$folder/show" ||
	! grep -q '^  throughput ' "$folder/show" ||
	grep -q 'mix:\|; $' "$folder/show" ||
	[ "$(wc -l <"$folder/show")" -gt 40 ]; then
	echo "FAIL: show on one screen"
	cat "$folder/show"
	exit 1
fi
# The model in short, and all that is known of some forms.
"$anechoic" model --db "$db" >"$folder/short"
"$anechoic" model --db "$db" --forms '^(MUL|DIV)64r$' >"$folder/some"
grep -q '^  1\*.* (slots 1): [0-9]* forms$' "$folder/short" || {
	echo "FAIL: model"
	cat "$folder/short"
	exit 1
}
if grep -q ADD64rr "$folder/some" || ! grep -q '^ *MUL64r$' "$folder/some"; then
	echo "FAIL: model --forms"
	cat "$folder/some"
	exit 1
fi
