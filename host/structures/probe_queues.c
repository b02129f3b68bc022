/* Kernels that fill a queue, or forward stores; see probe.h. */
#include "host/structures/probe_text.h"

/* Registers of additions: several, so that they do not wait for each other. */
static const unsigned sums[] = { FREE, FIFTH, FACTOR, STREAM_COUNTER };

enum {
	FREE_CELL = 8, /* that no chase uses */
	FREE_CELLS = 16,
	VECTORS = 14, /* that isa_frame.add_vector writes */
};

static void put_sum(struct probe_text *t, const char *line, uint32_t i,
		    unsigned from)
{
	probe_put(t, line,
		  (struct frame_operands){ .r = sums[i % ARRAY_LEN(sums)],
					   .t = from });
}

static void put_vector(struct probe_text *t, uint32_t i)
{
	probe_put(t, t->c->isa->frame->add_vector,
		  (struct frame_operands){ .n = i % VECTORS });
}

/* Integer additions, vector additions and comparisons, a third of each; nop for what
 * the core lacks.  So each file of registers fills slowly; queues.c looks whether one
 * was full before the window. */
static void put_mixed(struct probe_text *t, uint32_t i)
{
	const struct isa_frame *w = t->c->isa->frame;

	if (i % 3 == 1 && probe_width(t->c))
		put_vector(t, i / 3);
	else if (i % 3 == 2 && w->compare)
		put_sum(t, w->compare, i / 3, CELLS);
	else if (i % 3 == 0)
		put_sum(t, w->twice, i / 3, CELLS);
	else
		probe_put(t, "nop", (struct frame_operands){ .n = 0 });
}

static int64_t free_cell(uint32_t i)
{
	return PROBE_CELL * (int64_t)(FREE_CELL + i % FREE_CELLS);
}

/* Instruction i behind the load into `pointer`. */
static void fill(struct probe_text *t, uint32_t i, unsigned pointer)
{
	const struct isa_frame *words = t->c->isa->frame;
	const struct isa_width *w;

	switch (t->p->kind) {
	case PROBE_WINDOW:
		put_mixed(t, i);
		break;
	case PROBE_INTEGERS:
		put_sum(t, words->twice, i, CELLS);
		break;
	case PROBE_FLAGS:
		put_sum(t, words->compare, i, CELLS);
		break;
	case PROBE_WAITING_VECTORS:
		put_vector(t, i);
		break;
	case PROBE_VECTORS:
		w = probe_width(t->c);
		probe_put_stream(t, w->multiply_add, i % w->registers, 0);
		break;
	case PROBE_HITS:
		probe_load(t, sums[i % ARRAY_LEN(sums)], CELLS, free_cell(i));
		break;
	case PROBE_STORES:
		probe_store(t, CELLS, free_cell(i));
		break;
	case PROBE_WAITING:
		put_sum(t, words->add, i, pointer);
		break;
	default:
		/* The same line of memory: there with the load before. */
		probe_load(t, sums[i % ARRAY_LEN(sums)], pointer, PROBE_CELL);
		break;
	}
}

/* The method of H. Wong, "Measuring Reorder Buffer Capacity" (blog.stuffedcow.net,
 * 2013): two loads that miss are served at once as long as all between them is in
 * flight; what fills the space decides which queue is the limit. */
void probe_text_queue(struct probe_text *t)
{
	static const unsigned pointers[] = { POINTER, SECOND };
	enum { FEW_BODIES = 2 };
	const struct isa_frame *w = t->c->isa->frame;
	int64_t half = PROBE_CELL * CHAIN_CELLS / 2;

	t->bodies = FEW_BODIES;
	probe_use_chain(t);
	probe_put_init(t, w->load,
		       (struct frame_operands){ .r = POINTER, .b = t->cells });
	probe_put_init(t, w->load,
		       (struct frame_operands){
			       .r = SECOND, .b = t->cells, .n = half });
	for (unsigned k = 0; k < ARRAY_LEN(pointers); k++) {
		probe_load(t, pointers[k], pointers[k], 0);
		if (t->p->kind == PROBE_WAITING_VECTORS)
			probe_put(t, w->to_vector,
				  (struct frame_operands){ .r = pointers[k] });
		if (t->p->kind == PROBE_VECTORS)
			probe_end(t, false);
		for (uint32_t i = 0; i < t->p->n; i++)
			fill(t, i, pointers[k]);
		if (t->p->kind == PROBE_VECTORS)
			probe_end(t, true);
	}
	probe_store(t, POINTER, 0);
	probe_store(t, SECOND, half);
}

