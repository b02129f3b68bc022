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

/* Vectors of a width in the registers `r`, whose two constants are the last. */
#define PACKED(bits, feature, n_bytes, kinds, n_written, r, c, d)          \
	{                                                                  \
		.name = bits, .needs = feature, .bytes = n_bytes,          \
		.flags = kinds, .registers = n_written,                    \
		.load = "vmovupd ~(&), %" r "@",                           \
		.store = "vmovupd %" r "@, ~(&)",                          \
		.stream = "vmovntpd %" r "@, ~(&)", .stream_registers = 1, \
		.triad = "vfmadd231pd ~(&), %" r d ", %" r "@",            \
		.multiply_add = "vfmadd231pd %" r c ", %" r d ", %" r "@", \
	}

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
	PACKED("128", "fma", 16, PACK_KERNEL_VECTOR, 14, "xmm", "14", "15"),
	PACKED("256", "fma", 32, WIDE, 14, "ymm", "14", "15"),
	PACKED("512", "avx512f", 64, WIDEST, 30, "zmm", "30", "31"),
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
