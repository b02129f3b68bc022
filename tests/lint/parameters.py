"""parameters.py [--all | --update]: functions with more than MOST parameters.

They take a struct instead.  tests/lint/parameters.txt lists how many there are of
them in each room (a folder of host/ or target/, or common/ and lib/).  One more
fails, and so does a list that says more than there are.  `--all` prints them all.
"""

import glob
import os
import re
import sys

import shrinking

MOST = 6
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIST = os.path.join(HERE, "parameters.txt")
# Interfaces of others, with the parameters that they have.
FOREIGN = {
    "linux_call",     # a system call of Linux: its number and six arguments
    "no_debug_file",  # a callback of libdwfl
    "on_syscall",     # a callback of QEMU's plugins
    "sbi_call",       # a call of SBI: extension, function, and arguments
}
# Comments and literals may hold commas and brackets; lines stay lines.
IGNORED = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
                     re.DOTALL)
# At the start of a line, as the formatter leaves it.
START = re.compile(r"^[A-Za-z_][^;{}()#=]*?(\w+)\(", re.MULTILINE)


def count_parameters(text, at):
    """Parameters of the brackets that open before `at`, and the place after them."""
    depth, n = 1, 1
    while depth > 0 and at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        n += text[at] == "," and depth == 1
        at += 1
    return n, at


def functions_of(path):
    """(line, name, number of parameters) of each function that the file defines."""
    with open(path, encoding="utf-8") as f:
        text = IGNORED.sub(lambda m: "\n" * m[0].count("\n"), f.read())
    for m in START.finditer(text):
        n, end = count_parameters(text, m.end())
        if text[end:].lstrip().startswith("{"):
            yield text.count("\n", 0, m.start(1)) + 1, m[1], n


def main():
    files = [path for folder in ("common", "host", "lib", "target")
             for pattern in ("*.[ch]", "*.cpp")
             for path in glob.glob(os.path.join(ROOT, folder, "**", pattern),
                                   recursive=True)]
    rooms, n_functions = {}, 0
    for path in sorted(os.path.relpath(path, ROOT) for path in files):
        room = "/".join(path.split("/")[:-1][:2])
        for line, name, n in functions_of(os.path.join(ROOT, path)):
            n_functions += 1
            if n > MOST and name not in FOREIGN:
                rooms.setdefault(room, []).append(
                    "%s:%d: %s() has %d parameters" % (path, line, name, n))
    if n_functions < 5000:
        sys.exit("FAIL: only %d functions found" % n_functions)

    def explain(room):
        print("\n".join(rooms[room]))

    if sys.argv[1:] == ["--update"]:
        shrinking.write(LIST, {room: [len(x)] for room, x in rooms.items()})
    elif sys.argv[1:] == ["--all"]:
        for room in sorted(rooms):
            explain(room)
    else:
        shrinking.check(LIST, {room: [len(x)] for room, x in rooms.items()}, explain)


main()
