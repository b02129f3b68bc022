#include "common/chain.h"

enum { WORD = 8 };

uint64_t chain_place(const struct chain *c, uint32_t i)
{
	return CHAIN_AT + (c->per ? (uint64_t)(i / c->per) * c->stride +
					    (uint64_t)(i % c->per) * c->step
				  : (uint64_t)i * c->step);
}

uint64_t chain_bytes(const struct chain *c)
{
	uint64_t last = chain_place(c, c->places - 1);

	/* The last column may be shorter than those before it. */
	if (c->per && c->places > c->per) {
		uint64_t end =
			chain_place(c, c->places - c->places % c->per - 1);

		last = end > last ? end : last;
	}
	return last + WORD;
}

bool chain_fits(const struct chain *c, uint64_t bytes)
{
	if (c->places == 0 || c->places > CHAIN_MOST_PLACES || c->step == 0 ||
	    c->step % WORD != 0)
		return false;
	if (c->per &&
	    (c->stride % WORD != 0 || c->stride < (uint64_t)c->per * c->step))
		return false;
	return chain_bytes(c) <= bytes;
}

/* ---- the cycle ------------------------------------------------------------- */

struct filling {
	const struct chain *c;
	unsigned char *memory;
	uint64_t address;
	uint64_t random;
};

static uint64_t *word_of(const struct filling *f, uint32_t i)
{
	return (uint64_t *)(void *)(f->memory + chain_place(f->c, i));
}

static uint64_t address_of(const struct filling *f, uint32_t i)
{
	return f->address + chain_place(f->c, i);
}

/* Below n.  The multiplier is Knuth's MMIX. */
static uint32_t draw(struct filling *f, uint32_t n)
{
	f->random = f->random * UINT64_C(6364136223846793005) +
		    UINT64_C(1442695040888963407);
	return (uint32_t)((f->random >> 32) * n >> 32);
}

/* Exchange the words so that they lead through all of them in one cycle, at random:
 * Sattolo's algorithm.  The i-th word is that of place first + i * apart. */
static void make_cycle(struct filling *f, uint32_t first, uint32_t apart,
		       uint32_t n)
{
	for (uint32_t i = n; i-- > 1;) {
		uint64_t *a = word_of(f, first + i * apart);
		uint64_t *b = word_of(f, first + draw(f, i) * apart);
		uint64_t t = *a;

		*a = *b;
		*b = t;
	}
}

void chain_fill(const struct chain *c, void *memory, uint64_t address)
{
	struct filling f = {
		.c = c, .memory = memory, .address = address, .random = 1
	};
	uint32_t group =
		c->group && c->group < c->places ? c->group : c->places;
	uint32_t whole = c->places / group;
	uint64_t *cells = memory;

	for (uint32_t i = 0; i < c->places; i++)
		*word_of(&f, i) = address_of(&f, i);
	for (uint32_t at = 0; at < c->places; at += group)
		make_cycle(&f, at, 1,
			   c->places - at < group ? c->places - at : group);
	/* The last place of each group leads to the group's first one in its
	 * cycle; now to that of another group.  A shorter group joins the
	 * cycle by the same exchange. */
	make_cycle(&f, group - 1, group, whole);
	if (c->places % group != 0) {
		uint64_t *a = word_of(&f, c->places - 1);
		uint64_t *b = word_of(&f, group - 1);
		uint64_t t = *a;

		*a = *b;
		*b = t;
	}
	for (uint32_t i = 0; i < CHAIN_CELLS; i++)
		cells[i] = address_of(
			&f, (uint32_t)((uint64_t)c->places * i / CHAIN_CELLS));
}
