/* RISC-V: kernels on streams of memory. */
#include "common/pack.h"
#include "host/isa/riscv64.h"
#include "host/isa/stream.h"

static const struct isa_width widths[] = {
	{
		.name = "scalar",
		.needs = "d",
		.bytes = 8,
		.flags = PACK_KERNEL_VECTOR,
		.registers = 30,
		.load = "fld f@, ~(&)",
		.store = "fsd f@, ~(&)",
		.triad = "fld f!, ~(&)\nfmadd.d f@, f!, f31, f@",
		.multiply_add = "fmadd.d f@, f30, f31, f@",
	},
	/* Eight registers move at once.  vsetvli returns the doubles in
	 * them. */
	{
		.name = "RVV",
		.needs = "v",
		.bytes = 1,
		.scalable = true,
		.group = 8,
		.flags = PACK_KERNEL_VECTOR,
		.registers = 30,
		.begin = "vsetvli x15, x0, e64, m8, ta, ma",
		.begin_registers = "vsetvli x15, x0, e64, m1, ta, ma",
		.advance = "slli x15, x15, 3\nadd x10, x10, x15\n"
			   "and x10, x10, x11",
		.load = "vle64.v v8, (&)",
		.store = "vse64.v v8, (&)",
		.triad = "vle64.v v16, (&)\nvfmacc.vf v8, f31, v16",
		.multiply_add = "vfmacc.vv v@, v30, v31",
	},
	{ .name = NULL },
};

const struct isa_stream riscv64_stream = {
	.base = { 18, 19, 20 },
	.offset = 10,
	.mask = 11,
	.arrays = { "x12", "x13", "x14" },
	.address = { "add x12, x18, x10", "add x13, x19, x10",
		     "add x14, x20, x10" },
	.advance = "addi x10, x10, ~\nand x10, x10, x11",
	.chase = "ld x10, 0(x10)",
	.widths = widths,
};
