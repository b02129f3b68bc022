/* Packs by hand: a few kernels as bytes, so that a runtime can be tested
 * without a code generator. */
#ifndef TESTS_NATIVE_PACK_H
#define TESTS_NATIVE_PACK_H

#include "common/pack.h"

enum {
	HAND_CODE_MAX = 32 * 1024,
	HAND_PACK_MAX = 512 * 1024,
};

/* Code under construction. */
struct code {
	size_t n;
	unsigned char bytes[HAND_CODE_MAX];
};

void code_append(struct code *c, const void *bytes, size_t n);

/* One instruction. */
struct instruction {
	size_t n;
	unsigned char bytes[8];
};

/* Instructions for kernels of one ISA. */
struct hand_isa {
	const char *name;
	enum pack_isa id;
	uint8_t counter; /* register of the iteration count */
	uint8_t address; /* register `load` reads through */
	struct instruction
		add;      /* adds a register to another, a 1-cycle chain */
	struct code xor ; /* the same with exclusive or */
	struct instruction nop;
	struct instruction illegal; /* raises the illegal instruction fault */
	struct instruction load;    /* reads eight bytes at [address] */
	struct instruction hang;    /* jumps to itself */
	struct instruction ret;
	/* Append: counter -= 1; if not zero, back to the start of the code. */
	void (*close)(struct code *c);
};

/* The ISA of this name, or NULL. */
const struct hand_isa *hand_isa(const char *name);

/* One kernel to put into a pack: `body` repeated unroll times in a loop. */
struct hand_kernel {
	const char *label;
	const void *body;
	size_t n_body;
	struct pack_image image;
	uint32_t flags;
};

/* The body of a kernel that repeats one instruction. */
#define HAND_BODY(i) .body = (i).bytes, .n_body = (i).n

struct hand_pack {
	size_t n;
	unsigned char bytes[HAND_PACK_MAX] __attribute__((aligned(64)));
};

/* Build a pack: three calibration kernels (0, 1, 2), then the given ones. */
void hand_build(struct hand_pack *p, const struct hand_isa *isa,
		const struct hand_kernel *kernels, size_t n);

/* Recompute the checksum after bytes were changed on purpose. */
void hand_checksum(struct hand_pack *p);

#endif
