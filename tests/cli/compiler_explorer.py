"""The tool of examples/compiler-explorer, started as Compiler Explorer starts
it: compiler_explorer.py ANECHOIC ROOT

The properties are read from the example. From a compilation as JSON (docs/
AddingATool.md there) the file and the arguments are made as its classes
llvm-mca-tool and osaca-tool make them.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

passed = 0

INTEL = """	.file	"example.c"
	.intel_syntax noprefix
	.text
	.globl	sum
	.type	sum, @function
sum:
.LFB0:
	.cfi_startproc
	.loc 1 3 5
	test	rsi, rsi
	je	.L4
	lea	rax, [rdi+rsi*8]
	pxor	xmm0, xmm0
.L3:
	.loc 1 4 9
	addsd	xmm0, QWORD PTR [rdi]
	add	rdi, 8
	cmp	rdi, rax
	jne	.L3
	ret
.L4:
	pxor	xmm0, xmm0
	ret
	.cfi_endproc
.LFE0:
	.size	sum, .-sum
	.ident	"GCC: (Debian) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
"""
AARCH64 = """	.arch armv8-a
	.text
	.align	2
	.global	sum
	.type	sum, %function
sum:
	movi	d0, #0
	add	x1, x0, x1, lsl 3
.L3:
	ldr	d1, [x0], 8
	fadd	d0, d0, d1
	cmp	x0, x1
	bne	.L3
	ret
	.size	sum, .-sum
