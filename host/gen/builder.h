/* A pack being built; shared by gen.c (experiments), code.c (given code) and
 * pack.c (the file). */
#ifndef GEN_BUILDER_H
#define GEN_BUILDER_H

#include "host/gen/gen.h"

enum { GEN_CODE_ALIGN = 64 };

/* A kernel before its place in the pack is known. */
struct code_entry {
	struct pack_kernel kernel;
	char label[PACK_MAX_LABEL];
	uint32_t chains;
	uint32_t instructions;   /* retired per body */
	enum kernel_class class; /* of struct kernel_row */
};

struct gen {
	const struct catalogue *c;
	struct gen_profile profile;
	struct code_entry *entries;
	size_t n_entries, entries_room;
	struct pack_image *images;
	size_t n_images;
	uint32_t calib[PACK_N_CALIB];
	uint32_t wake[PACK_N_WAKE];
	uint32_t loads;
	uint32_t memory_bytes; /* 0: no kernel accesses memory */
	struct buffer code;
};

/* FNV-1a, 64 bit (Fowler, Noll, Vo): short, and good enough to name
 * contents. */
static const uint64_t gen_hash_start = 0xcbf29ce484222325ull;

static inline uint64_t gen_hash(uint64_t h, const void *p, size_t n)
{
	const unsigned char *bytes = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ bytes[i]) * 0x100000001b3ull;
	return h;
}

/* The entry behind the last; it counts when g->n_entries is increased. */
struct code_entry *gen_new_entry(struct gen *g);

/* Index of the image, which is added if there is none like it. */
size_t gen_add_image(struct gen *g, const struct pack_image *image);

/* Fill the code up to the alignment of a kernel. */
void gen_align_code(struct gen *g);

/* The flags that a form's kernel needs, enum pack_kernel_flags. */
uint8_t gen_form_flags(const struct catalogue *c, const struct form *f);

/* The class of a kernel with these flags, and with accesses of enum
 * memory_access. */
enum kernel_class gen_class(uint8_t flags, unsigned access);

/* Content hash of a kernel whose code and image are in place. */
uint64_t gen_kernel_id(const struct gen *g, const struct pack_kernel *k);

#endif
