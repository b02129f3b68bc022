"""circles.py BUILD [--update]: files of a room that need each other in a circle.

File A needs file B of its room if A's object has an undefined symbol that B's
object defines. Files that can all reach each other are a circle: none can be
read, tested or replaced without the others. tests/lint/circles.txt lists the
circles there are. A circle or a file of one that is not listed fails, and so does
a listed one that is gone, so that the list stays true; `--update` writes it.
"""

import glob
import os
import subprocess
import sys

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "circles.txt")
HEAD = """# Circles of files within a room, by the symbols of their objects
# (circles.py): room, then files. It only gets shorter.
"""


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


def needs(objects):
    """{file: files of the room that define what it uses}"""
    found = symbols(objects)
    where = {s: path for path, (defined, _) in found.items() for s in defined}
    return {path: {where[s] for s in used if s in where} - {path}
            for path, (_, used) in found.items()}


def reachable(graph, start):
    seen, todo = set(), [start]
    while todo:
        for next_one in graph[todo.pop()] - seen:
            seen.add(next_one)
            todo.append(next_one)
    return seen


def circles(graph):
    """Sets of two files and more that reach each other."""
    reach = {path: reachable(graph, path) for path in graph}
    return {frozenset(b for b in reach[a] if a in reach[b])
            for a in graph if a in reach[a]}


def found_circles(build):
    """Sorted lines of the list. Generated registries, which name every file of a
    list on purpose, lie in a folder of their own and are left out."""
    lines, n_rooms = [], 0
    for room in sorted(os.listdir(os.path.join(build, "host"))):
        folder = os.path.join(build, "host", room, "CMakeFiles", room + ".dir")
        if room == "cli":
            folder = os.path.join(build, "host", "cli", "CMakeFiles", "anechoic.dir")
        objects = [x for x in glob.glob(os.path.join(folder, "**", "*.o"),
                                        recursive=True)
                   if os.sep + "gen" + os.sep not in x[len(folder):]]
        n_rooms += bool(objects)
        for circle in circles(needs(objects) if objects else {}):
            names = sorted(os.path.relpath(x, folder)[:-len(".o")]
                           for x in circle)
            lines.append(room + " " + " ".join(names))
    if n_rooms < 15:
        sys.exit("FAIL: objects of only %d rooms in %s; build it" % (n_rooms, build))
    return sorted(lines)


def listed_circles():
    with open(LIST, encoding="ascii") as f:
        return [x.strip() for x in f if x.strip() and not x.startswith("#")]


def report(found, listed):
    """How many lines are wrong; prints each."""
    known = {(line.split()[0], name): line for line in listed
             for name in line.split()[1:]}
    n = 0
    for line in sorted(set(found) - set(listed)):
        room, *names = line.split()
        new = [x for x in names if (room, x) not in known]
        of = {known[room, x] for x in names if (room, x) in known}
        n += 1
        if new:
            print("FAIL: host/%s: %s in a circle with %s; move what both need to a "
                  "third file" % (room, ", ".join(new), ", ".join(
                      x for x in names if x not in new) or "each other"))
        elif len(of) > 1:
            print("FAIL: host/%s: circles have joined: %s" % (room, " ".join(names)))
        else:
            print("FAIL: host/%s: a circle is smaller: %s; good, put it into "
                  "tests/lint/circles.txt (--update)" % (room, " ".join(names)))
    if n == 0:
        for line in sorted(set(listed) - set(found)):
            n += 1
            print("FAIL: a circle is gone: %s; good, take it out of "
                  "tests/lint/circles.txt (--update)" % line)
    return n


def main():
    found = found_circles(sys.argv[1])
    if sys.argv[2:] == ["--update"]:
        with open(LIST, "w", encoding="ascii") as f:
            f.write(HEAD + "".join(x + "\n" for x in found))
        return
    if report(found, listed_circles()):
        sys.exit(1)
    print("%d circles, as listed" % len(found))


main()
