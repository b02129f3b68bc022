/* Kernels that fill a queue, or forward stores; see probe.h. */
#include "host/structures/probe_text.h"

/* Registers of additions: several, so that they do not wait for each other. */
static const unsigned sums[] = { FREE, FIFTH, FACTOR, STREAM_COUNTER };

enum { FREE_CELL = 8, FREE_CELLS = 16 }; /* that no chase uses */

static void put_sum(struct probe_text *t, uint32_t i, unsigned from)
{
	probe_put(t, t->c->isa->frame->add,
		  (struct frame_operands){ .r = sums[i % ARRAY_LEN(sums)],
					   .t = from });
}

static int64_t free_cell(uint32_t i)
{
	return PROBE_CELL * (int64_t)(FREE_CELL + i % FREE_CELLS);
}

/* Instruction i behind the load into `pointer`. */
static void fill(struct probe_text *t, uint32_t i, unsigned pointer)
{
	const struct isa_width *w;

	switch (t->p->kind) {
	case PROBE_WINDOW:
		if (i % 2)
			put_sum(t, i / 2, CELLS);
		else
			probe_put(t, "nop", (struct frame_operands){ .n = 0 });
		break;
	case PROBE_INTEGERS:
		put_sum(t, i, CELLS);
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
		put_sum(t, i, pointer);
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

/* A load that is not a part of what a store wrote waits until it is written: H. Wong,
 * "Store-to-Load Forwarding and Memory Disambiguation in x86 Processors" (the same
 * place, 2014). */
void probe_text_forward(struct probe_text *t)
{
	const struct isa_frame *w = t->c->isa->frame;
	enum { HALF = PROBE_CELL / 2 };
	bool half = t->p->n == FORWARD_LOW || t->p->n == FORWARD_HIGH;
	int64_t at =
		t->p->n == FORWARD_SAME || t->p->n == FORWARD_LOW ? 0 : HALF;

	for (unsigned i = 0; i < PROBE_PAIRS; i++) {
		probe_store(t, FREE, 0);
		if (t->p->n == FORWARD_TWO)
			probe_store(t, FREE, PROBE_CELL);
		probe_put(t, half ? w->half : w->load,
			  (struct frame_operands){
				  .r = FREE, .b = t->cells, .n = at });
	}
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
