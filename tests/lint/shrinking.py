"""Lists of what there should be none of, by room and number, that only get shorter.

A list has a line `ROOM N` for each finding of size N in a room.  More or larger
findings than listed fail.  So does a list that says more than there is, so that it
follows the tree.
"""

import sys


def read(path):
    """{room: sizes, the largest first}"""
    sizes = {}
    with open(path, encoding="ascii") as f:
        for number, line in enumerate(f, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if len(words) != 2 or not words[1].isdigit():
                sys.exit("%s:%d: expected a room and a number" % (path, number))
            sizes.setdefault(words[0], []).append(int(words[1]))
    return {room: sorted(n, reverse=True) for room, n in sizes.items()}


def write(path, found):
    """Write the list, and keep the comments at its head."""
    with open(path, encoding="ascii") as f:
        head = [line for line in f if line.startswith("#")]
    with open(path, "w", encoding="ascii") as f:
        f.writelines(head)
        for room in sorted(found):
            f.writelines("%s %d\n" % (room, n) for n in sorted(found[room])[::-1])


def is_within(found, listed):
    """Has each finding a listed one of its size or larger, of its own?"""
    return (len(found) <= len(listed)
            and all(n <= most for n, most in zip(found, listed)))


def check(path, found, explain, left_out=None):
    """Compare {room: sizes} with the list; explain(room) prints what was found in
    a room where there is more of it.  Rooms that begin with `left_out` were not
    looked at.  Exits with 1 if they differ."""
    listed, ok = read(path), True
    if left_out:
        listed = {room: n for room, n in listed.items()
                  if not room.startswith(left_out)}
    for room in sorted(set(found) | set(listed)):
        here = sorted(found.get(room, []), reverse=True)
        known = listed.get(room, [])
        if here == known:
            continue
        ok = False
        if is_within(here, known):
            print("FAIL: %s: %s listed, %s found; good, write that into %s (--update)"
                  % (room, known, here or "none", path))
        else:
            print("FAIL: %s: %s found, %s listed in %s"
                  % (room, here, known or "none", path))
            explain(room)
    if not ok:
        sys.exit(1)
    print("%d, as listed" % sum(len(n) for n in found.values()))
