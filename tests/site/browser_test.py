"""Sites in a real browser: browser_test.py ANECHOIC CORE [PICTURES]

Search, sort, filters, links into a state, the back button, pages of forms and
comparisons, dark and narrow; no network, no complaint of the console.  77
without Chromium.
"""

import os
import re
import sys
import tempfile

from browser import Browser, find
from make import HOSTILE, Maker

passed = 0


def check(good, what):
    global passed
    if not good:
        print("FAIL: " + what)
        sys.exit(1)
    passed += 1


NAMES = ("return [...document.querySelectorAll('#rows th a')]"
         ".map(a => a.textContent)")
COUNT = "return document.getElementById('count').textContent"
SET = ("const s = document.getElementById(arguments[0]); s.value = "
       "arguments[1]; s.dispatchEvent(new Event('change', {bubbles: true}));"
       "return s.value")


def table(b, url):
    b.open(url)
    b.wait("return document.querySelectorAll('#rows tr').length > 20",
           "the table")
    every = b.js(COUNT)
    check("/x86_64/" in b.js("return document.querySelector('#rows a').href"),
          "forms of the first core come first")
    b.type("#q", "imul64rr")
    check(b.js(NAMES)[0].startswith("IMUL64rr"), "search by name")
    check("#q=imul64rr" in b.js("return location.href"), "state in the URL")
    b.back()
    check(b.js(COUNT) == every, "the back button")
    b.type("#q", "addq %rcx")
    check("ADD64rr" in b.js(NAMES), "search in the assembly")
    b.click("#reset")
    check(b.js(COUNT) == every and b.js("return q.value") == "", "reset")
    got = b.js(SET, "width", "512")
    check(got == "512" and b.js(NAMES), "the filter of widths")
    for word in ("mask", "memory", "immediate", "register"):
        b.click("#reset")
        check(b.js(SET, "kind", word) == word and b.js(NAMES),
              "the filter of operands: " + word)
    check(b.js(SET, "ext", "avx512f") == "avx512f" and b.js(NAMES),
          "the filter of extensions")
    b.click("#reset")
    check(b.js(SET, "isa", "riscv64") == "riscv64" and
          "ADDI" in b.js(NAMES) and "ADD64rr" not in b.js(NAMES),
          "the filter of instruction sets")
    b.click("#reset")
    sorts = "document.querySelectorAll('#head [data-sort]')"
    b.type("#q", "add64r")
    few = sorted(b.js(NAMES))
    for i in range(b.js("return %s.length" % sorts)):
        b.js("%s[%d].click()" % (sorts, i))
        check(b.js("return %s[%d].closest('th').getAttribute('aria-sort')" %
                   (sorts, i)) == "ascending" and
              sorted(b.js(NAMES)) == few, "sort by column %d: %s, %s" % (
                  i, few, sorted(b.js(NAMES))))
    b.click("#reset")
    for word in b.js("return [...document.querySelectorAll("
                     "'#verdict option')].map(o => o.value)")[1:]:
        b.js(SET, "verdict", word)
        check(b.js(NAMES), "the filter of verdicts: " + word)
    b.click("#reset")
    measured = b.js("return DATA.cores[0].id")
    b.js(SET, "core", measured)
    few = b.js(COUNT)
    check(few != every, "the filter of cores")
    b.js("document.querySelector('[data-sort=\"t@%s\"]').click()" % measured)
    b.js("document.querySelector('[data-sort=\"t@%s\"]').click()" % measured)
    check(b.js("return document.querySelector('[aria-sort=descending]')"
               ".textContent").startswith("Throughput"), "sort by a column")
    cells = b.js("return rows.querySelectorAll('tr')[0].textContent + "
                 "rows.querySelectorAll('tr')[1].textContent")
    check("DIV" in cells.upper(), "the slowest first: " + cells)
    link = b.js("return location.href")
    names = b.js(NAMES)
    b.open("about:blank")
    b.open(link)
    b.wait("return document.querySelectorAll('#rows tr').length > 5", "rows")
    check(b.js(NAMES) == names and b.js(COUNT) == few, "a link to a state")
    before = b.js("return head.querySelectorAll('th').length")
    b.js("document.querySelector('#columns input[value=ext]').click()")
    check(b.js("return head.querySelectorAll('th').length") > before,
          "a column more")
    b.js("document.querySelector('#cores input').click()")
    check("cores=" in b.js("return location.href"), "a core less")
    b.open(url)
    b.wait("return document.querySelectorAll('#rows tr').length > 20", "rows")
    b.js("document.getElementById('scroll').scrollTop = 1e6; "
         "window.scrollTo(0, 1e6)")
    b.wait("return document.querySelectorAll('#rows tr').length > 100",
           "more rows at the end")
    b.js("document.activeElement.blur(); document.dispatchEvent(new "
         "KeyboardEvent('keydown', {key: '/', bubbles: true}))")
    check(b.js("return document.activeElement.id") == "q", "the key /")


