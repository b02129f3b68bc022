"""llvm_diff.py ANECHOIC CPU TARGET MODEL LLVM FILE: a changed model as a diff.

Latencies of some classes of LLVM's tables of the CPU, and ports and micro-ops of
others, are changed in a model file, as if they had been measured.  The diff against
FILE, in the folder of the target in LLVM's source, is applied, llvm-tblgen reads
both, and the classes of MODEL that it makes are compared: those that were changed
have the new latency, or resources and micro-ops, no other class has.  Prints a row
for table.sh.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

MORE = 2  # cycles
EVERY = 9  # a class of so many is changed
ROW = re.compile(r'\{DBGFIELD\("([^"]*)"\)\s*(\d+), \w+, \w+, \w+,\s*(\d+),\s*(\d+),'
                 r'\s*(\d+),\s*(\d+),')
ENTRY = re.compile(r"^  \{\s*(-?\d+),\s*(\d+)(?:,\s*\d+)?\s*\}")


def run(*words, cwd):
    done = subprocess.run(words, cwd=cwd, text=True, capture_output=True)
    if done.returncode:
        sys.exit("FAIL: %s: %s" % (" ".join(words), done.stderr[:600]))
    return done


class Costs(dict):
    """Latencies of each class of a model that llvm-tblgen wrote; `rest`: micro-ops
    and resources with their cycles."""
    rest = {}


def classes(path, model):
    latencies, cycles, found, part = [], [], {}, None
    with open(path) as f:
        for line in f:
            if "MCWriteLatencyEntry" in line and line.rstrip().endswith("{"):
                part = "latency"
            elif "MCWriteProcResEntry" in line and line.rstrip().endswith("{"):
                part = "cycles"
            elif "MCSchedClassDesc %sSchedClasses" % model in line:
                part = "class"
            elif line.startswith("};"):
                part = None
            elif part == "latency" and ENTRY.match(line):
                latencies.append(int(ENTRY.match(line).group(1)))
            elif part == "cycles" and ENTRY.match(line):
                cycles.append(tuple(int(x) for x in ENTRY.match(line).groups()))
            elif part == "class" and ROW.search(line):
                name, *numbers = ROW.search(line).groups()
                if int(numbers[0]) < 8190:
                    found[name] = [int(x) for x in numbers]
    costs = Costs((k, latencies[x[3]:x[3] + x[4]]) for k, x in found.items())
    costs.rest = {k: (x[0], sorted(cycles[x[1]:x[1] + x[2]]))
                  for k, x in found.items()}
    return costs


def single(form):
    """The ports of a form with one use of one cycle; None of others."""
    uses = form.get("uses", [])
    if len(uses) != 1 or uses[0]["uops"] != 1 or uses[0]["cycles"] != 1:
        return None
    return tuple(uses[0]["ports"])


def move(forms, report, taken):
    """Say of all forms that a search found their ports, and of some classes that
    these are those of others, with one micro-op more; returns these classes."""
    sets = [single(x) for x in forms.values()]
    sets = sorted({x for x in sets if x and sets.count(x) > 20})
    listed = sorted((x for x in report["findings"] if x["kind"] == "micro-ops"),
                    key=lambda x: x["class"])
    for form in forms.values():
        if form.get("uses"):
            form["ports_mark"] = "measured"
    moved = set()
    for i, finding in enumerate(listed):
        members = [forms[m["form"]] for m in finding["members"]]
        old = {single(x) for x in members}
        if i % EVERY != 4 or finding["class"] in taken or len(old) != 1:
            continue
        old = old.pop()
        new = [x for x in sets if old in sets and len(x) == len(old) and x != old]
        if not new:
            continue
        for form in members:
            form["uses"][0]["ports"] = list(new[0])
            form["slots"] = [x + 1 for x in form["slots"]]
        moved.add(finding["class"])
    return moved


def change(model, report):
    """Make the members of some classes slower; returns these classes with their
    members, and the names of all classes with a latency."""
    forms = {x["name"]: x for x in model["forms"]}
    listed = [x for x in report["findings"]
              if x["kind"] == "latency" and x["table"] > 0]
    listed.sort(key=lambda x: x["class"])
    chosen = {}
    for finding in listed[::EVERY]:
        for member in finding["members"]:
            for pair in forms[member["form"]].get("latencies", []):
                pair["cycles"] = [c + MORE for c in pair["cycles"]]
        chosen[finding["class"]] = [m["form"] for m in finding["members"]]
    moved = move(forms, report, chosen)
    # The program has values that LLVM corrected later; the source has not.
    corrected = {x["name"] for x in model["forms"]
                 if x.get("evidence", "").startswith("corrected: ")}
    return chosen, moved, {x["class"] for x in listed
                           if not corrected & {m["form"] for m in x["members"]}}


def main(anechoic, cpu, target, name, llvm, file):
    work = tempfile.mkdtemp()
    try:
        source = os.path.join(llvm, "lib/Target", target)
        new = os.path.join(work, "new")
        shutil.copytree(source, new)
        run(anechoic, "export", "--cpu", cpu, "--format", "model", "-o",
            "m.json", *(["--isa", "aarch64"] if target == "AArch64" else []),
            cwd=work)
        done = run(anechoic, "compare", "model:m.json", "cpu:" + cpu, "--by",
                   "class", "--format", "json", cwd=work)
        with open(os.path.join(work, "m.json")) as f:
            model = json.load(f)
        chosen, moved, known = change(model, json.loads(done.stdout))
        with open(os.path.join(work, "m.json"), "w") as f:
            json.dump(model, f)
        run(anechoic, "export", "--model", "m.json", "--format", "llvm",
            "--against", cpu, "--td", os.path.join(source, file), "-o", "diff",
            cwd=work)
        run("patch", "-p1", "-i", os.path.join(work, "diff"), cwd=new)
        for folder in source, new:
            run("llvm-tblgen-19", "-gen-subtarget", "-I",
                os.path.join(llvm, "include"), "-I", folder,
                os.path.join(folder, target + ".td"), "-o",
                os.path.join(work, "new.inc" if folder == new else "old.inc"),
                cwd=work)
        old = classes(os.path.join(work, "old.inc"), name)
        now = classes(os.path.join(work, "new.inc"), name)
        check(chosen, known, {"old": old, "now": now}, cpu)
        check_moved(moved, known, {"old": old.rest, "now": now.rest}, cpu)
    finally:
        shutil.rmtree(work)


def check(chosen, known, tables, cpu):
    old, now = tables["old"], tables["now"]
    forms = {form for members in chosen.values() for form in members}
    wrong, reached = [], 0
    for k in sorted(old):
        if k not in now or not old[k]:
            continue
        same = now[k] == old[k]
        grown = now[k] == [x + MORE for x in old[k]]
        if k in chosen:
            reached += grown
        # Forms without a value go along with their write.
        elif not same and k in known and not (grown and k[:-2] in chosen):
            wrong.append("%.60s: %s, was %s" % (k, now[k], old[k]))
    # A class of which others were taken out has the old latency.
    for k in sorted(set(now) - set(old)):
        whole = [name for name in known if k.split("_")[0] in name]
        if not any(x in k for x in forms) and whole and now[k] not in (
                old.get(name) for name in whole):
            wrong.append("%.60s: a new class of unchanged forms" % k)
    if wrong or len(old) < 100:
        sys.exit("FAIL: %s: of %d classes these changed: %s" % (
            cpu, len(old), "; ".join(wrong[:5])))
    if 4 * reached < len(chosen):
        sys.exit("FAIL: %s: %d of %d changed classes" % (cpu, reached,
                                                         len(chosen)))
    print("row|llvm-tblgen|19.1.7|diff against %s's source|patch, "
          "-gen-subtarget|%d of %d changed classes have the new latency, no "
          "other of %d" % (cpu, reached, len(chosen), len(old)))


def check_moved(moved, known, tables, cpu):
    old, now = tables["old"], tables["now"]
    ports, uops, wrong = 0, 0, []
    for k in sorted(old):
        if k not in now or now[k] == old[k]:
            continue
        if k in moved:
            ports += now[k][1] != old[k][1]
            uops += now[k][0] == old[k][0] + 1
        # Forms without a value, and loads, go along with their write.
        elif k in known and k[:-2] not in moved:
            wrong.append("%.60s: %s, was %s" % (k, now[k], old[k]))
    if wrong or 12 * min(ports, uops) < len(moved) or not moved:
        sys.exit("FAIL: %s: of %d classes %d have other ports, %d micro-ops; of "
                 "others these: %s" % (cpu, len(moved), ports, uops,
                                       "; ".join(wrong[:5])))
    print("row|llvm-tblgen|19.1.7|diff against %s's source|patch, -gen-subtarget|of "
          "%d classes %d have the new ports, %d the new micro-ops, no other of %d" % (
              cpu, len(moved), ports, uops, len(old)))


if __name__ == "__main__":
    main(*sys.argv[1:])
