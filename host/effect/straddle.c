/* Streams that cross cache lines: their accesses use the cache twice.
 *
 * The text does not show alignment. At best, a stream is aligned if it is
 * accessed at one offset modulo the width; at worst, none is. */
#include <string.h>

#include "host/effect/effect.h"
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

/* ---- worst alignment --------------------------------------------------- */

/* The form of accesses across the end of a line; NULL: its accesses must be
 * aligned, or are as narrow as elements, which are. */
static const struct form *line_form(const struct body *b, const struct op *o)
{
	const struct form *f = o->insn->instance.form;

	if (!f)
		return NULL;
	return catalogue_form(b->program->c,
			      arena_printf(b->a, "%.*s/line",
					   (int)strcspn(f->name, "/"),
					   f->name));
}

static unsigned common_divisor(unsigned a, unsigned b)
{
	while (b != 0) {
		unsigned rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The share of accesses that cross a line where they start at the worst
 * offset. */
static double share_at_worst(const struct mem_place *p)
{
	unsigned stride = (unsigned)((uint64_t)p->step & (LINE - 1));
	unsigned apart = common_divisor(LINE, stride);
	unsigned crossing = (p->bytes - 2) / apart + 1;

	return (double)crossing * apart / LINE;
}

static bool may_cross(const struct body *b, const struct op *o)
{
	enum { ELEMENT = 8 }; /* bytes; compilers align what is narrower */
	const struct mem_place *p = &o->place;

	return p->known && p->bytes > ELEMENT && p->bytes <= LINE &&
	       p->step != 0 && line_form(b, o) != NULL;
}

/* ---- charges ----------------------------------------------------------- */

/* Accesses that one across the end of a line takes more than another: what was
 * measured, or one. */
static double extra_accesses(const struct body *b, const struct op *o)
{
	const struct form *line = line_form(b, o);
	const struct completed_form *f;
	const struct model_span *rate = &o->form->throughput;
	double extra;

	if (!line || !rate->has_value || !(rate->low > 0))
		return 1;
	f = completed_form(b->completion, line);
	if ((!f->own || strcmp(f->own->name, line->name) != 0) &&
	    f->origin[COST_THROUGHPUT].origin != ORIGIN_CLASS)
		return 1;
	extra = f->costs.throughput.low / rate->low - 1;
	return extra > 0 ? extra : 0;
}

/* Charge the access again for the share of accesses that cross a line. */
static void access_twice(struct body *b, struct op *o, double share)
{
	struct model_use *uses = ARENA_ARRAY(b->a, struct model_use,
					     o->n_uses + o->n_access + 1);
	double extra = o->form ? share * extra_accesses(b, o) : share;
	size_t n = o->n_uses;

	if (n > 0)
		memcpy(uses, o->uses, n * sizeof(*uses));
	for (size_t u = 0; u < o->n_access && extra > 0; u++) {
		uses[n] = o->uses[u];
		uses[n++].cycles *= extra;
	}
	o->straddles = o->n_access > 0;
	o->uses = uses;
	o->n_uses = n;
}

static void bind(struct body *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct op *o = &b->ops[i];

		if (b->loop->crossings && b->loop->crossings[i] > 0)
			access_twice(b, o, b->loop->crossings[i]);
		else if (b->loop->crossings)
			continue;
		else if (b->worst && may_cross(b, o))
			access_twice(b, o, share_at_worst(&o->place));
		else if (crosses_lines(b, &o->place))
			access_twice(b, o, (double)o->place.bytes / LINE);
	}
}

const struct effect effect_straddle = {
	.name = "straddle",
	.bind = bind,
	.when = BIND_AFTER_POOLS,
};
