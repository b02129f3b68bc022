"""Sites as folders: folder.py ANECHOIC CORE

What is written, what is refused, and that nothing is left half-written.
"""

import csv
import html.parser
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

from make import HOSTILE, Maker

passed = 0


def check(good, what):
    global passed
    if not good:
        print("FAIL: " + what)
        sys.exit(1)
    passed += 1


class Page(html.parser.HTMLParser):
    """Tags that are open, links, and whether all is closed in order."""
    VOID = {"meta", "link", "input", "br", "img", "path", "rect", "circle"}

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.links, self.tags = [], [], [], set()
        self.feed(text)
        self.wrong += self.open

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for key, value in attrs:
            if key in ("href", "src"):
                self.links.append(value)
            if key.startswith("on") and value != "return false":
                self.wrong.append(key)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in ("path", "rect", "circle"):
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append("/" + tag)


def files_of(folder):
    return sorted(os.path.join(at, f) for at, _, files in os.walk(folder)
                  for f in files)


def read_pages(folder):
    """All pages are well formed, and all their links lead to a file."""
    from urllib.parse import unquote
    n = 0
    for path in files_of(folder):
        if not path.endswith(".html"):
            continue
        with open(path, encoding="utf-8") as f:
            text = f.read()
        page = Page(text)
        check(not page.wrong, "%s: %s" % (path, page.wrong[:3]))
        check("img" not in page.tags, path + ": an element of the database")
        check("<h1>" in text and 'lang="en"' in text, path + ": a heading")
        for link in page.links:
            if link.startswith(("#", "data:")):
                continue
            check("//" not in link, path + ": leads away: " + link)
            to = os.path.join(os.path.dirname(path),
                              unquote(link.split("#")[0]))
            check(os.path.exists(to), "%s: no file %s" % (path, link))
        n += 1
    return n


def values(m):
    """A form's page has what the export has, with verdicts."""
    m.run("export", "--db", "a.db", "--format", "csv", "-o", "a.csv")
    with open(m.path("a.csv")) as f:
        want = [r for r in csv.DictReader(f) if r["form"] == "ADD64rr"]
    base = m.path("site/form/x86_64/ADD64rr")
    with open(base + ".csv") as f:
        got = [r for r in csv.DictReader(f) if r["core"] != "skylake"]
    check(len(want) > 3, "values of ADD64rr")
    for key in ("kind", "source", "destination", "low_cycles", "high_cycles",
                "verdict", "visits"):
        check(sorted(r[key] for r in want) == sorted(r[key] for r in got),
              "ADD64rr.csv: " + key)
    with open(base + ".json") as f:
        data = json.load(f)
    mine = [c for c in data["cores"] if c["core"] != "skylake"][0]
    check(len(mine["values"]) == len(want), "ADD64rr.json")
    check(mine["ports"] != "", "ADD64rr has ports")
    with open(base + ".html") as f:
        text = f.read()
    for what in ("Latency in cycles", "<svg", "addq", "Slope", "Histogram of",
                 ". Core: ", ". System: ",
                 "anechoic measure --board fake", "skylake"):
        check(what in text, "ADD64rr.html: " + what)
    with open(m.path("site/form/x86_64/DIV64r.html")) as f:
        check("DIV64r/slow" in f.read(), "classes of values")


def forward(m):
    """A partner in forwarding: its page, the latencies of both, the rest."""
    m.forward("forward.db", "a.db")
    m.run("site", "-o", "forward", "forward.db")
    check(read_pages(m.path("forward")) > 20, "pages with a partner")
    with open(m.path("forward/form/x86_64/ADD64rr.html")) as f:
        text = f.read()
    check('<td class="pair">2 \u2192 0</td><th scope="row" class="pair">'
          '<a href="../../form/x86_64/SUB64rr.html">SUB64rr</a></th>'
          '<td class="pair">1 \u2192 0</td><td class="n">3</td>'
          '<td class="n">2</td><td class="n">+1</td>' in text,
          "a partner in forwarding")
    check('Written sources: 1 partners' in text and
          '<td class="pair">1 \u2192 0</td><td class="n">3</td>'
          '<td class="n">1</td><td class="n">+2</td>' in text,
          "a partner that writes")


def refused(m):
    def message(*words, code=2):
        return m.run("site", *words, code=code).stderr

    def clean():
        return not [x for x in os.listdir(m.folder) if "-new." in x]

    os.mkdir(m.path("other"))
    with open(m.path("other/mine"), "w") as f:
        f.write("kept")
    check("a folder with other files" in message("-o", "other", "a.db"),
          "another folder")
    check(os.listdir(m.path("other")) == ["mine"], "it stays as it is")
    check("is not a folder" in message("-o", "a.db", "a.db"), "a file")
    check("no file given" in message("-o", "x"), "an empty list")
    check("missing -o DIR" in message("a.db"), "no output")
    with open(m.path("bad.db"), "wb") as f:
        f.write(b"SQLite format 3\0" + b"\xff" * 4000)
    check("bad.db" in message("-o", "x", "bad.db"), "an unreadable database")
    check("none.db" in message("-o", "x", "none.db"), "a missing database")
    check("no-such" in message("-o", "no-such/x", "a.db", code=1),
          "a folder that is not there")
    check(not os.path.exists(m.path("x")) and clean(), "nothing is left")
    os.mkdir(m.path("empty"))
    m.run("site", "-o", "empty", "a.db")
    check(os.path.exists(m.path("empty/index.html")), "an empty folder")


