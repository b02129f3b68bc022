"""uops.info's XML, as others read it and at its size: uops.py ANECHOIC

xmllint finds the export well-formed.  uiCA's convertXML.py, in the folder that
ANECHOIC_UICA names, writes its tables from it.  A file of 140 MB in the
structure of uops.info's own is imported in less than 200 MB of memory.  Prints
rows for table.sh; a program that is not there is skipped with a line."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

anechoic = sys.argv[1]
work = tempfile.TemporaryDirectory()
SIZE, LIMIT_MB = 140_000_000, 200


def path(name):
    return os.path.join(work.name, name)


def row(*columns):
    print("row|" + "|".join(columns))


def write_big(name):
    """ADD, SUB ... once, and many instructions that no form has."""
    names = "ADD SUB AND OR XOR IMUL CMP TEST".split()
    archs = "SKL HSW BDW SNB IVB CNL ICL ZEN2 ZEN3 ZEN4 CLX TGL RKL".split()
    operand = '<operand idx="%d" name="REG%d" r="1" type="reg" width="64">%s' \
        '</operand>\n'
    regs = ",".join(f"R{i}" for i in range(8, 16))
    measured = "".join(
        f'<architecture name="{a}">\n<measurement TP_loop="0.25" TP_ports='
        '"0.25" TP_unrolled="0.25" ports="1*p0156" uops="1">\n<latency '
        'cycles="1" start_op="1" target_op="1"/>\n<latency cycles="1" '
        'start_op="2" target_op="1"/>\n</measurement>\n</architecture>\n'
        for a in archs)
    n = k = 0
    with open(name, "w") as f:
        f.write('<?xml version="1.0"?>\n<root date="x">\n'
                '<extension name="BASE">\n')
        while n < SIZE:
            own = names[k] if k < len(names) else f"NONE{k}"
            n += f.write(
                f'<instruction asm="{own}" category="BINARY" extension="BASE" '
                f'iclass="{own}" iform="{own}_GPRv_GPRv" string="{own} (R64, '
                f'R64)">\n' + operand % (1, 0, regs) + operand % (2, 1, regs) +
                measured + "</instruction>\n")
            k += 1
        f.write("</extension>\n</root>\n")
    return len(names), k


wanted, n = write_big(path("big.xml"))
subprocess.run([anechoic, "export", "--model", path("big.xml") + "@SKL", "--format",
                "model", "-o", path("big.json")], check=True,
               stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
model = json.load(open(path("big.json")))
assert used < LIMIT_MB, used
assert len(model["forms"]) == wanted and model["cpu"] == "skylake", model["cpu"]
add = next(f for f in model["forms"] if f["name"] == "ADD64rr")
assert add["throughput"] == [0.25, 0.25] and len(add["uses"][0]["ports"]) == 4
assert {(l["from"], l["to"]) for l in add["latencies"]} >= {(2, 0)}, add
row("anechoic", "", "140 MB in uops.info's structure", "export --model",
    f"{n} instructions read in less than {LIMIT_MB} MB of memory")

subprocess.run([anechoic, "export", "--cpu", "skylake", "--format", "uops",
                "-o", path("skl.xml")], check=True)
if shutil.which("xmllint"):
    subprocess.run(["xmllint", "--noout", path("skl.xml")], check=True)
    row("xmllint", "", "uops of skylake", "--noout", "well-formed")
else:
    print("SKIP: no xmllint")

uica = os.environ.get("ANECHOIC_UICA")
if uica:
    subprocess.run([sys.executable, "-B", os.path.join(uica, "convertXML.py"),
                    path("skl.xml")], check=True, cwd=work.name)
    found = {}
    exec(open(path("instrData/SKL_data.py")).read(), found)
    info = {}
    exec(open(path("instrData/uArchInfo.py")).read(), info)
    assert info["ALUPorts"]["SKL"] == ["0", "1", "5", "6"] or \
        info["ALUPorts"]["SKL"] == list("0156"), info
    assert len(found["instrData"]) > 1000, len(found["instrData"])
    row("uiCA", "", "uops of skylake", "convertXML.py",
        f"{sum(map(len, found['instrData'].values()))} instructions")
else:
    print("SKIP: ANECHOIC_UICA does not name uiCA's folder")
