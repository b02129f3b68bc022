"""circles.py BUILD [--all | --update]: files of a room that need each other in a
circle.

A room is a folder of host/ or target/.  File A needs file B of its room if A's
object has an undefined symbol that B's object defines.  Files that can all reach
each other are a circle: none can be read, tested or replaced without the others.
tests/lint/circles.txt lists the circles that there are, by room and number of files.
A new circle or a larger one fails, and so does a list that says more than there is.

`--all` prints each circle: its files, and what each of them needs of the others, with
a symbol.  `--update` writes the list.

The objects are those of BUILD's compile_commands.json, of the host and of the runtime
of each instruction set, so that those of files that are gone do not count.
Generated registries, which name every file of a list on purpose, are in no room.
"""

import json
import os
import re
import subprocess
import sys

import shrinking

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LIST = os.path.join(HERE, "circles.txt")
ISAS = ("x86_64", "aarch64", "riscv64")
# The folder of a target of CMake: a library, or one program of the runtime.
PROGRAM = re.compile(r"(.*/CMakeFiles/[^/]*\.dir)/")


def has_runtimes(build):
    """A build of the host alone, with sanitizers, has none."""
    return os.path.exists(os.path.join(build, "target"))


def objects_of(build):
    """(source, object) of each file of a room; the source is a path in the tree.
    Tests compile some of them again, which is no matter here."""
    folders = [("host", build)]
    if has_runtimes(build):
        folders += [("target", os.path.join(build, "target", isa)) for isa in ISAS]
    for top, folder in folders:
        path = os.path.join(folder, "compile_commands.json")
        if not os.path.exists(path):
            sys.exit("FAIL: %s: no such file; build everything" % path)
        with open(path, encoding="utf-8") as f:
            commands = json.load(f)
        for c in commands:
            source = os.path.relpath(os.path.realpath(c["file"]), ROOT)
            output = re.search(r" -o (\S+) ", c["command"])[1]
            if not source.startswith(top + "/") or output.startswith("tests/"):
                continue
            output = os.path.join(c["directory"], output)
            if not os.path.exists(output):
                sys.exit("FAIL: %s: no such file; build everything" % output)
            yield source, output


def room_of(source):
    """host/isa/riscv/x.c is of host/isa."""
    return "/".join(source.split("/")[:2])


def symbols(objects):
    """{object: (defined, undefined)}"""
    out = subprocess.run(["nm", "-A", "-P", "-g"] + objects, check=True, text=True,
                         capture_output=True).stdout
    found = {path: (set(), set()) for path in objects}
    for line in out.splitlines():
        path, rest = line.split(": ", 1)
        name, kind = rest.split()[:2]
        found[path][kind in "Uvw"].add(name)
    return found


def needs(pairs):
    """{source: {source of its room that it needs: symbols}}.  A source that is in
    several programs needs what it needs in any of them."""
    found = symbols([output for _, output in pairs])
    where = {}
    for source, output in pairs:
        key = PROGRAM.match(output)[1], room_of(source)
        where.setdefault(key, {}).update((s, source) for s in found[output][0])
    graph = {source: {} for source, _ in pairs}
    for source, output in pairs:
        here = where[PROGRAM.match(output)[1], room_of(source)]
        for s in found[output][1] & here.keys():
            if here[s] != source:
                graph[source].setdefault(here[s], set()).add(s)
    return graph


def reachable(graph, start):
    seen, todo = set(), [start]
    while todo:
        for other in graph[todo.pop()].keys() - seen:
            seen.add(other)
            todo.append(other)
    return seen


def circles_of(graph):
    """{room: circles, each a sorted list of sources}"""
    reach = {source: reachable(graph, source) for source in graph}
    found = {frozenset(b for b in reach[a] if a in reach[b])
             for a in graph if a in reach[a]}
    rooms = {}
    for circle in sorted(map(sorted, found), key=lambda x: (-len(x), x)):
        rooms.setdefault(room_of(circle[0]), []).append(circle)
    return rooms


def show(room, circle, graph):
    """What each file needs of the others; those with the fewest symbols are the
    first to look at."""
    print("%s: %d files: %s" % (room, len(circle), " ".join(
        os.path.relpath(x, room) for x in circle)))
    for source in circle:
        edges = [(len(names), other, min(names))
                 for other, names in graph[source].items() if other in circle]
        for n, other, name in sorted(edges):
            print("    %s needs %s: %s%s" % (
                os.path.relpath(source, room), os.path.relpath(other, room),
                name, " and %d more" % (n - 1) if n > 1 else ""))


def main():
    build = os.path.abspath(sys.argv[1])
    graph = needs(list(objects_of(build)))
    if len({room_of(source) for source in graph}) < 20:
        sys.exit("FAIL: few rooms in %s" % sys.argv[1])
    rooms = circles_of(graph)
    sizes = {room: [len(x) for x in circles] for room, circles in rooms.items()}

    def explain(room):
        for circle in rooms[room]:
            show(room, circle, graph)

    if sys.argv[2:] == ["--update"]:
        shrinking.write(LIST, sizes)
    elif sys.argv[2:] == ["--all"]:
        for room in sorted(rooms):
            explain(room)
    else:
        shrinking.check(LIST, sizes, explain,
                        None if has_runtimes(build) else "target/")


main()
