"""Databases and models for the tests of sites: invented cores, measured."""

import json
import os
import sqlite3
import subprocess

FORMS = ("^(ADD|SUB|CMP|SHL|IMUL|LEA|MOV|XCHG|DIV)64(rr|ri|rm|mr|r)"
         "(/fast|/slow)?$|^VADDPS[YZ]?rr$|^VADDPSZrrk$|^VDIVPSrr$|"
         "^VPADDDrr$")
HOSTILE = "<img src=x onerror=document.title='bad'>\"'&</script>"


class Maker:
    def __init__(self, anechoic, core, folder):
        self.anechoic, self.folder = anechoic, folder
        self.core = os.path.join(folder, "core")
        with open(core) as src, open(self.core, "w") as out:
            out.writelines(x for x in src if not x.startswith("noise"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, code=0, **more):
        done = subprocess.run([self.anechoic, *words], text=True,
                              capture_output=True, cwd=self.folder, **more)
        if code is not None and done.returncode != code:
            raise AssertionError("exit %d, not %d: %s\n%s%s" % (
                done.returncode, code, " ".join(words), done.stdout,
                done.stderr))
        return done

    def measured(self, name):
        """A database with values and ports."""
        for what in ([], ["--what", "ports", "--budget", "400"]):
            self.run("measure", "--board", "fake", "--core", "core", "--db",
                     name, "--forms", FORMS, *what)
        return name

    def model(self, name, source, cpu):
        """The model of a database as a file, of another CPU: slower."""
        self.run("export", "--db", source, "--format", "model", "-o", name)
        with open(self.path(name)) as f:
            model = json.load(f)
        model["cpu"] = cpu
        for form in model["forms"]:
            for span in form.get("throughput"), form.get("slots"):
                if span:
                    span[:] = [x * 1.5 for x in span]
        with open(self.path(name), "w") as f:
            json.dump(model, f)
        return name

    def two_cores(self, name):
        """A database with runs of two cores, told by their environment."""
        for i in range(2):
            self.run("measure", "--board", "fake", "--core", "core", "--db",
                     name, "--forms", "^(ADD|SUB)64rr$", code=None)
            db = sqlite3.connect(self.path(name))
            db.execute("INSERT OR REPLACE INTO env SELECT max(id), 'microcode', "
                       "? FROM run", (str(20 + i),))
            db.commit()
            db.close()
        return name

    def forward(self, name, source):
        """A copy in which SUB64rr reads a result of ADD64rr a cycle later, and
        ADD64rr takes two more with a source that SUB64rr wrote."""
        old = sqlite3.connect(self.path(source))
        new = sqlite3.connect(self.path(name))
        old.backup(new)
        old.close()
        new.execute(
            "INSERT INTO claim SELECT run, form, 'forward', '2>0', "
            "'SUB64rr@1>0', 3, 3, residual, visits, verdict, label, kernel, "
            "solver_version, detail FROM claim WHERE form = 'ADD64rr' AND "
            "kind = 'throughput' LIMIT 1")
        new.execute(
            "INSERT INTO claim SELECT run, form, 'written', '2>0', "
            "'SUB64rr@1>0', 3, 3, residual, visits, verdict, label, kernel, "
            "solver_version, detail FROM claim WHERE form = 'ADD64rr' AND "
            "kind = 'throughput' LIMIT 1")
        new.commit()
        new.close()
        return name

    def hostile(self, name, source):
        """A copy whose texts try to be HTML, a path and a script."""
        old = sqlite3.connect(self.path(source))
        new = sqlite3.connect(self.path(name))
        old.backup(new)
        old.close()
        new.execute("UPDATE run SET cpu = ?, tool = ?, date = ?",
                    (HOSTILE,) * 3)
        new.execute("UPDATE claim SET form = ?, detail = ?, verdict = ? "
                    "WHERE form = 'ADD64rr'", (HOSTILE,) * 3)
        new.execute("UPDATE claim SET form = '../../../../etc/x' "
                    "WHERE form = 'SUB64rr'")
        new.execute("UPDATE claim SET form = ? WHERE form = 'CMP64rr'",
                    ("x" * 5000,))
        new.execute("UPDATE claim SET source = source || ?, "
                    "kernel = 4000000000, low_cycles = 9e300 "
                    "WHERE form = 'IMUL64rr'", (HOSTILE,))
        new.execute("UPDATE env SET value = ?", (HOSTILE,))
        new.commit()
        new.close()
        return name
