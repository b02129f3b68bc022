/* AArch64: kernels on streams of memory. */
#include "common/pack.h"
#include "host/isa/aarch64.h"
#include "host/isa/stream.h"

static const struct isa_width widths[] = {
	{
		.name = "scalar",
		.needs = "fp-armv8",
		.bytes = 8,
		.flags = PACK_KERNEL_VECTOR,
		.registers = 30,
		.load = "ldr d@, [&, #~]",
		.store = "str d@, [&, #~]",
		.triad = "ldr d!, [&, #~]\nfmadd d@, d!, d31, d@",
		.multiply_add = "fmadd d@, d30, d31, d@",
	},
	{
		.name = "128",
		.needs = "neon",
		.bytes = 16,
		.flags = PACK_KERNEL_VECTOR,
		.registers = 30,
		.load = "ldr q@, [&, #~]",
		.store = "str q@, [&, #~]",
		.stream = "stnp q@, q!, [&, #~]",
		.stream_registers = 2,
		.triad = "ldr q!, [&, #~]\nfmla v@.2d, v!.2d, v31.2d",
		.multiply_add = "fmla v@.2d, v30.2d, v31.2d",
	},
	{
		.name = "SVE",
		.needs = "sve",
		.bytes = 1,
		.scalable = true,
		.flags = PACK_KERNEL_VECTOR,
		.registers = 30,
		.begin = "ptrue p0.d",
		.begin_registers = "ptrue p0.d",
		.advance = "addvl x0, x0, #8\nand x0, x0, x4",
		.load = "ld1d {z@.d}, p0/z, [&, #~, mul vl]",
		.store = "st1d {z@.d}, p0, [&, #~, mul vl]",
		.stream = "stnt1d {z@.d}, p0, [&, #~, mul vl]",
		.stream_registers = 1,
		.triad = "ld1d {z!.d}, p0/z, [&, #~, mul vl]\n"
			 "fmla z@.d, p0/m, z!.d, z31.d",
		.multiply_add = "fmla z@.d, p0/m, z30.d, z31.d",
	},
	{ .name = NULL },
};

const struct isa_stream aarch64_stream = {
	.base = { 1, 2, 3 },
	.offset = 0,
	.mask = 4,
	.arrays = { "x9", "x10", "x11" },
	.address = { "add x9, x1, x0", "add x10, x2, x0", "add x11, x3, x0" },
	.advance = "add x0, x0, #~\nand x0, x0, x4",
	.chase = "ldr x0, [x0]",
	.widths = widths,
};
