#include "tests/native/pack.h"

#include <assert.h>
#include <string.h>

enum {
	CALIB_KERNELS = 3,
	CODE_ALIGN = 64,
	LABEL_ROOM = 64,
};

static const uint32_t unrolls[PACK_LENGTHS] = { 8, 16, 32 };

void code_append(struct code *c, const void *bytes, size_t n)
{
	assert(c->n + n <= sizeof(c->bytes));
	memcpy(c->bytes + c->n, bytes, n);
	c->n += n;
}

static void append_word(struct code *c, uint32_t word)
{
	code_append(c, &word, sizeof(word));
}

static void close_x86_64(struct code *c)
{
	static const unsigned char dec_jnz[] = { 0x49, 0xff, 0xcf, 0x0f, 0x85 };

	code_append(c, dec_jnz, sizeof(dec_jnz));
	append_word(c, (uint32_t) - (int32_t)(c->n + 4));
}

static void close_aarch64(struct code *c)
{
	append_word(c, 0xd10005ef); /* sub x15, x15, #1 */

	uint32_t words = (uint32_t) - (int32_t)(c->n / 4);

	append_word(c, 0xb500000f | (words & 0x7ffff) << 5); /* cbnz x15 */
}

static void close_riscv64(struct code *c)
{
	append_word(c, 0xfff28293); /* addi t0, t0, -1 */

	/* A branch reaches 4 KiB: enough for every body here. */
	uint32_t o = (uint32_t) - (int32_t)c->n;

	append_word(c, 0x00029063 | (o >> 12 & 1) << 31 |
			       (o >> 5 & 0x3f) << 25 | (o >> 1 & 0xf) << 8 |
			       (o >> 11 & 1) << 7); /* bnez t0 */
}

#define BYTES(...)                                                   \
	{                                                            \
		.n = sizeof((const unsigned char[]){ __VA_ARGS__ }), \
		.bytes = { __VA_ARGS__ },                            \
	}
#define WORD(w) \
	BYTES((w)&0xff, (w) >> 8 & 0xff, (w) >> 16 & 0xff, (w) >> 24 & 0xff)

static const struct hand_isa isas[] = {
	{
		.name = "x86_64",
		.id = PACK_ISA_X86_64,
		.counter = 15,
		.address = 3,
		.add = BYTES(0x48, 0x01, 0xd8), /* add rax, rbx */
		.xor = BYTES(0x48, 0x31, 0xd8), /* xor rax, rbx */
		.nop = BYTES(0x90),
		.illegal = BYTES(0x0f, 0x0b),    /* ud2 */
		.load = BYTES(0x48, 0x8b, 0x03), /* mov rax, [rbx] */
		.hang = BYTES(0xeb, 0xfe),       /* jmp . */
		.ret = BYTES(0xc3),
		.close = close_x86_64,
	},
	{
		.name = "aarch64",
		.id = PACK_ISA_AARCH64,
		.counter = 15,
		.address = 1,
		.add = WORD(0x8b010000u), /* add x0, x0, x1 */
		.xor = WORD(0xca010000u), /* eor x0, x0, x1 */
		.nop = WORD(0xd503201fu),
		.illegal = WORD(0x00000000u), /* udf #0 */
		.load = WORD(0xf9400020u),    /* ldr x0, [x1] */
		.hang = WORD(0x14000000u),    /* b . */
		.ret = WORD(0xd65f03c0u),
		.close = close_aarch64,
	},
	{
		.name = "riscv64",
		.id = PACK_ISA_RISCV64,
		.counter = 5,
		.address = 11,
		.add = WORD(0x00b50533u), /* add a0, a0, a1 */
		.xor = WORD(0x00b54533u), /* xor a0, a0, a1 */
		.nop = WORD(0x00000013u),
		.illegal = WORD(0xc0001073u), /* unimp */
		.load = WORD(0x0005b503u),    /* ld a0, 0(a1) */
		.hang = WORD(0x0000006fu),    /* j . */
		.ret = WORD(0x00008067u),
		.close = close_riscv64,
	},
};

const struct hand_isa *hand_isa(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(isas); i++)
		if (strcmp(isas[i].name, name) == 0)
			return &isas[i];
	return NULL;
}

