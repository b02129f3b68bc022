"""uops.info's XML in OSACA's own importer: importer.py ANECHOIC CPU ARCH

CPU is LLVM's name of a core, ARCH uops.info's.

ANECHOIC_OSACA_IMPORTER names the folder that holds the package of an OSACA whose
importer works, such as 0.4.8.  In 0.7.1 it stops at any operand that is a
register.  So it first reads a sample that is written here; if it cannot, the
test is skipped.  Then it must read each mnemonic of the export, with ports that
the XML has for it, and pass over instructions for known reasons alone.  Prints a
row for table.sh.  Exit status 77 without such an OSACA."""

import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

anechoic, cpu, arch = sys.argv[1:]
anechoic = os.path.abspath(anechoic)
folder = os.environ.get("ANECHOIC_OSACA_IMPORTER")
work = tempfile.TemporaryDirectory()
SAMPLE = """<root><extension name="BASE">
<instruction asm="ADD" iform="ADD_GPRv_GPRv" string="ADD (R64, R64)">
<operand idx="1" name="REG1" r="1" w="1" type="reg" width="64">RAX,RCX</operand>
<operand idx="2" name="REG2" r="1" type="reg" width="64">RAX,RCX</operand>
<architecture name="SKL"><measurement TP_loop="0.25" TP_ports="0.25"
TP_unrolled="0.25" ports="1*p0156" uops="1"><latency cycles="1" start_op="1"
target_op="1"/></measurement></architecture>
</instruction></extension></root>
"""
# Mnemonic, operands, latency, ports, throughput, uops.
ADD = ("ADD", ("gpr", "gpr"), "1", (("1", "0156"),), "0.25", "1")
# What the importer says of an instruction that it does not take as it is.  It
# knows no pairs of masks, and no name for the segment registers.
PASSED_OVER = re.compile(
    r"Contains memory operand, skip: |Couldn't find port utilization, skip: |"
    r"Calculated TP is greater than measured TP\. |"
    r"Contradicting latencies found, using smallest: |"
    r"Unknown register type for .* with (K0_K1,K2_K3,K4_K5,K6_K7|SEGMENT_REG)\.$")


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(77)


def path(name):
    return os.path.join(work.name, name)


def run_importer(xml, arch):
    """Exit status, text of the model, remarks."""
    r = subprocess.run(
        [sys.executable, "-B", "-W", "ignore", "-m",
         "osaca.data.model_importer", xml, arch], cwd=work.name,
        env={**os.environ, "PYTHONPATH": os.path.abspath(folder),
             "HOME": work.name},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return r.returncode, r.stdout, r.stderr.splitlines()


def entries(text):
    """Tuples as ADD above.  The divider is a port without a name."""
    found = []
    # The importer marks the end of each line.
    text = re.sub(r" *# uops\.info import$", "", text, flags=re.M)
    for part in text.split("\n- name: ")[1:]:
        def value(key):
            return re.search(rf"^  {key}: (.*)$", part, re.M).group(1)
        operands = re.findall(r"^  - class: (\w+)(?:\n    name: (\w+))?", part,
                              re.M)
        ports = re.findall(r"\[(\d+), (?:'?(\w+)'?|\[DIV\])\]",
                           value("port_pressure"))
        found.append((part.split("\n")[0].strip("'"),
                      tuple(name or kind for kind, name in operands),
                      value("latency"), tuple(ports), value("throughput"),
                      value("uops")))
    return found


def wanted(xml, arch):
    """Mnemonics with ports that the importer must read."""
    found = set()
    for i in ET.parse(xml).getroot().iter("instruction"):
        m = i.find(f"architecture[@name='{arch}']/measurement")
        if m is None or "ports" not in m.attrib or any(
                o.attrib["type"] == "mem" for o in i.findall("operand")):
            continue
        ports = [tuple(p.split("*p")) for p in m.attrib["ports"].split("+")]
        if "div_cycles" in m.attrib:
            ports.append((m.attrib["div_cycles"], ""))
        found.add((i.attrib["asm"].split(" ", 1)[-1], tuple(ports)))
    return found


if not folder:
    skip("ANECHOIC_OSACA_IMPORTER does not name an OSACA whose importer works")
with open(path("sample.xml"), "w") as f:
    f.write(SAMPLE)
status, text, remarks = run_importer(path("sample.xml"), "SKL")
if status != 0:
    skip("OSACA's importer does not read a sample with two registers: "
         f"{(remarks or ['no remark'])[-1]}")
assert entries(text) == [ADD], entries(text)
version = re.search(r"^osaca_version: ([0-9.]+)", text, re.M).group(1)

subprocess.run([anechoic, "export", "--cpu", cpu, "--format", "uops", "-o",
                path("x.xml")], check=True)
status, text, remarks = run_importer(path("x.xml"), arch)
odd = [r for r in remarks if not PASSED_OVER.match(r)]
read = entries(text)
have = {(e[0], e[3]) for e in read}
want = wanted(path("x.xml"), arch)
# OSACA has no widths of registers: of entries alike the last one counts.
lacks = sorted({name for name, _ in want} - {name for name, _ in have})
more = sorted(have - want)
if status or odd or lacks or more or len(read) < 3000:
    print(f"FAIL: {cpu}: status {status}, {len(read)} read, remarks "
          f"{odd[:3]}, lacks {lacks[:5]} of {len(lacks)}, more {more[:5]} "
          f"of {len(more)}")
    sys.exit(1)
print(f"row|OSACA's importer|{version}|uops of {cpu}|"
      f"model_importer.py|{len(read)} instructions, ports as in the XML")