SEARCH = ("const q = document.getElementById('q'); q.value = arguments[0];"
          "q.dispatchEvent(new Event('input', {bubbles: true}));")
MEANT = ("return [...document.querySelectorAll('#count button')]"
         ".map(b => b.textContent)")


def searches(b, url):
    """What people type finds what they mean, as in the program."""
    b.open(url)
    b.wait("return document.querySelectorAll('#rows tr').length > 20",
           "the table")
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "searches.h")) as f:
        rows = re.findall(r'\{ "([^"]*)", "([^"]*)" \}', f.read())
    there = set(b.js("return DATA.n"))
    rows = [r for r in rows if r[1] in there]
    check(len(rows) >= 15, "searches of forms that the site has: %s" % rows)
    for text, name in rows:
        b.js(SEARCH, text)
        got = b.js(NAMES)
        check(got[:1] == [name], "'%s' finds %s, not %s" % (
            text, got[:3], name))
    for text, near in (("vpremd", "vpermd"), ("ad64rr", "add64rr"),
                       ("vpermd xmm5 imm", "vpermd")):
        b.js(SEARCH, text)
        got = b.js(MEANT)
        check(not b.js(NAMES) and near in got, "'%s' suggests %s" % (
            text, got))
    b.click("#count button")
    check(b.js("return q.value") == "vpermd" and b.js(NAMES),
          "a suggestion is a search")
    b.js(SEARCH, "xyzxyzxyz")
    check(not b.js(MEANT), "nothing is near")
    for text in "((((", "[", "{{{", "%", "add (", "st(", "<b>", "\\", "|":
        b.js(SEARCH, text)
    b.js(SEARCH, "")


# Texts of pictures that do not fit into their picture.
CUT = """
return [...document.querySelectorAll('svg text')].filter(t => {
	const x = t.getBBox(), room = t.ownerSVGElement.viewBox.baseVal;
	return x.x < -1 || x.x + x.width > room.width + 1;
}).map(t => t.textContent)"""


# Parts of a page that are outside of it, or of a box that would scroll.
OUTSIDE = """
return [...document.querySelectorAll('main, main *')].filter(x =>
	x.getBoundingClientRect().right > innerWidth + 1 ||
	(getComputedStyle(x).overflowX != 'visible' &&
	 x.scrollWidth > x.clientWidth + 1)).map(x => x.tagName)"""


def printable(b, page):
    """On paper nothing can be scrolled into sight."""
    b.look(720, 1000)
    b.cdp("Emulation.setEmulatedMedia", media="print")
    wide = b.js(OUTSIDE)
    check(not wide, "%s: wider than paper: %s" % (page, wide[:5]))
    b.look(1280, 900)


def accessible(b, page):
    """What a screen reader needs, and one heading for the page."""
    for table in b.js("return [...document.querySelectorAll('table')].map("
                      "t => [!!t.caption, !!t.querySelector('[scope]')])"):
        check(all(table), page + ": tables have a caption and scopes")
    for svg in b.js("return [...document.querySelectorAll('svg')].map("
                    "s => s.getAttribute('aria-label') || "
                    "s.getAttribute('aria-hidden') || '')"):
        check(svg, page + ": pictures have a label")
    check(not b.js(CUT), page + ": cut off: %s" % b.js(CUT))
    check(b.js("return document.querySelectorAll('h1').length") == 1 and
          b.js("return document.documentElement.lang") == "en" and
          b.js("return !!document.querySelector('main')"), page)
    check(not b.js("const seen = new Set(); return [...document"
                   ".querySelectorAll('[id]')].filter(x => seen.has(x.id) || "
                   "!seen.add(x.id)).map(x => x.id)"),
          page + ": names are unique")


