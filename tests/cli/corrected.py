"""corrected.py ANECHOIC SOURCE LLVM: every correction of models/facts.

Each form of a fact `corrected` has the value of the last fact of its kind in the
model of the CPU, and the mark of a correction; with LLVM 19 all of them, later ones
have some values themselves.
"""

import glob
import json
import os
import re
import subprocess
import sys


def read(source):
    """(cpu, isa, form, kind) and the value, of all files."""
    found = {}
    for path in sorted(glob.glob(os.path.join(source, "models/facts/*.facts"))):
        with open(path) as f:
            for line in f:
                words = line.split()
                if words[:2] == ["isa", "="]:
                    isa = words[2]
                elif words[:2] == ["llvm", "="]:
                    cpu = words[2]
                elif words[:2] == ["corrected", "="]:
                    for form in words[2].split(","):
                        found[cpu, isa, form, words[3]] = words[4:6]
    return found


def shape(form):
    return sorted(tuple(u["ports"]) for u in form.get("uses", []))


def holds(forms, form, kind, value):
    if kind == "ports":
        return shape(form) == shape(forms[value])
    if kind == "latency":
        has = max(x["cycles"][1] for x in form["latencies"])
    else:
        has = form[kind][1]
    return abs(has - float(value)) < 1e-5


def main(anechoic, source, llvm):
    models, failed, n = {}, 0, 0
    for (cpu, isa, name, kind), (value, tag) in read(source).items():
        if cpu not in models:
            done = subprocess.run([anechoic, "export", "--cpu", cpu, "--isa", isa,
                                   "--format", "model", "-o", "-"], check=True, text=True,
                                  capture_output=True)
            models[cpu] = {x["name"]: x for x in json.loads(done.stdout)["forms"]}
        form = models[cpu].get(name)
        n += 1
        if llvm != "19" and not (form and (kind != "ports" or value in models[cpu])):
            continue  # another name
        if not form or not holds(models[cpu], form, kind, value):
            print("FAIL: %s, %s: not %s %s: %s" % (cpu, name, kind, value, form))
            failed = 1
        # A mistake that came after 19.
        elif llvm == "19" and tag != "@llvm215109" and not re.match(
                "corrected: ", form.get("evidence", "")):
            print("FAIL: %s, %s: %s %s is no correction" % (cpu, name, kind, value))
            failed = 1
    print("%d values" % n)
    return failed or n == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
