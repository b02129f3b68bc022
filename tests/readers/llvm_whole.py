"""llvm_whole.py ANECHOIC LLVM CPU MODEL: a whole model says what LLVM's says.

The model of the CPU is written from LLVM's tables, added to RISCV.td with a
ProcessorModel, and read by llvm-tblgen.  In the classes that it makes of writes
that the export knows, latencies, micro-ops and cycles of resources are those of
MODEL, LLVM's own.  Prints a row for README.md.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROW = re.compile(r'\{DBGFIELD\("([^"]*)"\)\s*(\d+), \w+, \w+, \w+,\s*(\d+),\s*'
                 r'(\d+),\s*(\d+),\s*(\d+),')
ENTRY = re.compile(r"^  \{\s*(-?\d+),\s*(-?\d+)(?:,\s*(\d+))?\s*\}")
# No form has a result whose latency could be measured.
NO_RESULT = re.compile(r"Write(Jmp|F?ST|VST|VSS|VSUX|VSOX|AtomicST)")
MOST_UOPS = 8190  # more: LLVM's marks of classes without a cost


def run(*words):
    done = subprocess.run(words, text=True, capture_output=True)
    if done.returncode:
        sys.exit("FAIL: %s: %s" % (" ".join(words), done.stderr[:600]))


def tables(path):
    """Lists of latencies and cycles, and the classes of each model."""
    latencies, cycles, models, part = [], [], {}, None
    with open(path) as f:
        for line in f:
            head = re.search(r"MCSchedClassDesc (\w+)SchedClasses\[", line)
            if "MCWriteLatencyEntry" in line and line.rstrip().endswith("{"):
                part = latencies
            elif "MCWriteProcResEntry" in line and line.rstrip().endswith("{"):
                part = cycles
            elif head:
                part = models.setdefault(head.group(1), {})
            elif line.startswith("};"):
                part = None
            elif part is latencies and ENTRY.match(line):
                latencies.append(int(ENTRY.match(line).group(1)))
            elif part is cycles and ENTRY.match(line):
                # From AcquireAtCycles to ReleaseAtCycles.
                _, end, begin = ENTRY.match(line).groups()
                cycles.append(int(end) - int(begin))
            elif isinstance(part, dict) and ROW.search(line):
                name, *numbers = ROW.search(line).groups()
                part[name] = [int(x) for x in numbers]
    return latencies, cycles, models


def cost(latencies, cycles, row):
    uops, at, n, latency, n_latencies = row
    return (uops, sorted(cycles[at:at + n]),
            latencies[latency:latency + n_latencies])


def main(anechoic, llvm, cpu, model):
    work = tempfile.mkdtemp()
    target = os.path.join(llvm, "lib/Target/RISCV")
    try:
        path = os.path.join(work, "model.td")
        run(anechoic, "export", "--isa", "riscv64", "--cpu", cpu, "--format",
            "llvm", "-o", path)
        with open(path) as f:
            text = f.read()
        own = re.search(r"^def (\w+) : SchedMachineModel", text, re.M).group(1)
        with open(os.path.join(work, "target.td"), "w") as f:
            f.write('include "RISCV.td"\n%s\ndef : ProcessorModel<"anechoic", '
                    "%s, []>;\n" % (text, own))
        run("llvm-tblgen-19", "-gen-subtarget", "-I",
            os.path.join(llvm, "include"), "-I", target,
            os.path.join(work, "target.td"), "-o", os.path.join(work, "inc"))
        check(tables(os.path.join(work, "inc")), cpu, own, model)
    finally:
        shutil.rmtree(work)


def check(found, cpu, own, model):
    latencies, cycles, models = found
    wrong, n = [], 0
    for name, row in models[own].items():
        theirs = models[model].get(name)
        # LLVM's worst case is also of groupings that no instruction has.
        if row[0] >= MOST_UOPS or not theirs or theirs[0] >= MOST_UOPS or \
                not name.startswith("Write") or \
                re.search("_Write|_WorstCase", name):
            continue
        a, b = (cost(latencies, cycles, x) for x in (row, theirs))
        n += 1
        if a[:2] != b[:2] or (a[2] != b[2] and not NO_RESULT.match(name)):
            wrong.append("%s: %s for %s" % (name, a, b))
    if wrong or n < 200:
        sys.exit("FAIL: %s: %d of %d classes differ: %s" % (
            cpu, len(wrong), n, "; ".join(wrong[:8])))
    print("row|llvm-tblgen|19.1.7|--cpu %s in RISCV.td|-gen-subtarget|%d "
          "classes of writes, all as in LLVM's %s" % (cpu, n, model))


if __name__ == "__main__":
    main(*sys.argv[1:])
