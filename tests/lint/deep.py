"""`make lint-deep`: clang-tidy with the checks of .clang-tidy, cppcheck and gcc's
-fanalyzer find nothing in any C file of host, common, lib and target.

The files and their options are those of the build's compile_commands.json, of the
host and of the runtime of each instruction set; a file is read once by each tool,
by the first that compiles it.  What a tool finds wrongly is named, with the
reason, on its line (NOLINT, of clang-tidy) or in tests/lint/deep.txt.

    deep.py BUILD JOBS [TOOL [FILE...]]     TOOL: all, clang-tidy, cppcheck or gcc

With files only these of them are read that the build compiles.
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLACES = ("host", "common", "lib", "target")
# Least numbers of files: a list that lost its files would pass any check.
LEAST = {"host": 400, "common": 4, "lib": 1, "target": 40}
GCC = {
    "host": "gcc",
    "x86_64": "gcc",
    "aarch64": "aarch64-linux-gnu-gcc",
    "riscv64": "riscv64-linux-gnu-gcc",
}
# Options of clang that gcc does not have.
CLANG_ONLY = ("--target=", "-fdirect-access-external-data", "-Wno-gnu-")
# clang's analyser leaves a function after as many states. Its own limit, 225000,
# takes five times as long.
NODES = 50000
SLICE = 12  # files that one process of clang-tidy reads
FINDING = re.compile(r"^([^ :]+):(\d+):(\d+:)? (?:error|warning|style|performance"
                     r"|portability): .*\[([^\]]+)\]$")


class File:
    """A source, and how its tree compiles it."""

    def __init__(self, path, tree, folder, words):
        self.path, self.tree, self.folder, self.words = path, tree, folder, words


def files_of(build):
    trees = {"host": build}
    for isa in ("x86_64", "aarch64", "riscv64"):
        trees[isa] = os.path.join(build, "target", isa)
    found = {}
    for tree, folder in trees.items():
        path = os.path.join(folder, "compile_commands.json")
        if not os.path.exists(path):
            sys.exit(f"{path}: no such file; is everything built?")
        with open(path, encoding="utf-8") as f:
            commands = json.load(f)
        for c in commands:
            path = os.path.relpath(c["file"], ROOT)
            if path.split("/")[0] in PLACES and path.endswith(".c"):
                found.setdefault(path, File(path, tree, folder,
                                            shlex.split(c["command"])))
    for place, least in LEAST.items():
        n = sum(path.startswith(place + "/") for path in found)
        if n < least:
            sys.exit(f"{build}: {n} files of {place}/, fewer than {least}; "
                     "is everything built?")
    return [found[path] for path in sorted(found)]


def known_findings():
    """(check, file) of deep.txt; each line there has its reason."""
    known = {}
    with open(os.path.join(ROOT, "tests/lint/deep.txt"), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            line = line.split("#")[0]
            words = line.split(None, 2)
            if not words:
                continue
            if len(words) < 3:
                sys.exit(f"tests/lint/deep.txt:{number}: expected a check, "
                         "a file and a reason")
            known[words[0], words[1]] = False
    return known


def run(words, folder=ROOT):
    p = subprocess.run(words, cwd=folder, text=True, check=False,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return p.returncode, p.stdout


def slices(files):
    for tree in sorted({f.tree for f in files}):
        of = [f for f in files if f.tree == tree]
        for at in range(0, len(of), SLICE):
            yield of[at:at + SLICE]


def clang_tidy(files, build):
    def one(some):
        option = ["-Xclang", "-analyzer-config", "-Xclang", f"max-nodes={NODES}"]
        return run(["clang-tidy-19", "-p", some[0].folder, "--quiet"]
                   + ["--extra-arg=" + o for o in option]
                   + [f.path for f in some])

    return one, list(slices(files))


def cppcheck(files, build):
    def one(some):
        project = os.path.join(build, f"deep-{some[0].tree}.json")
        with open(project, "w", encoding="utf-8") as f:
            json.dump([{"directory": s.folder, "file": os.path.join(ROOT, s.path),
                        "arguments": s.words, "command": shlex.join(s.words)}
                       for s in some], f)
        return run(["cppcheck", "--project=" + project, "--quiet", "--std=c11",
                    "--enable=warning,performance,portability",
                    "--inline-suppr", "--error-exitcode=1",
                    "--template={file}:{line}: {severity}: {message} [{id}]"])

    trees = sorted({f.tree for f in files})
    return one, [[f for f in files if f.tree == tree] for tree in trees]


def gcc_words(f):
    """The options of the build, without those on code and debugging: the
    analyser sees the same program at -O1."""
    words = [w for w in f.words[f.words.index("-o") + 2:] if w != "-c"]
    head = f.words[:f.words.index("-o")]
    first = next(i for i, w in enumerate(head) if w.startswith("-"))
    # What is cast to void counts as used in clang alone.
    options = [w for w in head[first:]
               if not w.startswith(("-O", "-W", "-g", "-fsanitize", *CLANG_ONLY))]
    compiler = GCC[f.tree]
    if f.tree != "host":
        _, include = run([compiler, "-print-file-name=include"])
        options += ["-nostdinc", "-isystem", include.strip()]
    return [compiler, *options, "-O1", "-fanalyzer", "-Wno-unused-result",
            "-Wno-maybe-uninitialized", "-S", "-o", "/dev/null",
            "-fdiagnostics-plain-output", *words]


def gcc(files, build):
    def one(f):
        return run(gcc_words(f), f.folder)

    return one, files


TOOLS = {"clang-tidy": clang_tidy, "cppcheck": cppcheck, "gcc": gcc}


def judge(tool, outputs, known):
    """Print the findings that are not known; return how many."""
    n, texts = 0, set()
    for status, text in outputs:
        found = False
        for line in text.splitlines():
            m = FINDING.match(line)
            if not m:
                continue
            found = True
            path = os.path.relpath(os.path.join(ROOT, m[1]), ROOT)
            check = m[4].split(",")[0]
            if (check, path) in known:
                known[check, path] = True
            elif line not in texts:
                texts.add(line)
                print(f"{path}{line[len(m[1]):]}")
                n += 1
        if status != 0 and not found:
            print(f"{tool} failed:\n{text}")
            n += 1
    return n


def main():
    build, jobs = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    tool, only = (sys.argv[3:] + ["all"])[0], sys.argv[4:]
    names = list(TOOLS) if tool == "all" else [tool]
    files, known, bad = files_of(build), known_findings(), 0
    if only:
        files = [f for f in files if f.path in only]
    for name in names:
        start, cpu = time.time(), os.times()
        one, parts = TOOLS[name](files, build)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            n = judge(name, list(pool.map(one, parts)), known)
        used = os.times()
        print(f"{name}: {len(files)} files, {n} findings; "
              f"{time.time() - start:.0f} s, CPU "
              f"{used.children_user - cpu.children_user:.0f} s", flush=True)
        bad += n
    if tool == "all" and not only:
        for (check, path), met in known.items():
            if not met:
                print(f"tests/lint/deep.txt: {path}: {check} is found no more; "
                      "remove the line")
                bad += 1
    sys.exit(1 if bad else 0)


main()
