/* Straight code, which is decoded each time it is executed: the predecoder finds
 * the ends of instructions in blocks of bytes, and the decoders make
 * micro-operations of them.
 *
 * Blocks take as many cycles as their instructions need, those counted twice
 * whose opcode is in one block and whose end is in the next; a prefix that
 * changes the length of an instruction stalls.  The first decoder takes an
 * instruction of several micro-operations, the others take those of one.
 * Sources: of the predecoder, A. Abel, S. Sharma and J. Reineke, "Facile", 2023,
 * whose program (facile.py, published with uiCA's) counts these cycles; of the
 * decoders, A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs", and the
 * program of A. Abel and J. Reineke, "uiCA", 2022. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/effect/effect.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"

extern const struct effect effect_straight;

/* ---- model --------------------------------------------------------------- */

/* Of the core; 0: not known. */
struct decoding {
	uint32_t block_bytes, block_insns; /* that are predecoded in a cycle */
	uint32_t stall;     /* cycles that a length-changing prefix takes */
	uint32_t decoders;  /* instructions */
	uint32_t uops;      /* that they make in a cycle */
	uint32_t most_uops; /* of an instruction; more come from a memory */
};

/* The next number of a list; 0: there is none. */
static uint32_t next_number(const char **text)
{
	char *end = NULL;
	unsigned long n = *text ? strtoul(*text, &end, 10) : 0;

	*text = end;
	return (uint32_t)n;
}

static void complete(const struct completion *k, void *ret)
{
	const char *predecode = completed_fact(k, "predecode");
	const char *decoders = completed_fact(k, "decoders");
	struct decoding *x = ret;

	x->block_bytes = next_number(&predecode);
	x->block_insns = next_number(&predecode);
	x->stall = next_number(&predecode);
	x->decoders = next_number(&decoders);
	x->uops = next_number(&decoders);
	x->most_uops = next_number(&decoders);
}

/* ---- predecoder ---------------------------------------------------------- */

/* A block of bytes. */
struct code_block {
	uint32_t ends; /* instructions that end in it */
	uint32_t cut;  /* whose opcode is in it, but not their end */
	uint32_t changes;
};

static size_t length_of(const struct body *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->ops[i].insn->n_code;
	return n;
}

/* The instructions of so many copies, which fill whole blocks. */
static void fill_blocks(const struct body *b, const struct decoding *x,
			uint32_t copies, struct code_block *blocks)
{
	const struct isa_loop *rules = b->program->c->isa->loop;
	size_t at = 0;

	for (size_t k = 0; k < copies * b->n; k++) {
		const struct insn *i = b->ops[k % b->n].insn;
		struct isa_lengths l;
		size_t end = at + i->n_code - 1;
		struct code_block *first, *last = &blocks[end / x->block_bytes];

		rules->lengths(i->code, i->n_code, &l);
		first = &blocks[(at + l.opcode) / x->block_bytes];
		last->ends++;
		first->cut += first != last;
		first->changes += l.changes;
		at += i->n_code;
	}
}

/* Cycles of an iteration. */
static double predecoded(const struct body *b, const struct decoding *x)
{
	size_t length = length_of(b), n;
	uint32_t copies = 1;
	struct code_block *blocks;
	uint32_t before, cycles = 0;

	if (x->block_bytes == 0 || x->block_insns == 0 || length == 0)
		return 0;
	while (copies * length % x->block_bytes != 0)
		copies++;
	n = copies * length / x->block_bytes;
	blocks = ARENA_ARRAY(b->a, struct code_block, n);
	fill_blocks(b, x, copies, blocks);
	before = (blocks[n - 1].ends + blocks[n - 1].cut + x->block_insns - 1) /
		 x->block_insns;
	for (size_t k = 0; k < n; k++) {
		uint32_t own =
			(blocks[k].ends + blocks[k].cut + x->block_insns - 1) /
			x->block_insns;
		uint32_t stall = x->stall * blocks[k].changes;
		/* It begins while the block before is still predecoded. */
		uint32_t hidden = before > 1 ? before - 1 : 0;

		cycles += own + (stall > hidden ? stall - hidden : 0);
		before = own;
	}
	return (double)cycles / copies;
}

/* ---- decoders ------------------------------------------------------------ */

/* What is left of a cycle. */
struct decode_cycle {
	uint32_t decoders, uops;
	uint64_t n; /* cycles that have begun */
};

static void begin_cycle(const struct decoding *x, struct decode_cycle *c)
{
	c->n++;
	c->decoders = x->decoders;
	c->uops = x->uops;
}

/* Decode one instruction, or a fused pair. */
static void decode(const struct decoding *x, struct decode_cycle *c,
		   const struct op *o)
{
	uint32_t uops = (uint32_t)fmax(1, o->decoded);
	bool first = uops > 1 || (o->form && o->form->first_decoder);

	if (c->decoders == 0 || c->uops < uops ||
	    (first && c->decoders < x->decoders))
		begin_cycle(x, c);
	if (uops > x->most_uops) {
		/* From the memory, at the width of the decoders. */
		c->n += (uops + x->uops - 1) / x->uops - 1;
		c->decoders = 0;
		return;
	}
	c->decoders--;
	c->uops -= uops;
}

/* Cycles of an iteration, from a state at its begin to the same one. */
static double decoded(const struct body *b, const struct decoding *x)
{
	enum { MOST = 64 };
	struct decode_cycle at_begin[MOST];
	struct decode_cycle c = { .n = 0 };
	size_t k = 0;

	if (x->decoders == 0 || x->uops == 0)
		return 0;
	for (;;) {
		for (size_t i = 0; i < k; i++)
			if (at_begin[i].decoders == c.decoders &&
			    at_begin[i].uops == c.uops)
				return (double)(c.n - at_begin[i].n) /
				       (double)(k - i);
		if (k == MOST)
			return (double)(c.n - at_begin[MOST / 2].n) /
			       (MOST / 2);
		at_begin[k++] = c;
		for (size_t i = 0; i < b->n; i++)
			if (!b->ops[i].fused)
				decode(x, &c, &b->ops[i]);
	}
}

/* ---- loops --------------------------------------------------------------- */

static double bound_cycles(const struct body *b)
{
	const struct decoding *x =
		b->completion->effects[effect_number(&effect_straight)];

	if (!b->loop->straight || !b->program->c->isa->loop->lengths)
		return 0;
	return fmax(predecoded(b, x), decoded(b, x));
}

static const struct effect_bound bound = {
	.text = "decoding of straight code",
	.html = "Decoding of straight code",
	.json = "decode_bound",
	.reason = "the decoding of straight code",
	.cycles = bound_cycles,
};

const struct effect effect_straight = {
	.name = "straight",
	.completed_bytes = sizeof(struct decoding),
	.complete = complete,
	.bound = &bound,
};
