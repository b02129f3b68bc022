"""test.py ANECHOIC LIBRARY SOURCE: the Python module, the queries of
docs/database.md and the plots, on a database of an invented core."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

ANECHOIC, LIBRARY, SOURCE = sys.argv[1:4]
os.environ["ANECHOIC_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.join(SOURCE, "lib", "python"))

import anechoic  # noqa: E402

WORK = tempfile.TemporaryDirectory()
DATABASE = os.path.join(WORK.name, "x#1?.db")
LOOP = "mulsd %xmm1, %xmm0\n"


def setUpModule():
    subprocess.run(
        [ANECHOIC, "measure", "--board", "fake", "--isa", "x86_64", "--core",
         os.path.join(SOURCE, "tests", "fake", "flags.core"), "--forms",
         "^(ADD|SUB|IMUL)64rr$", "--db", DATABASE],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Database(unittest.TestCase):
    def test_instructions(self):
        rows = {r["form"]: r for r in anechoic.instructions(DATABASE)}
        add = rows["ADD64rr"]
        self.assertEqual(add["assembly"], "addq %rcx, %rax")
        self.assertTrue(add["mnemonic"].startswith("add"))
        self.assertIn("1 read GR64", add["operands"])
        self.assertIn("EFLAGS.CF write implicit", add["operands"])
        self.assertEqual(add["throughput_verdict"], "ok")
        self.assertLessEqual(add["latency_low"], add["latency_high"])
        self.assertIsNone(add["ports"])

    def test_claims(self):
        rows = anechoic.claims(DATABASE, "throughput")
        self.assertEqual({r["kind"] for r in rows}, {"throughput"})
        self.assertLess(len(rows), len(anechoic.claims(DATABASE)))

    def test_frame(self):
        frame = anechoic.frame(anechoic.instructions(DATABASE))
        self.assertEqual(frame["throughput_high"].dtype.kind, "f")
        self.assertIn("IMUL64rr", set(frame["form"]))

    def test_queries_of_the_docs(self):
        with open(os.path.join(SOURCE, "docs", "database.md")) as f:
            blocks = re.findall(r"```sql\n(.*?)```", f.read(), re.S)
        self.assertGreaterEqual(len(blocks), 3)
        for block in blocks:
            rows = anechoic.query(DATABASE, block)
            # A database of one core has no two to compare.
            self.assertEqual(bool(rows), "AS other" not in block, block)

    def test_merge_keeps_the_texts(self):
        merged = os.path.join(WORK.name, "merged.db")
        subprocess.run([ANECHOIC, "merge", "-o", merged, DATABASE],
                       check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(anechoic.instructions(merged),
                         anechoic.instructions(DATABASE))

    def test_reading_changes_nothing(self):
        with open(DATABASE, "rb") as f:
            before = f.read()
        anechoic.claims(DATABASE)
        with self.assertRaises(anechoic.Error):
            anechoic.query(DATABASE, "DELETE FROM claim")
        with open(DATABASE, "rb") as f:
            self.assertEqual(before, f.read())

    def test_errors(self):
        with self.assertRaisesRegex(anechoic.Error, "does not exist"):
            anechoic.claims(os.path.join(WORK.name, "none.db"))
        other = os.path.join(WORK.name, "other.db")
        with open(other, "w") as f:
            f.write("no database at all, but a text of some length\n" * 9)
        with self.assertRaisesRegex(anechoic.Error, "not a database"):
            anechoic.claims(other)


class Prediction(unittest.TestCase):
    def test_bounds(self):
        with anechoic.Core(cpu="skylake", isa="x86_64") as core:
            p = core.predict(LOOP)
            code = core.predict_code(b"\xf2\x0f\x59\xc1")
        self.assertEqual(p.cycles, 4)
        self.assertEqual(p.carried, 4)
        self.assertEqual(p.n_instructions, 1)
        self.assertIn("XMM0", p.why)
        self.assertEqual(code.cycles, p.cycles)
        self.assertEqual(p.json()["cycles"], 4)
        self.assertIn("mulsd", p.text())
        self.assertIn("<html", p.html())
        self.assertIn("digraph", p.dot())

    def test_object(self):
        with anechoic.Core(cpu="skylake", isa="x86_64") as core:
            with self.assertRaisesRegex(anechoic.Error, "^x.o is not an object"):
                core.predict_object(b"\xf2\x0f\x59\xc1", name="x.o")

    def test_options(self):
        with anechoic.Core(cpu="skylake", isa="x86_64") as core:
            p = core.predict("mulsd xmm0, xmm1\n" + "nop\n" * 3, intel=True,
                             lines=(2, 4), bounds_only=True)
            self.assertEqual(p.n_instructions, 3)
            with self.assertRaisesRegex(anechoic.Error, "not one of"):
                core.predict(LOOP, marker="iaca")

    def test_measured_core(self):
        with anechoic.Core(database=DATABASE, tables="none") as core:
            self.assertEqual(core.predict("imulq %rcx, %rax\n").carried,
                             anechoic.query(
                                 DATABASE, "SELECT high_cycles FROM latest "
                                 "WHERE form = 'IMUL64rr' AND source = '1' "
                                 "AND destination = '0' AND "
                                 "kind = 'latency'")[0]["high_cycles"])

    def test_bytes_of_no_encoding(self):
        with anechoic.Core(cpu="skylake", isa="x86_64") as core:
            for quoted in (b'"\xe9":\n mulsd %xmm1, %xmm0\n jmp "\xe9"\n',
                           b"# caf\xe9\n" + LOOP.encode(),
                           b"\xef\xbb\xbf" + LOOP.encode()):
                for text in (quoted, quoted.decode(errors="surrogateescape")):
                    p = core.predict(text, name=b"\xff.s")
                    self.assertEqual(p.cycles, 4)
                    self.assertEqual(p.json()["cycles"], 4)
                    self.assertIn("<html", p.html())
            for text in ("\ud800", b"nop\0nop", "nop\0", "\xe9 %rax\n",
                         b"\xff\xfen\0o\0p\0"):
                with self.assertRaises(anechoic.Error):
                    core.predict(text)

    def test_errors(self):
        with self.assertRaisesRegex(anechoic.Error, r"feature '\+foo'"):
            anechoic.Core(cpu="skylake,+foo", isa="x86_64")
        with self.assertRaisesRegex(anechoic.Error, "nonesuch"):
            anechoic.Core(cpu="nonesuch", isa="x86_64")
        core = anechoic.Core(cpu="skylake", isa="x86_64")
        with self.assertRaisesRegex(anechoic.Error, "<text>:1:1"):
            core.predict("nonesuch %rax\n")
        core.close()
        with self.assertRaisesRegex(anechoic.Error, "closed"):
            core.predict(LOOP)

    def test_plots(self):
        folder = os.path.join(WORK.name, "plots")
        subprocess.run([sys.executable, "-B",
                        os.path.join(SOURCE, "examples", "plots.py"),
                        DATABASE, folder], check=True)
        for name in ("latencies", "forms", "loop"):
            with open(os.path.join(folder, name + ".svg")) as f:
                self.assertIn("</svg>", f.read())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
