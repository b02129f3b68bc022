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


def pairs(old, new):
    result = collections.defaultdict(set)
    there = by_key(new, (name for name in new if name not in old), whole)
    here = by_key(old, (name for name in old if name not in new), whole)
    for k, names in here.items():
        others = there.get(k, set())
        if len(names) == 1 and len(others) == 1:
            result[names.pop()].update(others)
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
