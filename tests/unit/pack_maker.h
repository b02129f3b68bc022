/* Makes small packs for tests, with the layout of common/pack.h and with code
 * from the test instead of the generator. */
#ifndef TESTS_UNIT_PACK_MAKER_H
#define TESTS_UNIT_PACK_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "common/pack.h"

/* A kernel to make: length i holds `body` unroll * (i + 1) times and then
 * `end`.  With n_body 0 the code is one byte. */
struct pack_maker_kernel {
	const char *label;
	uint8_t flags;
	const unsigned char *body, *end[PACK_LENGTHS];
	size_t n_body, n_end[PACK_LENGTHS];
};

struct pack_maker {
	uint32_t isa;
	uint32_t unroll; /* of the shortest length; 0: 1 */
	size_t n;
	const struct pack_maker_kernel *kernels;
	const uint32_t *calib; /* PACK_N_CALIB, or NULL for none */
};

/* Update the checksum after the test changed the pack. */
static inline void pack_maker_seal(void *pack)
{
	struct pack_header *h = pack;

	h->sum = pack_sum(pack);
}

static inline size_t pack_maker_align(size_t n)
{
	return (n + 63) & ~(size_t)63;
}

static inline size_t pack_maker_code_bytes(const struct pack_maker *m, size_t k,
					   uint32_t unroll, int length)
{
	const struct pack_maker_kernel *kernel = &m->kernels[k];

	if (kernel->n_body == 0)
		return 1;
	return kernel->n_body * unroll + kernel->n_end[length];
}

static inline void pack_maker_code(const struct pack_maker_kernel *k,
				   uint32_t unroll, int length,
				   unsigned char *at)
{
	if (k->n_body == 0)
		return;
	for (uint32_t i = 0; i < unroll; i++)
		memcpy(at + i * k->n_body, k->body, k->n_body);
	if (k->n_end[length])
		memcpy(at + unroll * k->n_body, k->end[length],
		       k->n_end[length]);
}

static inline struct pack_header pack_maker_header(const struct pack_maker *m)
{
	struct pack_header h = {
		.magic = PACK_MAGIC,
		.version = PACK_VERSION,
		.isa = m->isa,
		.id = 0x1234,
		.n_kernels = (uint32_t)m->n,
		.kernels_offset = sizeof(h),
		.n_images = 1,
		.memory_bytes = 4096,
		.kernel_cycles = 2000,
		.n_repeats = 3,
		.sandwich_ns = 3000,
		.n_sandwiches = 5,
		.n_visits = 3,
		.ready_ms = 100,
	};

	for (int i = 0; i < PACK_N_CALIB; i++)
		h.calib[i] = m->calib ? m->calib[i] : PACK_NO_KERNEL;
	return h;
}

/* The pack, 64-byte aligned; release it with free().  It begins with a
 * pack_header. */
static inline void *pack_maker_make(const struct pack_maker *m)
{
	struct pack_header h = pack_maker_header(m);
	uint32_t unroll = m->unroll ? m->unroll : 1;
	size_t labels = 0;
	size_t code = 0;

	for (size_t k = 0; k < m->n; k++) {
		labels += strlen(m->kernels[k].label) + 1;
		for (int i = 0; i < PACK_LENGTHS; i++)
			code += pack_maker_align(pack_maker_code_bytes(
				m, k, unroll * (uint32_t)(i + 1), i));
	}
	h.images_offset =
		(uint32_t)(sizeof(h) + m->n * sizeof(struct pack_kernel));
	h.labels_offset = h.images_offset + sizeof(struct pack_image);
	h.labels_bytes = (uint32_t)labels;
	h.code_offset =
		(uint32_t)pack_maker_align(h.labels_offset + h.labels_bytes);
	h.code_bytes = (uint32_t)code;
	h.total_bytes = h.code_offset + h.code_bytes;

	unsigned char *p = aligned_alloc(64, pack_maker_align(h.total_bytes));

	if (!p)
		abort();
	memset(p, 0, pack_maker_align(h.total_bytes));
	memcpy(p, &h, sizeof(h));

	struct pack_kernel *kernels = (void *)(p + h.kernels_offset);
	size_t at = 0;
	size_t label = 0;

	for (size_t k = 0; k < m->n; k++) {
		size_t n_label = strlen(m->kernels[k].label) + 1;

		kernels[k].id = 0xabc000 + k;
		kernels[k].flags = m->kernels[k].flags;
		kernels[k].counter = 1;
		kernels[k].label_offset = (uint32_t)label;
		memcpy(p + h.labels_offset + label, m->kernels[k].label,
		       n_label);
		label += n_label;
		for (int i = 0; i < PACK_LENGTHS; i++) {
			uint32_t u = unroll * (uint32_t)(i + 1);
			size_t n = pack_maker_code_bytes(m, k, u, i);

			kernels[k].unroll[i] = u;
			kernels[k].code_offset[i] = (uint32_t)at;
			kernels[k].code_bytes[i] = (uint32_t)n;
			pack_maker_code(&m->kernels[k], u, i,
					p + h.code_offset + at);
			at += pack_maker_align(n);
		}
	}
	pack_maker_seal(p);
	return p;
}

#endif
