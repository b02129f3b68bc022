/* x86-64: kernels on streams of memory. */
#include "common/pack.h"
#include "host/isa/stream.h"
#include "host/isa/x86_64.h"

enum {
	WIDE = PACK_KERNEL_VECTOR | PACK_KERNEL_WIDE,
	WIDEST = WIDE | PACK_KERNEL_WIDEST,
	RAX = 0,
	RBX = 3,
	RBP = 5,
	RSI = 6,
	R14 = 14,
};

static const struct isa_width widths[] = {
	{
		.name = "scalar",
		.needs = "fma",
		.bytes = 8,
		.flags = PACK_KERNEL_VECTOR,
		.registers = 14,
		.load = "vmovsd ~(&), %xmm@",
		.store = "vmovsd %xmm@, ~(&)",
		.triad = "vfmadd231sd ~(&), %xmm15, %xmm@",
		.multiply_add = "vfmadd231sd %xmm14, %xmm15, %xmm@",
	},
	{
		.name = "128",
		.needs = "fma",
		.bytes = 16,
		.flags = PACK_KERNEL_VECTOR,
		.registers = 14,
		.load = "vmovupd ~(&), %xmm@",
		.store = "vmovupd %xmm@, ~(&)",
		.stream = "vmovntpd %xmm@, ~(&)",
		.stream_registers = 1,
		.triad = "vfmadd231pd ~(&), %xmm15, %xmm@",
		.multiply_add = "vfmadd231pd %xmm14, %xmm15, %xmm@",
	},
	{
		.name = "256",
		.needs = "fma",
		.bytes = 32,
		.flags = WIDE,
		.registers = 14,
		.load = "vmovupd ~(&), %ymm@",
		.store = "vmovupd %ymm@, ~(&)",
		.stream = "vmovntpd %ymm@, ~(&)",
		.stream_registers = 1,
		.triad = "vfmadd231pd ~(&), %ymm15, %ymm@",
		.multiply_add = "vfmadd231pd %ymm14, %ymm15, %ymm@",
	},
	{
		.name = "512",
		.needs = "avx512f",
		.bytes = 64,
		.flags = WIDEST,
		.registers = 30,
		.load = "vmovupd ~(&), %zmm@",
		.store = "vmovupd %zmm@, ~(&)",
		.stream = "vmovntpd %zmm@, ~(&)",
		.stream_registers = 1,
		.triad = "vfmadd231pd ~(&), %zmm31, %zmm@",
		.multiply_add = "vfmadd231pd %zmm30, %zmm31, %zmm@",
	},
	{ .name = NULL },
};

const struct isa_stream x86_64_stream = {
	.base = { RBX, RBP, RSI },
	.offset = RAX,
	.mask = R14,
	.arrays = { "%rbx,%rax", "%rbp,%rax", "%rsi,%rax" },
	.advance = "addq $~, %rax\nandq %r14, %rax",
	.chase = "movq (%rax), %rax",
	.widths = widths,
};
