#!/usr/bin/env python3
"""Three plots of a database and of predictions:

    plots.py DATABASE FOLDER

Needs matplotlib.  `import anechoic` finds the installed module, or that of this
source tree.
"""

import collections
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                             "..", "lib", "python"))

import anechoic  # noqa: E402
import matplotlib  # noqa: E402

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

LOOP = """
.L3:
        vmovupd (%rsi,%rax), %ymm0
        vfmadd213pd (%rdx,%rax), %ymm1, %ymm0
        vmovupd %ymm0, (%rdi,%rax)
        addq    $32, %rax
        cmpq    %rax, %rcx
        jne     .L3
"""
CPUS = ["haswell", "skylake", "icelake-server", "znver3", "znver4"]


def plot_latencies(rows, path):
    """How many forms have which latency: only values, no intervals."""
    known = [round(r["latency_high"]) for r in rows
             if r["latency_high"] is not None and
             r["latency_high"] - r["latency_low"] < 0.1]
    count = collections.Counter(known)
    figure, axes = pyplot.subplots()
    axes.bar(list(count), list(count.values()))
    axes.set_xlabel("latency, cycles")
    axes.set_ylabel("forms")
    figure.savefig(path)


def plot_forms(rows, path):
    """Latency against reciprocal throughput."""
    known = [r for r in rows if r["throughput_verdict"] == "ok" and
             r["latency_high"] is not None]
    figure, axes = pyplot.subplots()
    axes.loglog([r["throughput_high"] for r in known],
                [max(r["latency_high"], 0.1) for r in known], ".")
    axes.set_xlabel("reciprocal throughput, cycles")
    axes.set_ylabel("longest latency, cycles")
    figure.savefig(path)


def plot_loop(path):
    """The bounds of one loop, on CPUs of LLVM's tables."""
    names = ["throughput", "front_end", "carried", "critical_path"]
    figure, axes = pyplot.subplots()
    for at, name in enumerate(names):
        cycles = []
        for cpu in CPUS:
            with anechoic.Core(cpu=cpu, isa="x86_64") as core:
                cycles.append(getattr(core.predict(LOOP), name))
        axes.bar([i + at / 5 for i in range(len(CPUS))], cycles, 0.2,
                 label=name.replace("_", " "))
    axes.set_xticks(range(len(CPUS)), CPUS)
    axes.set_ylabel("cycles an iteration")
    axes.legend()
    figure.savefig(path)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plots.py DATABASE FOLDER")
    rows = anechoic.instructions(sys.argv[1])
    os.makedirs(sys.argv[2], exist_ok=True)
    plot_latencies(rows, os.path.join(sys.argv[2], "latencies.svg"))
    plot_forms(rows, os.path.join(sys.argv[2], "forms.svg"))
    plot_loop(os.path.join(sys.argv[2], "loop.svg"))


if __name__ == "__main__":
    try:
        main()
    except anechoic.Error as e:
        sys.exit("plots.py: %s" % e)