TAB, ENTER = "\ue004", "\ue007"


def keyboard(b, site):
    """From key to key: the first stop skips to the content, headings sort."""
    focus = "return document.activeElement."
    b.open(site + "/form/x86_64/ADD64rr.html")
    b.type("body", TAB)
    check(b.js(focus + "className") == "skip", "the first stop")
    b.open(site + "/index.html")
    b.wait("return document.querySelector('#rows a')", "rows")
    b.js("document.querySelector('#head button').focus()")
    b.type("#head button", ENTER)
    check(b.js("return !!document.querySelector('[aria-sort=ascending]')"),
          "a heading sorts by the key Enter")
    check(b.js(focus + "tagName") == "BUTTON", "and keeps the focus")


def pages(b, site, cores):
    b.open(site + "/index.html#q=add64rr")
    b.wait("return document.querySelector('#rows a')", "a row")
    b.click("#rows a")
    check(b.js("return document.querySelector('h1').textContent")
          .startswith("ADD64rr"), "from the table to a form")
    check(b.js("return document.querySelectorAll('.heat td').length") > 2,
          "the matrix")
    colour = "return getComputedStyle(document.querySelector('.heat td[class" \
        "^=h]')).backgroundColor"
    light = b.js(colour)
    b.look(1280, 900, dark=True)
    check(b.js(colour) != light, "dark")
    b.look(1280, 900)
    for page in ("form/x86_64/ADD64rr.html", "compare/all-1.html",
                 "cores.html", "list.html", *cores):
        b.open("%s/%s" % (site, page))
        accessible(b, page)
        printable(b, page)
    b.click(".home")
    b.wait("return document.querySelector('#rows a')", "the table again")
    b.open(site + "/cores.html")
    b.click("main ul a")
    check(b.js("return document.querySelectorAll('circle.dot').length") > 3,
          "a comparison")
    check(b.js("return document.querySelectorAll('tbody tr').length") > 3,
          "what differs")


# The rightmost edge of the words of captions.
CAPTIONS = """
return Math.max(0, ...[...document.querySelectorAll('caption')].map(c => {
	const range = document.createRange();
	range.selectNodeContents(c);
	return range.getBoundingClientRect().right;
}))"""


def narrow(b, site, core):
    b.look(320, 640)
    for page in ("index.html", "cores.html", "compare/1-2.html",
                 "form/x86_64/ADD64rr.html", "core/%s.html" % core):
        b.open("%s/%s" % (site, page))
        check(b.js("return document.documentElement.scrollWidth") <= 320,
              "320 pixels are enough: " + page)
        check(b.js("return [...document.querySelectorAll('.ports svg')].every("
                   "x => x.getBoundingClientRect().right <= 320)"),
              "ports beyond the edge: " + page)
        check(b.js(CAPTIONS) <= 320, "captions that need scrolling: " + page)
    b.look(1280, 900)


def hostile(b, site):
    b.open(site + "/index.html")
    b.wait("return document.querySelector('#rows a')", "rows")
    b.type("#q", "img src")
    check(b.js(NAMES) == [HOSTILE], "a hostile name is text")
    b.click("#rows a")
    check(b.js("return document.querySelector('h1').textContent") == HOSTILE,
          "its page")
    check(b.js("return document.images.length") == 0 and
          "bad" != b.js("return document.title"), "no element of it")


def few(b, site):
    """Of a site with few forms, too, those that programs use come first, even
    where their places are beyond the number of forms; the last one is found."""
    b.open(site + "/index.html")
    b.wait("return document.querySelector('#rows a')", "rows")
    b.js(SEARCH, "rr")
    got = b.js(NAMES)
    check(got.index("XCHG64rr") < got.index("VADDPSYrr"),
          "forms in use first: %s" % got)
    last = b.js("return DATA.n[DATA.n.length - 1]")
    b.js(SEARCH, last)
    check(last in b.js(NAMES), "the last form: %s" % b.js(NAMES)[:3])


