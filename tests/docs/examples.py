"""examples.py [--write] ANECHOIC SOURCE [PAGE ...]: examples of the documents.

A fenced block of kind `console` of a Markdown page is run: a line that begins with
`$ ` is a command (continued where it ends in a backslash, or the next line begins with `> `),
the lines below it are what it prints. A line `...` stands for any lines. A command that fails prints its
errors, too, and ends with the line `(exit status N)`.

The blocks of a page run in one folder, in their order, with the program in PATH and the
folders of the source in place, so that a later block finds the files of an earlier one.
A block that begins with the line `# not run by the tests: REASON` is not run.
Any other code with a line that begins with `$ ` is an error, because nothing runs it.

--write puts what the commands print into the pages. Each run of lines between two
lines `...` is replaced by the lines of the output that are most like it.
"""

import concurrent.futures
import difflib
import os
import re
import subprocess
import sys
import tempfile

LEFT_OUT = "..."
NOT_RUN = "# not run by the tests: "
# Seconds that a command may take, also on a busy machine.
LIMIT_S = 120
# Lines of a difference that are printed.
DIFFERENCES = 60
# Folders of the source that examples name.
SHARED = ("boards", "examples", "models", "tests", "lib")


def pages_of(source):
    done = subprocess.run(["git", "ls-files", "*.md"], cwd=source, text=True,
                          capture_output=True, check=True)
    return [x for x in done.stdout.split("\n") if x]


def blocks_of(lines):
    """(first, last, kind) of each fenced block: the lines between its fences."""
    at = None
    for i, line in enumerate(lines):
        m = re.match(r"```(\w*)$", line)
        if not m:
            continue
        if at is None:
            at = (i + 1, m.group(1))
        else:
            yield at[0], i, at[1]
            at = None


def commands_of(lines):
    """(lines of the command, what it prints) of each command of a block."""
    steps, more = [], False
    for line in lines:
        if more or (steps and not steps[-1][1] and line.startswith("> ")):
            steps[-1][0].append(line)
        elif line.startswith("$ "):
            steps.append(([line], []))
        elif not steps:
            return None
        else:
            steps[-1][1].append(line)
            continue
        more = line.endswith("\\")
    return steps


def command_of(lines):
    return "\n".join(x[2:] if x.startswith(("$ ", "> ")) else x for x in lines)


def run(command, folder, path):
    try:
        done = subprocess.run(
            ["sh", "-c", command], cwd=folder, text=True, timeout=LIMIT_S,
            stdin=subprocess.DEVNULL, capture_output=True, errors="replace",
            env={**os.environ, "PATH": path + ":" + os.environ["PATH"],
                 "LC_ALL": "C.UTF-8", "COLUMNS": "80"})
    except subprocess.TimeoutExpired:
        return ["(longer than %d s)" % LIMIT_S]
    text = done.stdout
    if done.returncode:
        text += done.stderr + "(exit status %d)\n" % done.returncode
    return [x.rstrip() for x in text.splitlines()]


def parts_of(lines):
    """The runs of lines between lines that stand for any."""
    parts = [[]]
    for line in lines:
        if line == LEFT_OUT:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def agrees(shown, got):
    parts = parts_of(shown)
    if len(parts) == 1:
        return shown == got
    first, last = parts[0], parts[-1]
    if got[:len(first)] != first or len(first) + len(last) > len(got):
        return False
    end = len(got) - len(last)
    if got[end:] != last:
        return False
    at = len(first)
    for part in parts[1:-1]:
        while at + len(part) <= end and got[at:at + len(part)] != part:
            at += 1
        if at + len(part) > end:
            return False
        at += len(part)
    return True


def likeness(a, b):
    """Of two lists of lines. Equal first words count most: they name what a line is."""
    return sum(difflib.SequenceMatcher(None, x, y).ratio() +
               len(os.path.commonprefix([x.split(), y.split()]))
               for x, y in zip(a, b))