/* Reserve n zeroed bytes at the end, aligned; returns their offset. */
static uint32_t reserve(struct hand_pack *p, size_t n, size_t align)
{
	size_t at = (p->n + align - 1) / align * align;

	assert(at + n <= sizeof(p->bytes));
	memset(p->bytes + p->n, 0, at + n - p->n);
	p->n = at + n;
	return (uint32_t)at;
}

static void add_code(struct hand_pack *p, const struct hand_isa *isa,
		     const struct hand_kernel *from, struct pack_kernel *k)
{
	uint32_t base = ((struct pack_header *)p->bytes)->code_offset;

	for (int i = 0; i < PACK_LENGTHS; i++) {
		struct code c = { .n = 0 };

		for (uint32_t u = 0; u < unrolls[i]; u++)
			code_append(&c, from->body, from->n_body);
		isa->close(&c);
		code_append(&c, isa->ret.bytes, isa->ret.n);

		uint32_t at = reserve(p, c.n, CODE_ALIGN);

		memcpy(p->bytes + at, c.bytes, c.n);
		k->code_offset[i] = at - base;
		k->code_bytes[i] = (uint32_t)c.n;
		k->unroll[i] = unrolls[i];
	}
}

static void add_tables(struct hand_pack *p, const struct hand_isa *isa,
		       size_t n)
{
	struct pack_header *h = (void *)p->bytes;

	(void)reserve(p, sizeof(*h), 8);
	memcpy(h->magic, PACK_MAGIC, sizeof(h->magic));
	h->version = PACK_VERSION;
	h->isa = isa->id;
	h->id = 0x1234;
	h->n_kernels = (uint32_t)n;
	h->kernels_offset = reserve(p, n * sizeof(struct pack_kernel), 8);
	h->n_images = (uint32_t)n;
	h->images_offset = reserve(p, n * sizeof(struct pack_image), 8);
	h->labels_bytes = (uint32_t)n * LABEL_ROOM;
	h->labels_offset = reserve(p, h->labels_bytes, 8);
	h->code_offset = reserve(p, 0, CODE_ALIGN);
	h->memory_bytes = 4096;
	for (uint32_t i = 0; i < CALIB_KERNELS; i++)
		h->calib[i] = i;
	h->kernel_cycles = 20000;
	h->n_repeats = 3;
	h->sandwich_ns = 2000;
	h->n_sandwiches = 11;
	h->n_visits = 2;
	h->ready_ms = 300;
}

void hand_checksum(struct hand_pack *p)
{
	struct pack_header *h = (void *)p->bytes;

	h->sum = pack_sum(p->bytes);
}

void hand_build(struct hand_pack *p, const struct hand_isa *isa,
		const struct hand_kernel *kernels, size_t n)
{
	const struct hand_kernel calib[CALIB_KERNELS] = {
		{ .label = "calibrate:add", HAND_BODY(isa->add) },
		{ .label = "calibrate:xor", HAND_BODY(isa->xor) },
		{ .label = "probe:nop", HAND_BODY(isa->nop) },
	};
	struct pack_header *h = (void *)p->bytes;

	p->n = 0;
	add_tables(p, isa, n + CALIB_KERNELS);
	for (uint32_t i = 0; i < h->n_kernels; i++) {
		const struct hand_kernel *from =
			i < CALIB_KERNELS ? &calib[i]
					  : &kernels[i - CALIB_KERNELS];
		struct pack_kernel *k =
			(struct pack_kernel *)(p->bytes + h->kernels_offset) +
			i;
		struct pack_image *image =
			(struct pack_image *)(p->bytes + h->images_offset) + i;

		*image = from->image;
		k->id = 100 + i;
		k->image = (uint16_t)i;
		k->counter = isa->counter;
		k->flags = (uint8_t)from->flags;
		if (i < CALIB_KERNELS)
			k->flags |= PACK_KERNEL_CALIB;
		k->label_offset = i * LABEL_ROOM;
		assert(strlen(from->label) < LABEL_ROOM);
		strcpy((char *)p->bytes + h->labels_offset + k->label_offset,
		       from->label);
		add_code(p, isa, from, k);
	}
	(void)reserve(p, 0, CODE_ALIGN);
	h->code_bytes = (uint32_t)p->n - h->code_offset;
	h->total_bytes = (uint32_t)p->n;
	hand_checksum(p);
}
