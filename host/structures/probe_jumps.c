/* Kernels that jump; see probe.h. */
#include "host/structures/probe_text.h"

/* Knuth's MMIX generator without its constant: the upper bits of odd numbers are
 * random. */
static const uint64_t factor = UINT64_C(6364136223846793005);

enum {
	BLOCK = 16,  /* bytes from one function, or target, to the next */
	FAR = 1024,  /* trips of kernels that jump once a trip */
	ROUNDS = 16, /* of kernels that repeat many jumps */
	PATTERN_TRIPS = 1024, /* a power of two */
};

static void next_random(struct probe_text *t, unsigned gpr)
{
	probe_put(t, t->c->isa->frame->mul,
		  (struct frame_operands){ .r = gpr, .t = FACTOR });
}

/* Over a nop if a bit of the register is clear. */
static void skip(struct probe_text *t, unsigned gpr, unsigned label)
{
	probe_put(t, t->c->isa->frame->skip_if_clear,
		  (struct frame_operands){ .r = gpr, .t = FREE, .n = label });
	probe_put(t, "nop\nL{n}:", (struct frame_operands){ .n = label });
}

/* Random numbers that continue from one run to the next. */
static void use_random(struct probe_text *t, unsigned gpr, unsigned cell)
{
	t->image.gpr[FACTOR] = factor;
	t->image.memory[(size_t)PROBE_CELL * cell] = (uint8_t)(1 + 2 * cell);
	probe_put_init(
		t, t->c->isa->frame->load,
		(struct frame_operands){ .r = gpr,
					 .b = t->cells,
					 .n = PROBE_CELL * (int64_t)cell });
}

void probe_text_jumps(struct probe_text *t)
{
	bool random = t->p->kind == PROBE_JUMPS;

	use_random(t, SECOND, 0);
	/* Of the known ones: always taken, or never. */
	t->image.gpr[POINTER] = t->p->n ? UINT64_MAX : 0;
	for (unsigned i = 0; i < PROBE_JUMPS_EACH; i++) {
		next_random(t, SECOND);
		skip(t, random ? SECOND : POINTER, i);
	}
	probe_store(t, SECOND, 0);
}

void probe_text_related(struct probe_text *t)
{
	enum { TRIPS = 24, SPACE = 8 };
	size_t top = probe_at(t);

	probe_own_loop(t, TRIPS);
	use_random(t, SECOND, 0);
	use_random(t, POINTER, 1);
	next_random(t, SECOND);
	next_random(t, POINTER);
	skip(t, SECOND, 0);
	probe_end(t, false);
	for (uint32_t i = 0; i < t->p->n; i++) {
		size_t next = probe_at(t) + SPACE;

		probe_go(t, next, false);
		probe_pad(t, next);
	}
	skip(t, t->p->kind == PROBE_RELATED ? SECOND : POINTER, 1);
	probe_end(t, false);
	probe_back(t, TRIP, top);
	probe_store(t, SECOND, 0);
	probe_store(t, POINTER, PROBE_CELL);
}

/* The lengths follow each other through the sequence, again and again, and n and the
 * jumps of the first length are powers of two: a length begins at each multiple of
 * the greatest common divisor of n and the jumps of all. */
uint64_t probe_pattern_entries(uint32_t n)
{
	const uint64_t first = (uint64_t)PATTERN_TRIPS * PROBE_JUMPS_EACH;
	uint64_t all = first * PACK_LENGTHS * (PACK_LENGTHS + 1) / 2;
	uint64_t apart = all & ~(all - 1), ret = 0;

	if (apart > n)
		apart = n;
	for (uint64_t k = 1; k <= PACK_LENGTHS; k++)
		ret += k * first < apart ? n / apart * k * first : n;
	return ret;
}

/* Of the products that start at 2^s times an odd number, the bit that jumps test
 * repeats after 2^(BIT - 1 - s): it is the highest of numbers modulo a power of
 * two (Knuth, volume 2, 3.2.1.2, theorem C). */
