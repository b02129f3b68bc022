"""thresholds.py SOURCE [print]: the numbers that decide what a value is.

thresholds.txt lists them, each with its reason. Each `const double NAME = NUMBER` of
FOLDERS has a row there, and each row names what is in its
file. `print` prints the list as a page, with the values of the code.
"""

import glob
import os
import re
import sys

FOLDERS = ("host/solve", "host/effect", "host/ports", "host/structures", "target/core", "common")
KINDS = ("law", "listed", "size")
ROW = re.compile(r"([a-z_/]+\.[ch]) ([^|=]+?)(?: = ([^|]+?))? \| (\w+) \| (.*?) \|(.*)")
DECLARED = re.compile(r"^[ \t]*(?:static )?const double ([^;(]+);", re.M)
PART = re.compile(r"([a-z_]+) = ([0-9.][0-9.e-]*)\s*$")


def texts_of(source):
    """The text of each file, by its name below the folder."""
    texts = {}
    for folder in FOLDERS:
        for at in glob.glob(os.path.join(source, folder, "**/*.[ch]"), recursive=True):
            with open(at, encoding="utf-8") as f:
                name = os.path.relpath(at, os.path.join(source, folder))
                texts[name] = texts.get(name, "") + f.read()
    return texts


def constants_of(texts):
    """(file, name) of each constant of type double."""
    for name, text in texts.items():
        for m in DECLARED.finditer(text):
            for part in re.split(r",\s*", m.group(1)):
                one = PART.match(part.strip())
                if one:
                    yield name, one.group(1)


def value_of(text, name):
    """The number that the code gives the name."""
    m = re.search(r"(?:\b%s\s*=\s*|#define\s+%s\s+)(\d[\d.]*(?:e-?\d+)?)(?=\s*[,;}/\n])"
                  % (name, name), text)
    return m and m.group(1)


class Table:
    def __init__(self, source):
        self.texts, self.failed, self.rows, self.lines = texts_of(source), [], set(), []
        with open(os.path.join(source, "tests/lint/thresholds.txt"),
                  encoding="utf-8") as f:
            for n, line in enumerate(f, 1):
                self.line(n, line.rstrip("\n"))

    def complain(self, n, text):
        self.failed.append("tests/lint/thresholds.txt:%d: %s" % (n, text))

    def line(self, n, line):
        if line.startswith("## "):
            self.lines += ["", line, "", "| file and name | value | kind | reason | "
                           "where it is wrong |", "|---|---|---|---|---|"]
        if not line or line.startswith("#"):
            return
        m = ROW.fullmatch(line)
        if not m or m.group(4) not in KINDS:
            self.complain(n, "FILE NAME [= VALUE] | %s | REASON | WHERE IT IS WRONG"
                          % " or ".join(KINDS))
            return
        name, what, given, kind, reason, wrong = m.groups()
        if not reason:
            self.complain(n, "a reason")
        text = self.texts.get(name)
        if text is None:
            self.complain(n, "there is no %s in %s" % (name, ", ".join(FOLDERS)))
            return
        if re.fullmatch(r"\w+", what):
            if not re.search(r"\b%s\b" % what, text):
                self.complain(n, "%s is not in %s" % (what, name))
            found = value_of(text, what)
            if not given and not found:
                self.complain(n, "%s has no number of %s: give its value here"
                              % (name, what))
            if given and given == found:
                self.complain(n, "the value is found in %s: leave it out" % name)
            if (name, what) in self.rows:
                self.complain(n, "%s of %s is there twice" % (what, name))
            self.rows.add((name, what))
        elif not given:
            self.complain(n, "a value")
        self.lines.append("| `%s` %s | %s | %s | %s | %s |" % (
            name, what, given or value_of(text, what), kind, reason, wrong.strip()))


def main():
    table = Table(sys.argv[1])
    if sys.argv[2:] == ["print"]:
        print("# Thresholds\n" + "\n".join(table.lines))
        return
    constants = list(constants_of(table.texts))
    # A pattern that matches nothing would pass, too.
    if len(constants) < 20 or len(table.rows) < 100:
        table.failed.append("only %d constants and %d rows were found"
                            % (len(constants), len(table.rows)))
    for name, what in sorted(set(constants) - table.rows):
        table.failed.append("tests/lint/thresholds.txt: a row for %s %s" % (name, what))
    for line in table.failed:
        print("FAIL: " + line)
    sys.exit(len(table.failed) > 0)


main()
