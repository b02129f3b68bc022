/* The pack's file; see common/pack.h. */
#include <string.h>

#include "host/gen/builder.h"
#include "host/isa/isa.h"

static void fill_header(const struct gen *g, struct pack_header *h)
{
	const struct gen_profile *p = &g->profile;
	uint64_t id = gen_hash_start;

	memcpy(h->magic, PACK_MAGIC, sizeof(h->magic));
	h->version = PACK_VERSION;
	h->isa = g->c->isa->pack_isa;
	h->n_kernels = (uint32_t)g->n_entries;
	h->n_images = (uint32_t)g->n_images;
	h->memory_bytes = g->memory_bytes;
	h->kernel_cycles = p->kernel_cycles;
	h->n_repeats = p->n_repeats;
	h->sandwich_ns = p->sandwich_ns;
	h->n_sandwiches = p->n_sandwiches;
	h->n_visits = p->n_visits;
	h->ready_ms = p->ready_ms;
	h->memory_flags = p->memory_flags;
	memcpy(h->calib, g->calib, sizeof(h->calib));
	memcpy(h->wake, g->wake, sizeof(h->wake));
	h->loads = g->loads;
	for (size_t i = 0; i < g->n_entries; i++)
		id = gen_hash(id, &g->entries[i].kernel.id, sizeof(uint64_t));
	h->id = id;
}

static void add_aligned(struct buffer *b, size_t alignment)
{
	static const unsigned char zeros[GEN_CODE_ALIGN];
	size_t over = b->n % alignment;

	if (over)
		buffer_add(b, zeros, alignment - over);
}

static void add_tables(struct gen *g, struct buffer *b, struct pack_header *h)
{
	uint32_t label = 0;

	add_aligned(b, 8);
	h->kernels_offset = (uint32_t)b->n;
	for (size_t i = 0; i < g->n_entries; i++) {
		g->entries[i].kernel.label_offset = label;
		label += (uint32_t)strlen(g->entries[i].label) + 1;
		buffer_add(b, &g->entries[i].kernel,
			   sizeof(struct pack_kernel));
	}
	h->images_offset = (uint32_t)b->n;
	buffer_add(b, g->images, g->n_images * sizeof(*g->images));
	h->labels_offset = (uint32_t)b->n;
	h->labels_bytes = label;
	for (size_t i = 0; i < g->n_entries; i++)
		buffer_add(b, g->entries[i].label,
			   strlen(g->entries[i].label) + 1);
}

int gen_finish(struct gen *g, struct buffer *ret_pack, struct err *e)
{
	struct pack_header h = { 0 };
	struct buffer b = { 0 };

	fill_header(g, &h);
	buffer_add(&b, &h, sizeof(h));
	add_tables(g, &b, &h);
	add_aligned(&b, GEN_CODE_ALIGN);
	h.code_offset = (uint32_t)b.n;
	h.code_bytes = (uint32_t)g->code.n;
	buffer_add(&b, g->code.bytes, g->code.n);
	h.total_bytes = (uint32_t)b.n;
	memcpy(b.bytes, &h, sizeof(h));
	h.sum = pack_sum(b.bytes);
	memcpy(b.bytes, &h, sizeof(h));

	int bad = pack_check(b.bytes, b.n);

	if (bad == PACK_BAD_LIMIT && b.n > PACK_MAX_BYTES)
		(void)err_set(e, ERR_INPUT,
			      "the kernels take %zu MB, and a pack has %u at "
			      "most: choose fewer with --forms or --shard, or "
			      "lower --kernel-cycles",
			      b.n >> 20, PACK_MAX_BYTES >> 20);
	else if (bad != PACK_OK)
		(void)err_set(e, ERR_INPUT, "pack: %s", pack_strerror(bad));
	if (bad != PACK_OK) {
		buffer_free(&b);
		return e->code;
	}
	*ret_pack = b;
	return ERR_OK;
}
