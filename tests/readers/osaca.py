"""Exported machine models in OSACA's own program: osaca.py ANECHOIC

ANECHOIC_OSACA names the folder that holds OSACA's package, if Python does not
find it by itself.  Each model must load in five seconds; 50 blocks of code must
be fully known, with OSACA's throughput within 2 % of this program's port bound,
and keep the dependency of a counter from one iteration to the next.  Where the
folder has OSACA's own samples, each of them must be fully known, and OSACA's
program must print its report of the first.  The models are LLVM's, and the measured
one that is shipped, which has no ports.  OSACA's own models are imported.  Prints a
row for docs/readers.md for each.  Exit status 77 without OSACA."""

import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

anechoic = sys.argv[1]
work = tempfile.TemporaryDirectory()
os.environ["HOME"] = work.name  # OSACA keeps what it has read
folder = os.environ.get("ANECHOIC_OSACA")
if folder:
    sys.path.insert(0, folder)
try:
    from osaca.osaca import get_version
    from osaca.parser import get_parser
    from osaca.semantics import (ArchSemantics, INSTR_FLAGS, KernelDG,
                                 MachineModel, reduce_to_section)
except ImportError as e:
    print(f"SKIP: no OSACA: {e}")
    sys.exit(77)

X86 = ["addq %r{a}, %r{b}", "imulq %r{a}, %r{b}", "leaq 8(%r{a}), %r{b}",
       "movq {o}(%rsi), %r{a}", "movq %r{a}, {o}(%rdi)", "xorl %r{a}d, %r{b}d",
       "vaddpd %ymm{a}, %ymm{b}, %ymm{c}", "vmulpd %xmm{a}, %xmm{b}, %xmm{c}",
       "vfmadd231ps %ymm{a}, %ymm{b}, %ymm{c}", "vmovapd {o}(%rsi), %ymm{a}",
       "vaddpd {o}(%rsi), %ymm{a}, %ymm{b}", "vmovapd %ymm{a}, {o}(%rdi)",
       "vpaddd %xmm{a}, %xmm{b}, %xmm{c}", "shlq $3, %r{a}",
       "vpshufd $1, %xmm{a}, %xmm{b}", "cmovne %r{a}, %r{b}", "popcntq %r{a}, %r{b}"]
ARM = ["add x{a}, x{b}, x{c}", "mul x{a}, x{b}, x{c}", "ldr x{a}, [x1, #{o}]",
       "str x{a}, [x2, #{o}]", "eor w{a}, w{b}, w{c}", "cmp x{a}, x{b}",
       "fadd v{a}.2d, v{b}.2d, v{c}.2d", "fmul d{a}, d{b}, d{c}",
       "fmla v{a}.4s, v{b}.4s, v{c}.4s", "ldr q{a}, [x1, #{o}]",
       "str q{a}, [x2, #{o}]", "mov x{a}, x{b}", "csel x{a}, x{b}, x{c}, eq",
       "ldp q{a}, q{b}, [x1, #{o}]", "lsl x{a}, x{b}, #3"]
# What sets the flags is not next to the branch: OSACA does not fuse them.
END = {"x86": "addq $1, %rcx\nmovq %rcx, %rdx\njne .L1\n",
       "aarch64": "cmp x3, x4\nadd x3, x3, #1\nb.ne .L1\n"}


def block(isa, seed):
    """Lines that touch no cache line twice, in a loop."""
    draw = random.Random(seed)
    lines = X86 if isa == "x86" else ARM
    text = ".L1:\n"
    for i in range(draw.randint(6, 16)):
        a, b, c = draw.sample(range(8, 16), 3)
        text += draw.choice(lines).format(a=a, b=b, c=c, o=32 * i) + "\n"
    return text + END[isa]


