"""docs.py ANECHOIC SOURCE: command lines of the documents.

Each `anechoic COMMAND` in code of a Markdown file is a command, and it has the
options that are named there.
"""

import os
import re
import subprocess
import sys

CODE = re.compile(r"^    .*$|^\$ .*$|`[^`]+`", re.M)
# Where a command begins; elsewhere `anechoic` is an argument.
LINE = re.compile(r"(?:^ *(?:\$ )?|`|[|;&] )(?:build/bin/)?anechoic ([a-z]+)(?=\s|`|$)"
                  r"([^`\n|>;#]*)")
OPTION = re.compile(r"(?<!\S)\[?(--?[a-zA-Z][a-zA-Z0-9-]*)")


def files_of(source):
    for at, folders, files in os.walk(source):
        folders[:] = [x for x in folders
                      if x not in ("build", "out", ".git")]
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.join(at, name)


class Help:
    def __init__(self, anechoic):
        self.anechoic, self.known = anechoic, {}

    def options(self, command):
        """Of a command; None: there is no such command."""
        if command not in self.known:
            done = subprocess.run([self.anechoic, "help", command], text=True,
                                  capture_output=True)
            self.known[command] = None if done.returncode else set(
                OPTION.findall(done.stdout)) | {"--help"}
        return self.known[command]


def mistakes(text, help_of):
    """Pairs of a line and what is wrong there, and how many were read."""
    # A continued line; code keeps its number of characters.
    text = text.replace("\\\n", "  ")
    wrong, n = [], 0
    for code in CODE.finditer(text):
        for m in LINE.finditer(code.group()):
            line = text.count("\n", 0, code.start()) + 1
            command, rest = m.groups()
            options = help_of.options(command)
            n += 1
            if options is None:
                wrong.append((line, "no command '%s'" % command))
                continue
            # Another program's command line may be an argument.
            rest = re.sub(r"'[^'\n]*'", "''", rest)
            for word in OPTION.findall(rest.split(" -- ")[0]):
                if word not in options:
                    wrong.append((line, "%s has no %s" % (command, word)))
    return wrong, n


def main():
    help_of = Help(sys.argv[1])
    n = failed = 0
    for path in files_of(sys.argv[2]):
        with open(path, encoding="utf-8") as f:
            wrong, more = mistakes(f.read(), help_of)
        n += more
        for line, what in wrong:
            print("FAIL: %s:%d: %s" % (path, line, what))
            failed += 1
    if n < 100:
        print("FAIL: only %d command lines were found" % n)
        failed += 1
    print("%d command lines, %d failed" % (n, failed))
    sys.exit(failed > 0)


main()
