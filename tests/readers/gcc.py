"""gcc.py SOURCE PROGRAMS FILE: does GCC read a pipeline description?

SOURCE is gcc/config/riscv of GCC's source, PROGRAMS the folder with genautomata and
genattrtab.  The attributes are those of GCC's own riscv.md, with the CPU as one more
value of `tune`.  genautomata refuses what is no description, a unit or reservation
that is not used, and an instruction that could never be issued; genattrtab refuses a
value that an attribute has not.
"""

import os
import re
import subprocess
import sys
import tempfile


def attribute(text, name, more):
    """GCC's attribute with its values, and a default."""
    values = re.search(r'\(define_attr "%s"\s*"([^"]*)"' % name, text)[1]
    values = [v.strip() for v in values.split(",")] + more
    return '(define_attr "%s"\n  "%s"\n  (const_string "%s"))\n' % (
        name,
        ",".join(values),
        values[0],
    )


def main():
    config, programs, file = sys.argv[1:]
    with open(os.path.join(config, "riscv.md"), encoding="utf-8") as f:
        riscv = f.read()
    with open(file, encoding="utf-8") as f:
        text = f.read()
    cpus = sorted(set(re.findall(r'\(eq_attr "tune" "([^"]*)"\)', text)))
    with tempfile.TemporaryDirectory() as work:
        head = os.path.join(work, "head.md")
        with open(head, "w", encoding="utf-8") as f:
            f.write(attribute(riscv, "type", []))
            f.write(attribute(riscv, "mode", []))
            f.write(attribute(riscv, "tune", cpus))
            f.write('(define_insn "nop" [(const_int 0)] "" "nop"\n')
            f.write('  [(set_attr "type" "nop")])\n')
        failed = 0
        for words in (
            ["genautomata"],
            ["genattrtab", "-A/dev/null", "-D/dev/null", "-L/dev/null"],
        ):
            words[0] = os.path.join(programs, words[0])
            words[1:1] = [head, file]
            ran = subprocess.run(words, capture_output=True, text=True, timeout=100)
            if ran.returncode != 0 or ran.stderr.strip():
                print("FAIL: %s: %s" % (words[0], ran.stderr[:2000]))
                failed = 1
    print(
        "%d reservations, %d units, %d bypasses"
        % tuple(
            text.count("(define_" + w) for w in ("insn_reservation", "cpu_unit", "bypass")
        )
    )
    sys.exit(failed)


main()
