# An exported scheduling model of LLVM with an expression for each opcode:
# "^ADD(8|16)rr$" becomes "^ADD8rr$" "^ADD16rr$".  Groups do not nest; of other
# operators only '?' behind a group is expected, anything else stays.
function expand(done, rest,    open, close_, group, tail, n, i, parts) {
	open = index(rest, "(")
	if (open == 0) {
		list = list (list == "" ? "" : " ") "\"" done rest "\""
		return
	}
	close_ = index(rest, ")")
	group = substr(rest, open + 1, close_ - open - 1)
	tail = substr(rest, close_ + 1)
	done = done substr(rest, 1, open - 1)
	if (substr(tail, 1, 1) == "?") {
		tail = substr(tail, 2)
		expand(done, tail)
	}
	n = split(group, parts, "|")
	for (i = 1; i <= n; i++)
		expand(done parts[i], tail)
}
{
	line = $0
	out = ""
	while (match(line, /"\^[^"]*\$"/)) {
		list = ""
		expand("", substr(line, RSTART + 1, RLENGTH - 2))
		out = out substr(line, 1, RSTART - 1) list
		line = substr(line, RSTART + RLENGTH)
	}
	print out line
}
