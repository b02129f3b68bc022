/* The code that sets the state of own code; see snippet.h.  It runs once before
 * the repetitions: what it leaves in registers are their first values, so what
 * points into memory are the registers that it computes addresses from. */
#include <string.h>

#include "host/campaign/snippet.h"
#include "host/isa/frame.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"

enum { N_GPRS = 32, WIDE = 64 };

static void note_access(const struct catalogue *c, const struct insn *i,
			struct snippet_init *x)
{
	struct isa_address at;
	int base, first;
	int64_t low, high;

	if (i->instance.form->access == 0 ||
	    !c->isa->loop->address(c, &i->instance, &at) || at.base < 0)
		return;
	base = snippet_gpr(c, i->instance.reg[at.base]);
	if (base < 0 || base == c->isa->stack_pointer || x->from[base] < 0)
		return;
	first = x->from[base];
	low = x->add[base] + at.displacement;
	high = low + (at.bytes ? at.bytes : WIDE);
	if (!(x->pointers >> first & 1)) {
		x->low[first] = low;
		x->high[first] = high;
	}
	x->pointers |= 1u << first;
	x->low[first] = low < x->low[first] ? low : x->low[first];
	x->high[first] = high > x->high[first] ? high : x->high[first];
}

/* What its results hold: a register plus a constant, or something else. */
static void note_results(const struct catalogue *c, const struct insn *i,
			 struct snippet_init *x)
{
	struct snippet_uses u = snippet_uses(c, i);
	struct isa_address at;
	struct isa_step step;
	int to = -1, from = -1;
	int64_t add = 0;

	if (c->isa->loop->step(c, &i->instance, &step)) {
		to = snippet_gpr(c, i->instance.reg[step.written]);
		from = snippet_gpr(c, step.source);
		add = step.add;
	} else if (i->instance.form->access == 0 &&
		   c->isa->loop->address(c, &i->instance, &at) &&
		   at.base >= 0 && at.index < 0) {
		to = snippet_gpr(c, i->instance.reg[0]);
		from = snippet_gpr(c, i->instance.reg[at.base]);
		add = at.displacement;
	}
	if (from >= 0) {
		add = (int64_t)((uint64_t)add + (uint64_t)x->add[from]);
		from = x->from[from];
	}
	for (int g = 0; g < N_GPRS; g++)
		if (u.writes >> g & 1) {
			x->from[g] = (int8_t)(g == to ? from : -1);
			x->add[g] = g == to ? add : 0;
		}
	x->reads |= u.reads;
	x->writes |= u.writes;
}

/* The registers that the code takes for addresses become those that --init
 * computes them from. */
static void move_pointers(struct snippet *s)
{
	struct snippet_init *x = &s->init;
	uint32_t pointers = x->pointers;

	for (int g = 0; g < N_GPRS; g++) {
		if (!s->gprs[g].pointer)
			continue;
		x->body_pointers |= 1u << g;
		s->gprs[g].pointer = false;
		if (x->from[g] >= 0)
			pointers |= 1u << x->from[g];
	}
	for (int g = 0; g < N_GPRS; g++)
		s->gprs[g].pointer = pointers >> g & 1;
}

int snippet_begin(struct arena *a, const struct snippet_request *q,
		  struct snippet *s, struct err *e)
{
	const struct program *p = q->init;
	struct snippet_init *x = &s->init;
	struct snippet_bytes bytes = { .n = 0 };

	for (int g = 0; g < N_GPRS; g++)
		x->from[g] = (int8_t)g;
	if (!p || p->n == 0)
		return ERR_OK;
	if (snippet_encode_region(
		    a, &(struct snippet_region){ .program = p, .n = p->n },
		    &bytes, e) != ERR_OK)
		return e->code;
	for (size_t k = 0; k < p->n; k++) {
		note_access(p->c, &p->insns[k], x);
		note_results(p->c, &p->insns[k], x);
	}

	move_pointers(s);
	s->gen.frame.init = bytes.code;
	s->gen.frame.n_init = bytes.n;
	s->gen.init_forms = bytes.forms;
	s->gen.n_init_forms = p->n;
	return ERR_OK;
}

void snippet_begin_extents(struct snippet *s)
{
	struct snippet_init *x = &s->init;
	int64_t low[N_GPRS], high[N_GPRS];
	uint32_t seen = x->pointers;

	if (s->gen.frame.n_init == 0)
		return;
	memcpy(low, x->low, sizeof(low));
	memcpy(high, x->high, sizeof(high));
	for (int g = 0; g < N_GPRS; g++) {
		const struct snippet_gpr *r = &s->gprs[g];
		int from = x->from[g];

		if (!(x->body_pointers >> g & 1) || from < 0)
			continue;
		if (!(seen >> from & 1)) {
			low[from] = r->low + x->add[g];
			high[from] = r->high + x->add[g];
		}
		seen |= 1u << from;
		low[from] = r->low + x->add[g] < low[from] ? r->low + x->add[g]
							   : low[from];
		high[from] = r->high + x->add[g] > high[from]
				     ? r->high + x->add[g]
				     : high[from];
	}
	for (int g = 0; g < N_GPRS; g++) {
		s->gprs[g].low = seen >> g & 1 ? low[g] : 0;
		s->gprs[g].high = seen >> g & 1 ? high[g] : 0;
	}
}
