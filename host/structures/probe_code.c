/* Kernels of probes; see probe.h.  Where a walk is stays in memory from one run
 * of the kernel to the next, so each continues the one before. */
#include <inttypes.h>
#include <string.h>

#include "common/crc32.h"
#include "host/structures/probe_text.h"

enum {
	LOADS = 16,   /* of a chase in a body */
	ACCESSES = 8, /* of a stream between two advances */
	ADVANCES = 4, /* in a body */
	UNIT = 64,    /* bytes that streams are counted in */
	BODIES = 4,   /* of the shortest length */
};

/* ---- texts ------------------------------------------------------------------ */

static void put_chase(struct probe_text *t)
{
	probe_use_chain(t);
	probe_put_init(t, t->c->isa->frame->load,
		       (struct frame_operands){ .r = POINTER, .b = t->cells });
	for (unsigned i = 0; i < LOADS; i++)
		probe_load(t, POINTER, POINTER, 0);
	probe_store(t, POINTER, 0);
}

static void put_parallel(struct probe_text *t)
{
	unsigned n = t->p->n < CHAIN_CELLS ? t->p->n : CHAIN_CELLS;

	probe_use_chain(t);
	for (unsigned i = 0; i < n; i++) {
		probe_load(t, POINTER, t->cells, PROBE_CELL * (int64_t)i);
		probe_load(t, POINTER, POINTER, 0);
		probe_store(t, POINTER, PROBE_CELL * (int64_t)i);
	}
}

/* ---- streams ---------------------------------------------------------------- */

static void put_walk(struct probe_text *t)
{
	const struct isa_stream *s = t->c->isa->stream;
	const struct isa_width *w = probe_width(t->c);
	const char *access = t->p->kind == PROBE_READ ? w->load : w->store;

	t->cells = STREAM_CELLS;
	t->counter = STREAM_COUNTER;
	probe_point(t, s->base[0], CHAIN_AT);
	t->image.gpr[s->mask] = t->p->n - 1;
	t->memory_bytes = CHAIN_AT + (uint64_t)t->p->n;
	probe_put_init(
		t, t->c->isa->frame->load,
		(struct frame_operands){ .r = s->offset, .b = t->cells });
	for (unsigned k = 0; k < ADVANCES; k++) {
		if (s->address[0])
			probe_put_stream(t, s->address[0], 0, 0);
		for (unsigned i = 0; i < ACCESSES; i++)
			probe_put_stream(t, access, i % (w->registers / 2u),
					 i * w->bytes);
		probe_put_stream(t, s->advance, 0, ACCESSES * w->bytes);
	}
	probe_end(t, true);
	probe_store(t, s->offset, 0);
}

/* ---- kinds ------------------------------------------------------------------ */

struct kind {
	const char *name;
	void (*text)(struct probe_text *t);
	unsigned each; /* what a body repeats; 0: n times */
	enum { NEEDS_NOTHING, NEEDS_VECTORS, NEEDS_FLAGS } needs;
};

static const struct kind kinds[PROBE_N_KINDS] = {
	[PROBE_CHASE] = { "chase", put_chase, LOADS, NEEDS_NOTHING },
	[PROBE_PARALLEL] = { "parallel", put_parallel, 0, NEEDS_NOTHING },
	[PROBE_READ] = { "read", put_walk, 1, NEEDS_VECTORS },
	[PROBE_WRITE] = { "write", put_walk, 1, NEEDS_VECTORS },
	[PROBE_JUMPS] = { "jumps", probe_text_jumps, PROBE_JUMPS_EACH,
			  NEEDS_NOTHING },
	[PROBE_KNOWN] = { "known", probe_text_jumps, PROBE_JUMPS_EACH,
			  NEEDS_NOTHING },
	[PROBE_WINDOW] = { "window", probe_text_queue, 1, NEEDS_NOTHING },
	[PROBE_INTEGERS] = { "integers", probe_text_queue, 1, NEEDS_NOTHING },
	[PROBE_FLAGS] = { "flags", probe_text_queue, 1, NEEDS_FLAGS },
	[PROBE_VECTORS] = { "vectors", probe_text_queue, 1, NEEDS_VECTORS },
	[PROBE_HITS] = { "loads", probe_text_queue, 1, NEEDS_NOTHING },
	[PROBE_STORES] = { "stores", probe_text_queue, 1, NEEDS_NOTHING },
	[PROBE_WAITING] = { "waiting", probe_text_queue, 1, NEEDS_NOTHING },
	[PROBE_WAITING_VECTORS] = { "waitingvectors", probe_text_queue, 1,
				    NEEDS_VECTORS },
	[PROBE_WAITING_LOADS] = { "waitingloads", probe_text_queue, 1,
				  NEEDS_NOTHING },
	[PROBE_CHAINS] = { "chains", probe_text_chains,
			   PROBE_CHAINS_EACH *PROBE_CHAIN_OPS, NEEDS_VECTORS },
	[PROBE_RELATED] = { "related", probe_text_related, 1, NEEDS_NOTHING },
	[PROBE_UNRELATED] = { "unrelated", probe_text_related, 1,
			      NEEDS_NOTHING },
	[PROBE_PATTERN] = { "pattern", probe_text_pattern, PROBE_JUMPS_EACH,
			    NEEDS_NOTHING },
	[PROBE_EXITS] = { "exits", probe_text_exits, 1, NEEDS_NOTHING },
	[PROBE_CALLS] = { "calls", probe_text_calls, 1, NEEDS_NOTHING },
	[PROBE_TARGETS] = { "targets", probe_text_targets, 0, NEEDS_NOTHING },
	[PROBE_TABLE] = { "table", probe_text_table, 1, NEEDS_NOTHING },
	[PROBE_FORWARD] = { "forward", probe_text_forward, PROBE_PAIRS,
			    NEEDS_NOTHING },
	[PROBE_FORWARD_VECTOR] = { "forwardvector", probe_text_forward_vector,
				   PROBE_PAIRS, NEEDS_VECTORS },
	[PROBE_ALIAS] = { "alias", probe_text_alias, PROBE_PAIRS,
			  NEEDS_NOTHING },
	[PROBE_DRAIN] = { "drain", probe_text_drain, PROBE_DRAINED,
			  NEEDS_NOTHING },
};