LOOP = """.L1:
	vmovupd (%rsi,%rax,8), %ymm1
	vfmadd231pd (%rdi,%rax,8), %ymm1, %ymm0
	addq $4, %rax
	cmpq %rdx, %rax
	jb .L1
"""


def loop(b, m):
    with open(m.path("loop.s"), "w") as f:
        f.write(LOOP)
    m.run("predict", "--cpu", "haswell", "--isa", "x86_64", "--format",
          "html", "--with", "sky.json", "--with", "cpu:znver4", "-o",
          "loop.html", "loop.s")
    b.open("file://" + m.path("loop.html"))
    check(b.js("return document.querySelectorAll('h2').length") == 4,
          "parts of a loop's page")
    heads = b.js("return [...document.querySelectorAll('table')].map(t => "
                 "[...t.rows[0].cells].map(c => c.textContent).join(' '))")
    check(" haswell skylake znver4" in heads, "cores side by side: %s" % heads)
    check("commit" in b.js("return document.querySelector('footer')"
                           ".textContent"), "the version of a loop's page")
    check(b.js("return document.scripts.length") == 0, "no script")
    for css in ("path.carried", "path.critical", "rect.run", "td .bar"):
        check(b.js("return document.querySelectorAll(arguments[0]).length",
                   css), "a loop's page has " + css)
    accessible(b, "loop.html")
    printable(b, "loop.html")
    rows = b.js("return [...document.querySelectorAll('table')].pop()"
                ".rows.length")
    check(rows == LOOP.count("\n") - 1, "what if, without the branch")
    b.look(320, 640)
    check(b.js("return document.documentElement.scrollWidth") <= 320,
          "320 pixels are enough for a loop")
    b.look(1280, 900)
    # The axis of its timeline ends with a number.
    with open(m.path("short.s"), "w") as f:
        f.write(".L1:\n\tdecq %rcx\n\tjne .L1\n")
    m.run("predict", "--cpu", "haswell", "--isa", "x86_64", "--format",
          "html", "--timeline", "--iterations", "8", "-o", "short.html",
          "short.s")
    b.open("file://" + m.path("short.html"))
    accessible(b, "short.html")


def pictures(b, site, folder):
    for name, page in (("table", "index.html"),
                       ("form", "form/x86_64/ADD64rr.html"),
                       ("compare", "compare/1-2.html")):
        for width in (320, 1280):
            for dark in (False, True):
                b.look(width, 900, dark)
                b.open("%s/%s" % (site, page))
                b.picture(os.path.join(folder, "%s-%d-%s.png" % (
                    name, width, "dark" if dark else "light")))


def main():
    if not find():
        print("SKIP: no chromium and chromedriver")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        m = Maker(sys.argv[1], sys.argv[2], folder)
        m.measured("a.db")
        m.model("sky.json", "a.db", "skylake")
        m.hostile("evil.db", "a.db")
        m.run("export", "--cpu", "haswell", "--isa", "x86_64", "--format",
              "model", "-o", "haswell.json")
        m.run("export", "--cpu", "sifive-u74", "--isa", "riscv64",
              "--format", "model", "-o", "u74.json")
        m.run("site", "-o", "site", "a.db", "sky.json", "haswell.json",
              "u74.json")
        m.run("site", "-o", "evil", "evil.db", "a.db")
        site = "file://" + m.path("site")
        b = Browser(folder)
        try:
            b.look(1280, 900)
            b.complaints()
            table(b, site + "/index.html")
            searches(b, site + "/index.html")
            pages(b, site, ["core/" + x for x in
                            os.listdir(m.path("site/core"))])
            keyboard(b, site)
            core = [x[:-5] for x in os.listdir(m.path("site/core"))
                    if x.startswith("any")][0]
            narrow(b, site, core)
            hostile(b, "file://" + m.path("evil"))
            few(b, "file://" + m.path("evil"))
            loop(b, m)
            said = b.complaints()
            check(not said, "complaints: %s" % said[:3])
            if len(sys.argv) > 3:
                pictures(b, site, sys.argv[3])
        finally:
            b.close()
    print("%d passed, 0 failed" % passed)


main()
