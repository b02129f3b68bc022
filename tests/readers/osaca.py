"""Exported machine models in OSACA's own program: osaca.py ANECHOIC PART

PART: a model of MODELS below, or imports: OSACA's own models are read.

ANECHOIC_OSACA names the folder that holds OSACA's package, if Python does not
find it by itself.  Each model must load in five seconds; 50 blocks of code must
be fully known and keep the dependency of a counter from one iteration to the
next.  With sets of ports (osaca-sets), OSACA's throughput of each must be within
2 % of this program's port bound.  With ports (osaca), the optimum of their sharing
must be that bound; OSACA's own sharing may be off, and the row says in how many
blocks.  Where the folder has OSACA's own samples, each of them must be fully known,
and OSACA's program must print its report of the first.  The models are LLVM's, and
the measured one that is shipped, of which few forms have ports.  Prints a row for
table.sh for each export.  Exit status 77 without OSACA."""

import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

anechoic, part = sys.argv[1:]
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


def optimum(kernel):
    """The busiest set of ports under the best sharing: the maximum over unions of
    sets of ports of (cycles confined to it) / (its ports)."""
    uops = [(u[0], frozenset(u[1])) for i in kernel if i.mnemonic
            for u in i.port_uops]
    unions = set()
    for ports in {u[1] for u in uops}:
        unions |= {ports} | {ports | u for u in unions}
    return max((sum(c for c, ports in uops if ports <= u) / len(u)
                for u in unions), default=0)


def is_near(x, y):
    """Within 2 %.  OSACA counts in hundredths of a cycle."""
    return abs(x - y) <= max(0.02 * y, 0.03)


class Result:
    """unknown: lines without a throughput or latency; optimum: see above;
    throughput: OSACA's; carried: the longest loop-carried latency."""


class Model:
    """code: OSACA's name of a core of the same instruction set."""

    def __init__(self, source, code, exported):
        self.code = code
        path = os.path.join(work.name, ".osaca/data", code + ".yml")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        subprocess.run([anechoic, "export", *source, "--format", exported,
                        "-o", path], check=True, stderr=subprocess.DEVNULL)
        # Time of the processor: other programs run as well.
        start = time.process_time()
        self.model = MachineModel(path_to_yaml=path)
        self.seconds = time.process_time() - start
        self.isa = self.model.get_ISA()
        self.parser = get_parser(self.isa)
        self.semantics = ArchSemantics(self.parser, self.model)

    def analyse(self, text, balance=True, chains=True):
        s = self.semantics
        r = Result()
        kernel = reduce_to_section(self.parser.parse_file(text), self.parser)
        s.normalize_instruction_forms(kernel)
        s.add_semantics(kernel)
        r.unknown = [i.line for i in kernel if INSTR_FLAGS.TP_UNKWN in i.flags
                     or INSTR_FLAGS.LT_UNKWN in i.flags]
        if not balance:
            return r
        r.optimum = optimum(kernel)
        # As often as OSACA's program does.
        s.assign_optimal_throughput(kernel)
        s.assign_optimal_throughput(kernel)
        r.throughput = max(s.get_throughput_sum(kernel))
        if chains:
            graph = KernelDG(kernel, self.parser, self.model, s, 10, False)
            r.carried = max((d["latency"] for d in
                             graph.get_loopcarried_dependencies().values()),
                            default=0)
        return r

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


def port_bound(source, text):
    path = os.path.join(work.name, "block.s")
    with open(path, "w") as f:
        f.write(text)
    out = subprocess.run([anechoic, "predict", *source, "--tables", "none",
                          "--format", "json", path],
                         check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out)["port_bound"]


def check(source, code, exported, texts, bounds):
    """Prints what is wrong, and a row; 0 if nothing is."""
    m = Model(source, code, exported)
    name = os.path.basename(source[1])
    sets = exported == "osaca-sets"
    wrong = []
    off = []
    if m.seconds > 5:
        wrong.append(f"{m.seconds:.1f} s to load")
    for text, bound in zip(texts, bounds):
        r = m.analyse(text, chains=not sets)
        near = is_near(r.throughput, bound)
        if not near:
            off.append(r.throughput / bound - 1)
        if (r.unknown or not is_near(r.optimum, bound) or (sets and not near)
                or (not sets and r.carried < 1)):
            wrong.append(f"{r.throughput}, {r.optimum} and {bound}, "
                         f"{vars(r)}\n{text}")
    # Both formats have the same entries.
    paths = samples(m.isa)[:1 if sets else None]
    for path in paths:
        unknown = m.analyse(open(path).read(), balance=False).unknown
        if unknown:
            wrong.append(f"{path}: {unknown}")
    if paths and "Loop-Carried Dep" not in m.report(paths[0]):
        wrong.append(f"{paths[0]}: {m.report(paths[0])[-300:]}")
    for text in wrong:
        print(f"FAIL: {exported} of {name}: {text}")
    result = "wrong" if wrong else "all known"
    if texts:
        result += f", bound within 2 % in {len(texts) - len(off)}"
    if off:
        apart = sorted({f"{100 * x:+.0f}" for x in off}, key=float)
        result += f", else {apart[0]}"
        result += f" to {apart[-1]} %" if len(apart) > 1 else " %"
    print(f"row|OSACA|{get_version()}|{exported} of {name}|MachineModel, "
          f"{len(texts)} blocks, {len(paths)} "
          f"sample{'s' if len(paths) > 1 else ''}|{result}; "
          f"{m.seconds:.1f} s to load", flush=True)
    return bool(wrong)


BLOCKS = 50
measured = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "../../models/zen5-epyc-vm.json.xz")
# Instruction set, source, OSACA's name of a core of the same instruction set,
# blocks.
MODELS = {
    "znver4": ("x86", ("--cpu", "znver4"), "zen4", BLOCKS),
    "sapphirerapids": ("x86", ("--cpu", "sapphirerapids"), "spr", BLOCKS),
    "skylake-avx512": ("x86", ("--cpu", "skylake-avx512"), "icx", BLOCKS),
    "measured": ("x86", ("--model", measured), "zen4", 0),
    "neoverse-v2": ("aarch64", ("--cpu", "neoverse-v2"), "v2", BLOCKS),
    "apple-m1": ("aarch64", ("--cpu", "apple-m1"), "m1", BLOCKS),
    "cortex-a57": ("aarch64", ("--cpu", "cortex-a57"), "a72", BLOCKS),
    "thunderx2t99": ("aarch64", ("--cpu", "thunderx2t99"), "tx2", BLOCKS),
}
failed = 0
if part != "imports":
    isa, source, code, n = MODELS[part]
    texts = [block(isa, seed) for seed in range(n)]
    bounds = [port_bound(source, text) for text in texts]
    for exported in ("osaca", "osaca-sets") if n else ("osaca",):
        failed |= check(source, code, exported, texts, bounds)
    sys.exit(failed)

# OSACA's own models are read, each whole but for single entries.
names = sorted(glob.glob(os.path.join(folder or "", "osaca/data/*.yml")))
if not names:
    print("SKIP: ANECHOIC_OSACA names no folder with OSACA's models")
    sys.exit(77)
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
if not failed:
    print(f"row|OSACA|{get_version()}|its {len(names)} models|export --model|"
          f"{entries} entries, {left} left out")
sys.exit(failed)