"""


def check(good, what):
    global passed
    if not good:
        print("FAIL: " + what)
        sys.exit(1)
    passed += 1


def compilation(folder, asm, instruction_set, options, filters=()):
    """As JSON, and read back: what a tool gets."""
    return json.loads(json.dumps({
        "backendOptions": {}, "libraries": [], "code": 0,
        "compiler": {"id": "cg122", "instructionSet": instruction_set},
        "filters": {name: True for name in filters},
        "inputFilename": os.path.join(folder, "example.c"),
        "outputFilename": os.path.join(folder, "output.s"),
        "executableFilename": os.path.join(folder, "output.s"),
        "dirPath": folder, "options": options,
        "asm": [{"text": line, "source": None}
                for line in asm.split("\n")],
        "asmSize": len(asm), "stderr": [], "stdout": [],
    }))


def mca_class(info, words):
    """Arguments and file of the class llvm-mca-tool."""
    targets = {"amd64": "x86_64", "aarch64": "aarch64", "arm32": "arm",
               "riscv64": "rv64"}
    before, cpu = ["-mtriple=" + targets[info["compiler"]["instructionSet"]]], 0
    for option in info["options"]:
        for name in ("-march=", "-mcpu="):
            if option.startswith(name):
                before.append("-mcpu=" + option[len(name):])
                cpu += 1
    if not cpu:
        before.append("-mcpu=generic")
    if "-m32" in info["options"]:
        before.append("-march=x86")
    text = "\n".join(line["text"] for line in info["asm"])
    text = re.sub(r"(?m)^\s*\.(loc|file|fnstart|eabi_attribute|fpu).*", "",
                  text)
    return before + words, text, ".mca"


def osaca_class(info, words):
    """The same of osaca-tool: what the pane shows, without directives."""
    lines = [line["text"] for line in info["asm"]]
    jumps = set(re.findall(r"\t(?:j\w+|b\w*)\s+(\.\w+)", "\n".join(lines)))
    text = "".join(x + "\n" for x in lines
                   if not re.match(r"\s*\.", x) or x.rstrip(":") in jumps)
    return words, text, ".osaca"


class Explorer:
    def __init__(self, anechoic, root, folder):
        self.folder, here = folder, root + "/examples/compiler-explorer/"
        with open(here + "c.local.properties") as f:
            self.properties = dict(
                line.rstrip("\n").split("=", 1) for line in f
                if "=" in line and not line.startswith("#"))
        self.exe = here + os.path.basename(self.properties["tools.anechoic.exe"])
        self.options = shlex.split(self.properties["tools.anechoic.options"])
        for name, path in (("--anechoic", anechoic),
                           ("--models", root + "/models")):
            self.options[self.options.index(name) + 1] = path

    def run(self, info, words="", make=mca_class):
        args, text, ending = make(info, shlex.split(words))
        path = info["outputFilename"] + ending
        with open(path, "w") as f:
            f.write(text)
        # The properties' options come first, the file last.
        return subprocess.run(
            [sys.executable, "-B", self.exe] + self.options + args + [path],
            cwd=os.path.dirname(path), text=True, input="",
            capture_output=True)

    def predicts(self, what, holds, *run, **more):
        done = self.run(*run, **more)
        check(done.returncode == 0, "%s: %s" % (what, done.stderr))
        for word in holds:
            check(word in done.stdout, "%s: no '%s' in\n%s" % (
                what, word, done.stdout))

    def refuses(self, what, holds, *run, **more):
        done = self.run(*run, **more)
        check(done.returncode == 2 and not done.stdout and
              holds in done.stderr and "Traceback" not in done.stderr,
              "%s: exit %d, %s" % (what, done.returncode, done.stderr))


def main():
    anechoic, root = (os.path.abspath(x) for x in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        ce = Explorer(anechoic, root, folder)
        for key in ("name", "exe", "type", "class", "options"):
            check(ce.properties.get("tools.anechoic." + key),
                  "the property " + key)
        check(ce.properties["tools"] == "anechoic" and
              ce.properties["tools.anechoic.type"] == "postcompilation" and
              ce.properties["tools.anechoic.class"] == "llvm-mca-tool" and
              os.access(ce.exe, os.X_OK), "the properties")
        plain = compilation(folder, INTEL, "amd64", ["-O2", "-g"])
        ce.predicts("the default", ("model: znver5, measured", "addsd",
                                    ".L3, 4 instructions", "predicted"), plain)
        ce.predicts("-march=", ("model: skylake", "predicted                "
                                "    4.00", "carried through XMM0"),
                    compilation(folder, INTEL, "amd64",
                                ["-O2", "-march=skylake"]))
        ce.predicts("an argument before -march=", ("model: haswell",),
                    compilation(folder, INTEL, "amd64", ["-march=skylake"]),
                    "--cpu haswell --timeline")
        ce.predicts("no core in -march=", ("model: znver5",),
                    compilation(folder, INTEL, "amd64",
                                ["-march=x86-64-v3"]))
        ce.predicts("AArch64", ("model: neoverse-v2", "fadd", "predicted"),
                    compilation(folder, AARCH64, "aarch64", ["-O2"]))
        ce.predicts("other cores", ("model: znver5", "on other cores",
                                    "skylake, LLVM's tables"), plain,
                    "--model zen5-epyc-vm --with skylake")
        ce.predicts("JSON", ('"cpu": "znver4"', '"instructions": ['), plain,
                    "--cpu znver4 --format json")
        ce.predicts("the class osaca-tool", ("model: znver5", "addsd",
                                             ".L3, 4 instructions"), plain,
                    make=osaca_class)
        ce.refuses("another target", "no instruction set for the target arm",
                   compilation(folder, INTEL, "arm32", []))
        ce.refuses("32 bits", "32-bit code", compilation(
            folder, INTEL, "amd64", ["-m32"]))
        ce.refuses("no core", "which core?", compilation(
            folder, "x:\n", "riscv64", []))
        ce.refuses("an unknown CPU", "frobnicate", plain, "--cpu frobnicate")
        for words in ("-o x", "--db x.db", "--batch x", "--model /etc/passwd",
                      "--with model:/etc/passwd", "--tables /etc/passwd",
                      "--tables output.s.mca", "--no-cache", "../../etc/passwd",
                      "--cpu -o", "--cpu"):
            ce.refuses("the argument " + words, "anechoic-tool: ", plain, words)
        check(sorted(os.listdir(folder)) == ["output.s.mca", "output.s.osaca"],
              "no file is written")
        broken = compilation(folder, "\tfrobnicate\n", "amd64", [])
        ce.refuses("no assembly", "anechoic: ", broken)
    print("%d passed, 0 failed" % passed)


main()