static void name(struct probe_text *t, struct snippet *s)
{
	const struct core_probe *p = t->p;
	uint32_t crc = crc32_update(0, s->gen.code, s->gen.n);

	crc = crc32_update(crc, &t->image, sizeof(t->image));
	crc = crc32_update(crc, &p->huge, sizeof(p->huge));
	s->key = arena_printf(
		&t->c->arena,
		"%s-%" PRIu32 "-%" PRIu32 ".%" PRIu32 "#%08" PRIx32,
		kinds[p->kind].name, p->n, p->chain.places, p->chain.step, crc);
	s->label = arena_printf(&t->c->arena, "code:%s", s->key);
}

/* The frame: what is set before, and how often the code is there or runs. */
static void frame_of(struct probe_text *t, const struct snippet_bytes *init,
		     struct snippet *ret)
{
	ret->gen.frame = (struct frame){ .counter = t->counter,
					 .init = init->code,
					 .n_init = init->n,
					 .trip = -1 };
	ret->gen.init_forms = init->forms;
	ret->gen.own_loop = t->own_loop;
	for (uint32_t i = 0; i < PACK_LENGTHS; i++)
		ret->gen.bodies[i] = t->bodies * (i + 1);
	if (!t->own_loop)
		return;
	ret->gen.frame.trip = TRIP;
	ret->gen.frame.reset = 1u << TRIP;
	for (uint32_t i = 0; i < PACK_LENGTHS; i++)
		ret->gen.trip_first[i] = ret->gen.bodies[i];
}

int probe_code(struct campaign *c, struct mc_parser *parser,
	       const struct core_probe *p, struct snippet *ret, struct err *e)
{
	struct probe_text t = {
		.c = c,
		.parser = parser,
		.p = p,
		.cells = CELLS,
		.counter = COUNTER,
		.bodies = BODIES,
		.memory_bytes = CHAIN_AT, /* the cells */
		.e = e,
	};
	struct snippet_bytes init = { .n = 0 };

	*ret = (struct snippet){ .trip = -1 };
	c->isa->init_image(DOMAIN_INT, &t.image);
	memset(t.image.memory, 0, sizeof(t.image.memory));
	kinds[p->kind].text(&t);
	probe_point(&t, t.cells, 0);
	probe_end(&t, false);
	probe_encode(&t, &t.init, false, &init);
	frame_of(&t, &init, ret);
	ret->gen.image = t.image;
	ret->gen.memory_bytes = (uint32_t)t.memory_bytes;
	ret->gen.n = t.code.n;
	ret->gen.n_forms = t.forms.n / sizeof(*ret->gen.forms);
	ret->gen.forms = (const struct form *const *)(const void *)buffer_take(
		&c->arena, &t.forms);
	ret->gen.code = (const unsigned char *)buffer_take(&c->arena, &t.code);
	name(&t, ret);
	ret->gen.label = ret->label;
	buffer_free(&t.body);
	buffer_free(&t.init);
	return e->code;
}

double probe_per_body(const struct campaign *c, const struct core_probe *p)
{
	if (p->kind == PROBE_READ || p->kind == PROBE_WRITE)
		return (double)ADVANCES * ACCESSES * probe_width(c)->bytes /
		       UNIT;
	return kinds[p->kind].each ? kinds[p->kind].each : p->n;
}

bool probe_exists(const struct campaign *c, enum probe_kind kind)
{
	switch (kinds[kind].needs) {
	case NEEDS_VECTORS:
		return probe_width(c) != NULL;
	case NEEDS_FLAGS:
		return c->isa->frame->compare != NULL;
	default:
		return true;
	}
}
