#!/usr/bin/env python3
r"""Forms that two versions of LLVM name differently:
	renamed_forms.py ISA OLD NEW >OUT

OLD and NEW are this program, built with -DLLVM_VERSION=19 and =22.  A name that
only one of them has is paired with the name in the other that has the same
assembly and operands.  host/isa/renamed/*.txt are the output: a line "NAME OTHER"
for each name of both, sorted, without what stands behind '/'.  Names that would
have two others are left out.
"""

import collections
import subprocess
import sys

BOARDS = {"x86_64": "linux-process", "aarch64": "qemu-virt-max",
          "riscv64": "qemu-virt-rvv"}


def forms(program, isa):
    """{name: the columns of `forms`}, of each form."""
    text = subprocess.run([program, "forms", "--board", BOARDS[isa], "--isa", isa],
                          check=True, capture_output=True, text=True).stdout
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return {row[0]: row for row in rows if len(row) >= 5}


def by_key(rows, names, key):
    found = collections.defaultdict(set)
    for name in names:
        k = key(rows[name])
        base = name.split("/")[0]
        if k:
            found[k, base.endswith("_REV")].add(base)
    return found


def whole(row):
    """Mnemonic, assembly and operands; none without assembly."""
    return tuple(row[1:4]) if row[2] else None


def shape(row):
    """Mnemonic and operands in any order: LLVM 22 has another order of some."""
    return row[1], tuple(sorted(w.split("=")[0] for w in row[3].split()))


def pairs(old, new):
    result = {}
    left = {name for name in old if name not in new}
    right = {name for name in new if name not in old}
    for key in whole, shape:
        there = by_key(new, right, key)
        for k, names in by_key(old, left, key).items():
            others = there.get(k, set())
            if len(names) == 1 and len(others) == 1:
                result.setdefault(names.pop(), set()).update(others)
        done = {other for others in result.values() for other in others}
        left = {name for name in left if name.split("/")[0] not in result}
        right = {name for name in right if name.split("/")[0] not in done}
    return {a: b.pop() for a, b in result.items() if len(b) == 1}


def main():
    isa, old, new = sys.argv[1:]
    found = pairs(forms(old, isa), forms(new, isa))
    back = collections.Counter(found.values())
    lines = []
    for a, b in found.items():
        if back[b] == 1:
            lines += [f"{a} {b}", f"{b} {a}"]
    print("\n".join(sorted(lines)))


main()