def rewritten(shown, got):
    """What a page shows of this output, with the lines left out that it leaves out."""
    parts = parts_of(shown)
    if len(parts) == 1:
        return got
    new, at = [], 0
    for i, part in enumerate(parts):
        if i:
            new.append(LEFT_OUT)
        if not part:
            continue
        places = range(at, max(at, len(got) - len(part)) + 1)
        if i == 0:
            places = [0]
        elif i == len(parts) - 1:
            places = [max(at, len(got) - len(part))]
        best = max(places, key=lambda p: likeness(part, got[p:p + len(part)]))
        new += got[best:best + len(part)]
        at = best + len(part)
    return new


def stray(lines):
    """Lines of commands in code that is not run."""
    fenced, wrong = set(), []
    for first, last, kind in blocks_of(lines):
        fenced.update(range(first - 1, last + 1))
        if kind != "console":
            wrong += [i for i in range(first, last) if lines[i].startswith("$ ")]
    return sorted(wrong + [i for i, line in enumerate(lines)
                           if i not in fenced and line.startswith("    $ ")])


class Page:
    def __init__(self, source, name):
        self.name, self.path = name, os.path.join(source, name)
        with open(self.path, encoding="utf-8") as f:
            self.lines = f.read().split("\n")
        self.n, self.left, self.report = 0, 0, []

    def complain(self, line, text):
        self.report.append("FAIL: %s:%d: %s" % (self.name, line + 1, text))

    def run(self, source, anechoic, write):
        for i in stray(self.lines):
            self.complain(i, "a command in code that is no block of kind 'console'")
        with tempfile.TemporaryDirectory() as folder:
            for name in SHARED:
                os.symlink(os.path.join(source, name), os.path.join(folder, name))
            os.makedirs(os.path.join(folder, "build/bin"))
            os.symlink(anechoic, os.path.join(folder, "build/bin/anechoic"))
            blocks = [x for x in blocks_of(self.lines) if x[2] == "console"]
            new = {}
            for first, last, _ in blocks:
                text = self.block(first, last, folder, os.path.dirname(anechoic))
                if text:
                    new[first, last] = text
        if write:
            for first, last in sorted(new, reverse=True):
                self.lines[first:last] = new[first, last]
            if new:
                with open(self.path, "w", encoding="utf-8") as f:
                    f.write("\n".join(self.lines))

    def block(self, first, last, folder, path):
        """Runs a block. Its lines as they should be, if they are not so."""
        lines = self.lines[first:last]
        if lines and lines[0].startswith(NOT_RUN):
            self.left += 1
            return None
        steps = commands_of(lines)
        if not steps:
            self.complain(first, "a block of kind 'console' begins with a command: $ ...")
            return None
        new, same = [], True
        for typed, shown in steps:
            command = command_of(typed)
            got = run(command, folder, path)
            self.n += 1
            new += typed
            if agrees(shown, got):
                new += shown
                continue
            same = False
            self.complain(first, "another output of: %s" % command)
            differ = ["  " + x for x in difflib.unified_diff(
                shown, got, "the page", "the program", lineterm="")]
            self.report += differ[:DIFFERENCES]
            new += rewritten(shown, got)
        return None if same else new


def main():
    arguments = sys.argv[1:]
    write = arguments[0] == "--write"
    if write:
        del arguments[0]
    anechoic, source = (os.path.realpath(x) for x in arguments[:2])
    pages = [Page(source, x) for x in arguments[2:] or pages_of(source)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda page: page.run(source, anechoic, write), pages))
    for page in pages:
        for line in page.report:
            print(line)
    n = sum(page.n for page in pages)
    print("%d commands of %d pages%s; %d blocks are not run" %
          (n, sum(page.n > 0 for page in pages), ", written" if write else "",
           sum(page.left for page in pages)))
    if not arguments[2:] and n < 3:
        print("FAIL: too few commands were found")
        sys.exit(1)
    sys.exit(not write and any(page.report for page in pages))


main()