LOOPS = "file,cpu,loop,measured,predicted,limit,llvm-mca\n"


def loops(m):
    """Measured loops are on their core's page, and on no other."""
    with open(m.path("site/form/x86_64/ADD64rr.json")) as f:
        cpu = [c["cpu"] for c in json.load(f)["cores"]
               if c["cpu"] != "skylake"][0]

    def write(*rows):
        with open(m.path("loops.csv"), "w") as f:
            f.write(LOOPS + "".join(rows))

    def site(code):
        return m.run("site", "-o", "looped", "--loops", "loops.csv", "a.db",
                     "sky.json", code=code).stderr

    mine = "/x/a.db," + cpu
    write(mine + ",one,2,3,ports,4\n", mine + ",two,10,10,,\n",
          mine + ',"%s",4,4.4,"%s",1\n' % ((HOSTILE.replace('"', '""'),) * 2),
          ",skylake,three,1,1,,\n")
    site(0)
    check(read_pages(m.path("looped")) > 20, "pages with loops")
    for name in os.listdir(m.path("looped/core")):
        with open(m.path("looped/core/" + name)) as f:
            text = f.read()
        mean = "20.0 %" if "skylake" not in name else "0.0 %"
        check(text.count(' expected</title></circle>') ==
              (3 if "skylake" not in name else 1), name + ": dots")
        check("anechoic</th><td class=\"n\">%d</td><td class=\"n\">%s" % (
            3 if "skylake" not in name else 1, mean) in text, name + ": mean")
        check(("llvm-mca</th><td class=\"n\">2</td><td class=\"n\">87.5 %"
               in text) == ("skylake" not in name), name + ": llvm-mca")
    for row, message in (
            ("b.db,%s,x,1,1,,\n" % cpu, "loops.csv:2: no core of this site"),
            (mine + ",x,1,none,,\n", "expected cycles such as 2.5"),
            (mine + ",x,nan,1,,\n", "expected cycles such as 2.5"),
            (mine + ",x,1,-1,,\n", "expected cycles such as 2.5"),
            (mine + ",x,1,1e300,,\n", "expected cycles such as 2.5"),
            (mine + ",x,1,,,\n", "expected cycles such as 2.5"),
            (mine + ",x,1,1\n", "the header has 7 fields, this line 5"),
            (mine + ',"x', "a closing quote")):
        write(row)
        check(message in site(2), "%s: %s" % (message, site(2)))
    with open(m.path("loops.csv"), "w") as f:
        f.write("file,loop\n")
    check("one column cpu" in site(2), "a column is missing")


def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