class Model:
    """code: OSACA's name of a core of the same instruction set."""

    def __init__(self, source, code):
        self.source = source
        self.code = code
        path = os.path.join(work.name, ".osaca/data", code + ".yml")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        subprocess.run([anechoic, "export", *source, "--format", "osaca",
                        "-o", path], check=True, stderr=subprocess.DEVNULL)
        start = time.time()
        self.model = MachineModel(path_to_yaml=path)
        self.seconds = time.time() - start
        self.isa = self.model.get_ISA()
        self.parser = get_parser(self.isa)
        self.semantics = ArchSemantics(self.parser, self.model)

    def analyse(self, text, balance=True):
        """Unknown instructions, throughput, longest loop-carried latency."""
        s = self.semantics
        kernel = reduce_to_section(self.parser.parse_file(text), self.parser)
        s.normalize_instruction_forms(kernel)
        s.add_semantics(kernel)
        unknown = [i.line for i in kernel if INSTR_FLAGS.TP_UNKWN in i.flags
                   or INSTR_FLAGS.LT_UNKWN in i.flags]
        if not balance:
            return unknown, None, None
        s.assign_optimal_throughput(kernel)
        s.assign_optimal_throughput(kernel)
        graph = KernelDG(kernel, self.parser, self.model, s, 10, False)
        carried = [d["latency"]
                   for d in graph.get_loopcarried_dependencies().values()]
        return unknown, max(s.get_throughput_sum(kernel)), max(carried, default=0)

    def bound(self, text):
        path = os.path.join(work.name, "block.s")
        with open(path, "w") as f:
            f.write(text)
        out = subprocess.run([anechoic, "predict", *self.source,
                              "--tables", "none", "--format", "json", path],
                             check=True, stdout=subprocess.PIPE).stdout
        return json.loads(out)["port_bound"]

    def report(self, path):
        """What OSACA's program prints, which finds the model by its code."""
        env = dict(os.environ)
        if folder:
            env["PYTHONPATH"] = os.path.abspath(folder)
        return subprocess.run(
            [sys.executable, "-B", "-W", "ignore", "-m", "osaca", "--arch",
             self.code, path], env=env, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True).stdout


def samples(isa):
    names = []
    for base, _, files in os.walk(os.path.join(folder or "", "examples")):
        names += [os.path.join(base, f) for f in files
                  if f.endswith(".s") and (".tx2." in f) == (isa == "aarch64")]
    return sorted(names)


failed = 0
measured = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "../../models/zen5-epyc-vm.json.xz")
for source, code, n_blocks in ((("--cpu", "znver4"), "zen4", 25),
                               (("--cpu", "skylake-avx512"), "icx", 0),
                               (("--cpu", "neoverse-v2"), "v2", 25),
                               (("--cpu", "cortex-a57"), "a72", 25),
                               (("--cpu", "thunderx2t99"), "tx2", 25),
                               (("--model", measured), "zen4", 0)):
    m = Model(source, code)
    name = os.path.basename(source[1])
    wrong = []
    if m.seconds > 5:
        wrong.append(f"{m.seconds:.1f} s to load")
    for seed in range(n_blocks):
        text = block(m.isa, seed)
        unknown, throughput, carried = m.analyse(text)
        bound = m.bound(text)
        # OSACA counts in hundredths of a cycle.
        if unknown or carried < 1 or abs(throughput - bound) > max(
                0.02 * bound, 0.03):
            wrong.append(f"{throughput} and {bound}, {carried}, {unknown}\n"
                         f"{text}")
    paths = samples(m.isa)
    for path in paths:
        unknown, _, _ = m.analyse(open(path).read(), balance=False)
        if unknown:
            wrong.append(f"{path}: {unknown}")
    if paths and "Loop-Carried Dep" not in m.report(paths[0]):
        wrong.append(f"{paths[0]}: {m.report(paths[0])[-300:]}")
    failed |= bool(wrong)
    for text in wrong:
        print(f"FAIL: {name}: {text}")
    print(f"row|OSACA|{get_version()}|osaca of {name}|MachineModel, "
          f"{n_blocks} blocks, {len(paths)} samples|"
          f"{'wrong' if wrong else 'all known'}"
          f"{', bounds agree' if n_blocks and not wrong else ''}; "
          f"{m.seconds:.1f} s to load")

# OSACA's own models are read, each whole but for single entries.
names = sorted(glob.glob(os.path.join(folder or "", "osaca/data/*.yml")))
entries = left = 0
for name in names:
    run = subprocess.run([anechoic, "export", "--model", name, "--format",
                          "model", "-o", os.path.join(work.name, "x.json")],
                         stderr=subprocess.PIPE, text=True)
    n = re.search(r"(?:(\d+) of )?(\d+) entries(?: are left out|, none)",
                  run.stderr)
    if run.returncode or not n or int(n[1] or 0) > 0.02 * int(n[2]):
        print(f"FAIL: {name}: {run.stderr}")
        failed = 1
        continue
    entries += int(n[2])
    left += int(n[1] or 0)
if names and not failed:
    print(f"row|OSACA|{get_version()}|its {len(names)} models|export --model|"
          f"{entries} entries, {left} left out")
sys.exit(failed)