/* With the array of streams. */
void probe_text_forward_vector(struct probe_text *t)
{
	const struct isa_stream *s = t->c->isa->stream;
	const struct isa_width *w = probe_width(t->c);

	t->cells = STREAM_CELLS;
	t->counter = STREAM_COUNTER;
	probe_point(t, s->base[0], 0);
	t->image.gpr[s->offset] = 0;
	if (s->address[0])
		probe_put_stream(t, s->address[0], 0, 0);
	for (unsigned i = 0; i < PROBE_PAIRS; i++) {
		probe_put_stream(t, w->store, 0, 0);
		probe_put_stream(t, w->load, 0, 0);
	}
	probe_end(t, true);
}

/* See host/effect/queue.c, whose experiment this is. */
void probe_text_chains(struct probe_text *t)
{
	enum { FEW_BODIES = 2, OPS = PROBE_CHAINS_EACH * PROBE_CHAIN_OPS };
	const struct isa_width *w = probe_width(t->c);

	t->bodies = FEW_BODIES;
	for (unsigned i = 0; i < OPS; i++)
		probe_put_stream(t, w->multiply_add,
				 t->p->n ? i / PROBE_CHAIN_OPS % t->p->n
					 : i % w->registers,
				 0);
	probe_end(t, true);
}

/* A load that is not a part of what a store wrote waits until it is written: H. Wong,
 * "Store-to-Load Forwarding and Memory Disambiguation in x86 Processors" (the same
 * place, 2014). */
void probe_text_forward(struct probe_text *t)
{
	enum { HALF = PROBE_CELL / 2, LINE = 256, PAGE = 4096 };
	const struct isa_frame *w = t->c->isa->frame;
	const struct {
		const char *store, *load;
		int64_t at, behind; /* of the store; of the load behind that */
	} all[FORWARD_N] = {
		[FORWARD_SAME] = { w->store, w->load, 0, 0 },
		[FORWARD_LOW] = { w->store, w->half, 0, 0 },
		[FORWARD_HIGH] = { w->store, w->half, 0, HALF },
		[FORWARD_SHIFTED] = { w->store, w->load, 0, HALF },
		[FORWARD_TWO] = { w->store, w->load, 0, HALF },
		[FORWARD_HALF] = { w->store_half, w->half, 0, 0 },
		[FORWARD_NARROW] = { w->store_half, w->load, 0, 0 },
		[FORWARD_LINE] = { w->store, w->load, LINE - HALF, 0 },
		[FORWARD_PAGE] = { w->store, w->load, PAGE - HALF, 0 },
	}, *x = &all[t->p->n];

	/* Displacements of this size do not exist everywhere. */
	probe_point(t, SECOND, (uint64_t)x->at);
	for (unsigned i = 0; i < PROBE_PAIRS; i++) {
		probe_put(t, x->store,
			  (struct frame_operands){ .r = FREE, .b = SECOND });
		if (t->p->n == FORWARD_TWO)
			probe_store(t, FREE, PROBE_CELL);
		probe_put(t, x->load,
			  (struct frame_operands){
				  .r = FREE, .b = SECOND, .n = x->behind });
	}
}

/* In steady state a store takes as long as the buffer needs to be rid of one. */
void probe_text_drain(struct probe_text *t)
{
	enum { MOST = 2048 };

	for (uint32_t i = 0; i < PROBE_DRAINED; i++)
		probe_put(t, t->c->isa->frame->store,
			  (struct frame_operands){ .r = FREE,
						   .b = CELLS,
						   .n = i * t->p->n % MOST });
}

void probe_text_alias(struct probe_text *t)
{
	enum { PAGE = 4096 };
	const struct isa_frame *w = t->c->isa->frame;

	probe_use_chain(t);
	probe_point(t, START, CHAIN_AT - PAGE);
	probe_put_init(t, w->load,
		       (struct frame_operands){ .r = POINTER, .b = t->cells });
	for (unsigned i = 0; i < PROBE_PAIRS; i++) {
		probe_put(t, w->store,
			  (struct frame_operands){
				  .r = FREE, .b = START, .n = t->p->n });
		probe_load(t, POINTER, POINTER, 0);
	}
}