def whole_or_not(m):
    """A full disk and Ctrl-C leave the site that was there."""
    before = files_of(m.path("site"))
    done = m.run("site", "-o", "site", "a.db", code=1, preexec_fn=limit)
    check("cannot write site/" in done.stderr, "a full disk: " + done.stderr)
    check(files_of(m.path("site")) == before, "a full disk changes nothing")
    for wait in (0.02, 0.1, 0.3):
        p = subprocess.Popen([m.anechoic, "site", "-o", "site", "a.db",
                              "sky.json"], cwd=m.folder, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(wait)
        p.send_signal(signal.SIGINT)
        out, said = p.communicate()
        check(p.returncode in (0, 1, -signal.SIGINT),
              "Ctrl-C: exit %d %s" % (p.returncode, said))
        check(p.returncode == 0 or files_of(m.path("site")) == before,
              "Ctrl-C changes nothing")
        left = [x for x in os.listdir(m.folder) if "-new." in x]
        check(not left or p.returncode < 0, "Ctrl-C leaves %s" % left)
        if p.returncode == 0:
            m.run("site", "-o", "site", "a.db", "sky.json")


def there(m):
    """A folder that is there stays, as what it is."""
    os.mkdir(m.path("there"))
    before = os.stat(m.path("there"))
    for words in (["a.db"], ["a.db", "--title", "Again"]):
        m.run("site", "-o", "there", *words)
        check(os.stat(m.path("there")).st_ino == before.st_ino,
              "the folder is another one")
        check(read_pages(m.path("there")) > 20, "pages in a folder")
    os.mkdir(m.path("here"))
    done = subprocess.run([m.anechoic, "site", "-o", ".", "../a.db"],
                          cwd=m.path("here"), capture_output=True, text=True)
    check(done.returncode == 0, "site -o .: " + done.stderr)
    check(read_pages(m.path("here")) > 20, "pages in .")
    for folder in ("there", "here"):
        check(not [x for x in os.listdir(m.path(folder)) if "-new." in x],
              "a temporary folder is left in " + folder)


def kept(m):
    """Only what the mark lists is replaced or removed."""
    mark = m.path("kept/anechoic-site.txt")

    def put(name, text="mine"):
        os.makedirs(os.path.dirname(m.path(name)), exist_ok=True)
        with open(m.path(name), "w") as f:
            f.write(text)

    def site(*words, code=0):
        return m.run("site", "-o", "kept", "a.db", *words, code=code).stderr

    site("sky.json")
    with open(mark) as f:
        listed = f.read().split("\n")[1:-1]
    check(sorted(os.path.join(m.path("kept"), x) for x in listed) ==
          [x for x in files_of(m.path("kept")) if x != mark],
          "the mark lists all files")
    sky = [x for x in listed if x.startswith("core/") and "skylake" in x]
    check(len(sky) == 1, "a page of the second core")
    put("outside/f")
    own = ["kept/.git/config", "kept/CNAME", "kept/form/notes.txt",
           "kept/core/more/x.html", "outside/f"]
    for name in own:
        put(name)
    os.symlink("../outside", m.path("kept/away"))
    site("--title", "Another")
    check(all(os.path.exists(m.path(x)) for x in own), "other files stay")
    check(os.readlink(m.path("kept/away")) == "../outside", "a link stays")
    check(not os.path.exists(m.path("kept/" + sky[0])), "old pages go")
    with open(m.path("kept/index.html")) as f:
        check("Another" in f.read(), "pages are new")

    # Names that lead out of the folder.
    with open(mark) as f:
        text = f.read()
    for name in ("../outside/f", "/etc/passwd", "form/../../outside/f", "./x",
                 "form//x", "..", m.path("outside/f")):
        put("kept/anechoic-site.txt", text + name + "\n")
        check("which is no file of the folder" in site(code=2), name)
    put("kept/form/gone.html")
    os.symlink("../outside/f", m.path("kept/linked"))
    put("kept/anechoic-site.txt",
        text + "away/f\nform\ncore/more\nform/gone.html\nlinked\n")
    site()
    check(all(os.path.exists(m.path(x)) for x in own), "links lead nowhere")
    check(not os.path.exists(m.path("kept/form/gone.html")) and
          not os.path.lexists(m.path("kept/linked")), "what is listed goes")

    # What is in the way is not replaced.
    def in_the_way(what):
        before = files_of(m.path("kept"))
        check("is in the way" in site(code=2), what)
        check(files_of(m.path("kept")) == before, what + ": it stays")
        check(not [x for x in os.listdir(m.folder) if "-new." in x], what)

    put("kept/anechoic-site.txt", text.replace("cores.html\n", ""))
    in_the_way("a file that is not listed")
    put("kept/anechoic-site.txt", text.split("\n")[0] + "\n")
    in_the_way("a mark without a list")
    put("kept/anechoic-site.txt", text)
    os.rename(m.path("kept/form"), m.path("moved"))
    os.symlink("../moved", m.path("kept/form"))
    in_the_way("a link to a folder")
    os.unlink(mark)
    os.symlink("../outside/f", mark)
    check("cannot read kept/anechoic-site.txt" in site(code=2), "a linked mark")
    os.unlink(mark)
    os.mkfifo(mark)
    check("is not the list" in site(code=2), "a mark that is a pipe")
    os.unlink(mark)
    check("a folder with other files" in site(code=2), "no mark")
    check(all(os.path.exists(m.path(x.replace("kept/form", "moved")))
              for x in own), "nothing of others is gone")


def main():
    with tempfile.TemporaryDirectory() as folder:
        m = Maker(sys.argv[1], sys.argv[2], folder)
        m.measured("a.db")
        m.model("sky.json", "a.db", "skylake")
        m.hostile("evil.db", "a.db")
        m.run("site", "-o", "site", "--title", HOSTILE, "a.db", "sky.json")
        check(read_pages(m.path("site")) > 20, "pages")
        values(m)
        forward(m)
        m.run("site", "-o", "evil", "evil.db", "a.db")
        check(read_pages(m.path("evil")) > 20, "pages of a hostile database")
        m.two_cores("two.db")
        m.run("site", "-o", "two", "two.db")
        check(len(os.listdir(m.path("two/core"))) == 2,
              "a database of two cores")
        check(os.path.exists(m.path("two/compare/1-2.html")),
              "two cores are compared")
        loops(m)
        refused(m)
        whole_or_not(m)
        there(m)
        kept(m)
    print("%d passed, 0 failed" % passed)


main()
