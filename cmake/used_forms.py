#!/usr/bin/env python3
r"""Which forms do programs consist of?  used_forms.py TRIPLE FILE... >OUT

Counts the instructions of ELF files with LLVM's tools and prints the forms,
most used first, one a line, as many as fit into LIMIT bytes and occur in LEAST
files.  host/isa/used/*.txt are its output on a Debian 12 with the packages that
this project builds with:

  used_forms.py x86_64 $(ls /usr/bin/* | awk 'NR % 6 == 0') \
    /usr/lib/x86_64-linux-gnu/lib[cmz]*.so.*
  used_forms.py aarch64 /usr/aarch64-linux-gnu/lib/*
  used_forms.py riscv64 /usr/riscv64-linux-gnu/lib/*

Each file has the same weight, so that no large program decides; files that are
equal, or above 4 MB, are left out.
"""

import collections
import hashlib
import os
import re
import subprocess
import sys

LIMIT = 6000  # bytes of a table
LEAST = 3     # files
# A breakpoint behind each instruction tells where the next begins.
MARK = {"x86_64": ("cc", b"INT3"), "aarch64": ("000020d4", b"BRK"),
        "riscv64": ("73001000", b"EBREAK")}
FEATURES = {"aarch64": "+all", "riscv64": "+m,+a,+f,+d,+c"}
LARGEST = 4 << 20
LINE = re.compile(rb"^\s*[0-9a-f]+:\s+([0-9a-f ]+)\t\s*([a-z][\w.]*)")
OPCODE = re.compile(rb"<MCInst #\d+ (\w+)")
# Branches and calls: only the distance differs.
FAR = re.compile(rb"^(e8|e9|0f8[0-9a-f])(?:[0-9a-f]{8})$")


def programs(paths):
    seen = set()
    for path in paths:
        path = os.path.realpath(path)
        try:
            if os.path.getsize(path) > LARGEST or not os.path.isfile(path):
                continue
            with open(path, "rb") as f:
                data = f.read()
        except OSError:
            continue
        key = hashlib.sha256(data).digest()
        if data[:4] != b"\x7fELF" or key in seen:
            continue
        seen.add(key)
        yield path


def instructions(path, little):
    """How often each instruction occurs, by its bytes in hex."""
    counts = collections.Counter()
    run = subprocess.Popen(["llvm-objdump-19", "-d", "-j", ".text", path],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in run.stdout:
        m = LINE.match(line)
        if not m or m.group(2).startswith(b"unknown"):
            continue
        code = m.group(1).replace(b" ", b"")
        if little:  # printed as words
            code = bytes.fromhex(code.decode())[::-1].hex().encode()
        far = FAR.match(code)
        counts[far.group(1) + b"00000000" if far else code] += 1
    run.wait()
    return counts


def opcodes(triple, codes):
    """Names of LLVM's opcodes, one for each; None: it does not decode."""
    mark, name = MARK[triple]
    text = "\n".join(bytes.fromhex(c.decode() + mark).hex(" ")
                     for c in codes).replace(" ", " 0x")
    text = "0x" + text.replace("\n", "\n0x") + "\n"
    done = subprocess.run(
        ["llvm-mc-19", "--disassemble", "--show-inst", "--triple=" + triple,
         "--mattr=" + FEATURES.get(triple, "")],
        input=text.encode(), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    names, last = [], None
    for got in OPCODE.findall(done.stdout):
        if got == name:
            names.append(last)
            last = None
        else:
            last = got  # behind its prefixes
    return names if len(names) == len(codes) else [None] * len(codes)


def main():
    triple = sys.argv[1]
    weight = collections.Counter()
    files = collections.Counter()
    known = {}
    for path in programs(sys.argv[2:]):
        counts = instructions(path, triple != "x86_64")
        breakpoint = MARK[triple][0].encode()
        new = [c for c in counts if c not in known and c != breakpoint]
        known.update(zip(new, opcodes(triple, new) if new else []))
        here = collections.Counter()
        for code, n in counts.items():
            if known.get(code):
                here[known[code]] += n
        total = sum(counts.values())
        for name, n in here.items():
            weight[name] += n / total
            files[name] += 1
        if len(known) > 4000000:
            known.clear()
        print(path, len(new), file=sys.stderr)
    size = 0
    for name, _ in sorted(weight.items(), key=lambda x: (-x[1], x[0])):
        size += len(name) + 1
        if files[name] >= LEAST and size <= LIMIT:
            print(name.decode())


main()
