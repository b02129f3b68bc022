"""terminal.py ANECHOIC SOURCE: what a terminal shows, and what a pipe receives."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

ANECHOIC, SOURCE = sys.argv[1:3]
ESCAPE = re.compile(r"\x1b\[[0-9;]*[mK]")
LOOP = """.L3:
\tvmovupd (%rsi,%rax), %ymm0
\tvfmadd213pd (%rdx,%rax), %ymm1, %ymm0
\tvmovupd %ymm0, (%rdi,%rax)
\taddq $32, %rax
\tcmpq %rax, %rcx
\tjne .L3
"""
WORK = tempfile.TemporaryDirectory()
DATABASE = os.path.join(WORK.name, "x.db")
LOOP_FILE = os.path.join(WORK.name, "loop.s")
MEASURE = ["measure", "--board", "fake", "--isa", "x86_64", "--core",
           os.path.join(SOURCE, "tests", "fake", "flags.core"), "--forms",
           "^(ADD|ADC)64rr$", "--db"]


def run_in_terminal(columns, *words, **environment):
    """Standard output and error of the program in a terminal, as one text."""
    main, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ,
                struct.pack("HHHH", 24, columns, 0, 0))
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    env.update({"TERM": "xterm"}, **environment)
    child = subprocess.Popen([ANECHOIC, *words], stdin=subprocess.DEVNULL,
                             stdout=terminal, stderr=terminal, env=env)
    os.close(terminal)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(main)
    if child.wait() != 0:
        raise AssertionError("%s: %s" % (words, shown.decode()))
    return shown.decode().replace("\r\n", "\n")


def run_in_pipe(*words):
    return subprocess.run([ANECHOIC, *words], check=True,
                          stdout=subprocess.PIPE).stdout.decode()


def widest(text):
    lines = re.split("[\r\n]", ESCAPE.sub("", text))
    return max(len(line) for line in lines)


def words_of(text):
    return ESCAPE.sub("", text).split()


def setUpModule():
    subprocess.run([ANECHOIC, *MEASURE, DATABASE], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(LOOP_FILE, "w") as f:
        f.write(LOOP)


class Terminal(unittest.TestCase):
    def test_lines_fit(self):
        for words in (("predict", "--cpu", "skylake", LOOP_FILE),
                      ("predict", "--model", "zen5-epyc-vm", LOOP_FILE),
                      ("show", "--db", DATABASE, "ADC64rr", "--all"),
                      ("shares", "--db", DATABASE),
                      ("model", "--db", DATABASE),
                      ("compare", DATABASE, DATABASE),
                      ("forms", "--isa", "x86_64", "--forms", "^ADC64m"),
                      ("doctor",), ("boards",), ("help",)):
            for columns in (80, 40):
                shown = run_in_terminal(columns, *words)
                self.assertLessEqual(widest(shown), columns, words)
            self.assertGreater(len(words_of(shown)), 10)

    def test_folding_loses_no_word(self):
        words = ("forms", "--isa", "x86_64", "--forms", "^ADC64m")
        self.assertEqual(words_of(run_in_terminal(80, *words)),
                         run_in_pipe(*words).split())

    def test_a_wide_table_is_two(self):
        words = ("predict", "--cpu", "skylake", LOOP_FILE)
        shown, piped = run_in_terminal(80, *words), run_in_pipe(*words)
        self.assertEqual(shown.count("   sum "), 2)
        self.assertEqual(piped.count("   sum "), 1)
        self.assertEqual(run_in_terminal(200, *words).count("   sum "), 1)
        # Each number of the one table is in one of the two.
        numbers = [sorted(re.findall(r"\d+\.\d+", text.split("cycles per")[0]))
                   for text in (shown, piped)]
        self.assertEqual(*numbers)

    def test_colours(self):
        words = ("show", "--db", DATABASE, "ADC64rr")
        shown = run_in_terminal(80, *words)
        self.assertIn("\x1b[32mok\x1b[0m", shown)
        self.assertRegex(shown, "\x1b\\[33m(helper|circle|throughput-bound)")
        self.assertEqual(words_of(shown), run_in_pipe(*words).split())

    def test_no_colours(self):
        words = ("show", "--db", DATABASE, "ADC64rr")
        self.assertNotIn("\x1b", run_in_terminal(80, *words, NO_COLOR="1"))
        self.assertNotIn("\x1b", run_in_terminal(80, *words, TERM="dumb"))
        self.assertNotIn("\x1b", run_in_pipe(*words))
        self.assertIn("\x1b", run_in_terminal(80, *words, NO_COLOR=""))

    def test_formats_of_programs_stay(self):
        for words in (("predict", "--cpu", "skylake", "--format", "json",
                       LOOP_FILE),
                      ("export", "--db", DATABASE, "--format", "csv", "-o",
                       "-")):
            self.assertEqual(run_in_terminal(40, *words), run_in_pipe(*words))

    def test_progress_fits(self):
        for columns in (80, 40, 24):
            shown = run_in_terminal(
                columns, *MEASURE,
                os.path.join(WORK.name, "progress%d.db" % columns))
            # What is not cut of a line in the narrowest terminal.
            progress = [line for line in re.split("[\r\n]", shown)
                        if re.search(r"\b\d+/\d+ ", line)]
            self.assertTrue(progress)
            self.assertLess(widest("\n".join(progress)), columns)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
