"""links.py [--update] SOURCE: links between pages, and their length.

Each link of a Markdown page to a file or a heading leads somewhere, and so does each name
of a page (`docs/...md`) in any other file. A page has 150 lines at most, except those that
long.txt lists. No page may be added to the list; --update leaves out those that became
short enough.
"""

import os
import re
import subprocess
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
NAMED = re.compile(r"(?<![\w/.-])(?:docs|host|tests|models|examples)/"
                   r"[\w/-]+\.md(?:#[\w-]+)?")
LONGEST = 150
# Made from the code, or a record of what happened.
FREE = ("CHANGELOG.md", "docs/verdicts.md")


def files_of(source):
    done = subprocess.run(["git", "ls-files", "--cached", "--others",
                           "--exclude-standard"],
                          cwd=source, text=True, capture_output=True, check=True)
    return [x for x in done.stdout.split("\n")
            if x and os.path.isfile(os.path.join(source, x))]


def read(source, name):
    with open(os.path.join(source, name), encoding="utf-8", errors="replace") as f:
        return f.read()


def code_left_out(text):
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.sub(r"^    .*$", "", text, flags=re.M)


def anchors(text):
    """As GitHub makes them of headings: of equal ones the later have a number."""
    found, n = set(), {}
    for heading in re.findall(r"^#+ +(.*?)\s*$", code_left_out(text), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(slug if slug not in n else "%s-%d" % (slug, n[slug]))
        n[slug] = n.get(slug, 0) + 1
    return found


class Tree:
    def __init__(self, source):
        self.source, self.files, self.known = source, files_of(source), {}

    def wrong(self, page, anchor):
        """What is wrong with a link to this file of the tree, if anything."""
        if not os.path.exists(os.path.join(self.source, page)):
            return "there is no " + page
        if not anchor or not page.endswith(".md"):
            return None
        if page not in self.known:
            self.known[page] = anchors(read(self.source, page))
        return None if anchor in self.known[page] else \
            "%s has no heading #%s" % (page, anchor)


def links_of(page, text):
    """(position, file, anchor) of each link of a page to a file of the tree."""
    for m in LINK.finditer(text):
        target = m.group(1)
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) \
            if path else page
        yield m.start(), path, anchor


def broken(tree):
    n, wrong = 0, []
    for name in tree.files:
        if not re.search(r"\.(md|[chS]|cpp|sql|sh|py|cfg|conf|cmake|txt|core)$", name):
            continue
        text = read(tree.source, name)
        if name.endswith(".md"):
            links = list(links_of(name, text))
        else:
            links = [(m.start(), *m.group().partition("#")[::2])
                     for m in NAMED.finditer(text)]
        n += len(links)
        for at, page, anchor in links:
            why = tree.wrong(page, anchor)
            if why:
                wrong.append("%s:%d: %s" % (name, text.count("\n", 0, at) + 1, why))
    # A pattern that matches nothing would pass, too.
    if n < 200:
        wrong.append("only %d links were found" % n)
    return n, wrong


def long_pages(tree):
    return {x: n for x in tree.files if x.endswith(".md") and x not in FREE
            for n in [read(tree.source, x).count("\n")] if n > LONGEST}


def main():
    update = sys.argv[1] == "--update"
    tree = Tree(sys.argv[1 + update])
    at = os.path.join(tree.source, "tests/docs/long.txt")
    with open(at, encoding="utf-8") as f:
        listed = f.read().split()
    now = long_pages(tree)
    if update:
        listed = [x for x in listed if x in now]
        with open(at, "w", encoding="utf-8") as f:
            f.write("".join(x + "\n" for x in listed))
    n, wrong = broken(tree)
    wrong += ["%s: %d lines, and a page has %d at most" % (k, v, LONGEST)
              for k, v in now.items() if k not in listed]
    wrong += ["tests/docs/long.txt: %s is short enough: links.py --update" % x
              for x in listed if x not in now]
    for line in wrong:
        print("FAIL: " + line)
    size = sum(os.path.getsize(os.path.join(tree.source, x)) for x in tree.files
               if x.startswith("docs/") and x.endswith(".md"))
    print("%d links; %d pages of more than %d lines; docs/ has %.1f KB" %
          (n, len(now), LONGEST, size / 1024))
    sys.exit(len(wrong) > 0)


main()