void probe_text_pattern(struct probe_text *t)
{
	enum { BIT = 40 };
	unsigned zeros = BIT - 1 - (unsigned)__builtin_ctz(t->p->n);
	size_t top;

	probe_own_loop(t, PATTERN_TRIPS);
	use_random(t, SECOND, 0);
	t->image.memory[0] = 0;
	t->image.memory[zeros / 8] = (uint8_t)(1 << zeros % 8);
	top = probe_at(t);
	for (unsigned i = 0; i < PROBE_JUMPS_EACH; i++) {
		next_random(t, SECOND);
		skip(t, SECOND, i);
	}
	probe_end(t, false);
	probe_back(t, TRIP, top);
	probe_store(t, SECOND, 0);
}

void probe_text_exits(struct probe_text *t)
{
	size_t top;

	probe_put(t, t->c->isa->frame->number,
		  (struct frame_operands){ .r = FREE, .n = t->p->n });
	probe_end_raw(t);
	top = probe_at(t);
	probe_put(t, "nop\nnop", (struct frame_operands){ .n = 0 });
	probe_back(t, FREE, top);
}

/* Functions behind each other, the innermost first; then the loop that calls the
 * outermost. */
void probe_text_calls(struct probe_text *t)
{
	const struct isa_frame *w = t->c->isa->frame;
	const struct frame_operands none = { .n = 0 };
	size_t each = 2 * BLOCK, inner = 0, top;

	probe_own_loop(t, ROUNDS);
	probe_go(t, (1 + (size_t)t->p->n) * each, false);
	for (uint32_t i = 0; i < t->p->n; i++) {
		probe_pad(t, (1 + i) * each);
		if (i > 0) {
			probe_put(t, w->enter, none);
			probe_end_raw(t);
			probe_go(t, inner, true);
			probe_put(t, w->leave, none);
		}
		inner = (1 + i) * each;
		probe_put(t, w->end, none);
		probe_end_raw(t);
	}
	probe_pad(t, (1 + (size_t)t->p->n) * each);
	top = probe_at(t);
	probe_go(t, inner, true);
	probe_back(t, TRIP, top);
}

void probe_text_targets(struct probe_text *t)
{
	size_t top = probe_at(t);

	probe_own_loop(t, ROUNDS);
	for (uint32_t i = 0; i < t->p->n; i++) {
		size_t next = probe_at(t) + t->p->chain.step;

		probe_go(t, next, false);
		probe_pad(t, next);
	}
	probe_back(t, TRIP, top);
}

/* Places of the chain and blocks of code are as far apart, so the address of a
 * place says which block comes next. */
void probe_text_table(struct probe_text *t)
{
	enum { BEHIND = 2 * BLOCK };
	const struct isa_frame *w = t->c->isa->frame;
	size_t top, blocks, end;

	probe_own_loop(t, FAR);
	probe_use_chain(t);
	probe_point(t, START, CHAIN_AT);
	probe_put_init(t, w->load,
		       (struct frame_operands){ .r = POINTER, .b = t->cells });
	top = probe_at(t);
	probe_load(t, FREE, POINTER, 0);
	probe_load(t, POINTER, POINTER, 0);
	probe_put(t, w->sub, (struct frame_operands){ .r = FREE, .t = START });
	probe_put(t, w->here,
		  (struct frame_operands){ .r = HERE, .n = BEHIND });
	probe_end_raw(t);
	blocks = probe_at(t) + BEHIND;
	probe_put(t, w->add, (struct frame_operands){ .r = FREE, .t = HERE });
	probe_put(t, w->jump_to, (struct frame_operands){ .r = FREE });
	probe_end_raw(t);
	probe_pad(t, blocks);
	end = blocks + (size_t)BLOCK * t->p->n;
	for (uint32_t i = 0; i < t->p->n; i++) {
		probe_go(t, end, false);
		probe_pad(t, blocks + (size_t)BLOCK * (i + 1));
	}
	probe_back(t, TRIP, top);
	probe_store(t, POINTER, 0);
}
