/* Streams that cross cache lines: their accesses use the cache twice. */
#include <string.h>

#include "host/predict/body.h"

enum { LINE = 64 }; /* bytes of a cache line */

static bool same_stream(const struct mem_place *a, const struct mem_place *b)
{
	return a->known && b->known && a->base == b->base &&
	       a->index == b->index && a->scale == b->scale &&
	       a->step == b->step && a->bytes == b->bytes &&
	       strcmp(a->symbol, b->symbol) == 0;
}

static unsigned lines_residue(const struct mem_place *p, int64_t of)
{
	return (unsigned)((uint64_t)of & (p->bytes - 1));
}

/* Offsets, modulo the access width, at which the stream of this access is
 * accessed; one bit each. */
static uint64_t lines_residues(const struct body *b, const struct mem_place *p)
{
	uint64_t set = 0;

	for (size_t i = 0; i < b->n; i++)
		if (same_stream(&b->ops[i].place, p))
			set |= (uint64_t)1
			       << lines_residue(p, b->ops[i].place.offset);
	return set;
}

/* Is r the centre of the offsets? Stencils reach equally far to both sides of
 * the aligned element. */
static bool is_centre(const struct mem_place *p, uint64_t set, unsigned r)
{
	for (unsigned x = 0; x < p->bytes; x++)
		if ((set >> x & 1) &&
		    !(set >> lines_residue(p, 2 * (int64_t)r - x) & 1))
			return false;
	return true;
}

/* Does the access cross cache lines? A stream that is accessed at several
 * offsets is aligned at most at one of them: at the centre, or at the first
 * when there is no centre. */
static bool crosses_lines(const struct body *b, const struct mem_place *p)
{
	enum { ELEMENT = 4 };
	uint64_t set;
	unsigned own;

	if (!p->known || p->bytes < 16 || p->bytes > LINE ||
	    (p->bytes & (p->bytes - 1)) != 0 || p->step == 0)
		return false;
	set = lines_residues(b, p);
	own = lines_residue(p, p->offset);
	if ((set & (set - 1)) == 0)
		return false;
	for (unsigned r = 0; r < p->bytes; r += ELEMENT)
		if (is_centre(p, set, r) && (set >> r & 1))
			return own != r;
	for (unsigned r = 0; r < p->bytes; r += ELEMENT)
		if (is_centre(p, set, r))
			return true;
	return (set & (((uint64_t)1 << own) - 1)) != 0;
}

/* Charge a second access for each crossing of a cache line. A stream crosses
 * with bytes / line of its accesses. */
static void access_twice(struct body *b, struct op *o)
{
	struct model_use *uses = ARENA_ARRAY(b->a, struct model_use,
					     o->n_uses + o->n_access + 1);
	size_t n = o->n_uses;

	if (n > 0)
		memcpy(uses, o->uses, n * sizeof(*uses));
	for (size_t u = 0; u < o->n_access; u++) {
		uses[n] = o->uses[u];
		uses[n++].cycles *= (double)o->place.bytes / LINE;
	}
	o->straddles = o->n_access > 0;
	o->uses = uses;
	o->n_uses = n;
}

void body_cross_lines(struct body *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (crosses_lines(b, &b->ops[i].place))
			access_twice(b, &b->ops[i]);
}
