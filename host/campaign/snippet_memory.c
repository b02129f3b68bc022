/* Where addresses of own code point, and the other values it starts with; see
 * snippet.h. */
#include <string.h>

#include "host/campaign/snippet.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"

enum {
	N_GPRS = 32,
	LINE = 64,
	/* The low 12 bits of two addresses differ by so much.  A load seems to
	 * meet a store in flight on many cores if these bits are the same. */
	APART = 192,
	LOW_BITS = 4096,
	/* Of an access whose size is not known: a vector. */
	WIDE = 64,
	/* A register that moves by what is not known moves by so many bytes in a
	 * body: registers are 1 or 0 and scales at most 8. */
	VAGUE = 8,
};

/* Where nothing is in a process, and pages appear: for addresses that code loads and
 * addresses that span much.  Within 38 bits, as some cores have, and far from
 * the stack of the code (snippet_frame.c).  They are in the middle of a page: accesses on both sides of
 * them must not cross into another one. */
static const uint64_t PAGES_AT = 0x1800008800, PAGES_APART = 0x100000c0;

/* ---- extents ---------------------------------------------------------------- */

struct extent {
	int64_t low, high;
};

static struct extent extent_of_steps(int64_t from, int64_t step, int64_t n)
{
	int64_t to = from + step * n;

	return from < to ? (struct extent){ from, to }
			 : (struct extent){ to, from };
}

/* The values of a register in so many bodies, less its first value where that
 * is an address. */
static struct extent values_of(const struct snippet *s,
			       const struct snippet_trip *trip, int gpr,
			       int64_t bodies)
{
	const struct snippet_gpr *g = &s->gprs[gpr];

	if (!g->steps)
		return extent_of_steps(0, VAGUE, bodies);
	if (trip->reg == gpr)
		return extent_of_steps(trip->first + trip->per_trip * bodies,
				       g->step, bodies + 1);
	return extent_of_steps(0, g->step, bodies);
}

/* What an instruction adds to the first values of its base and index: as
 * snippet_follow() walks, but with amounts. */
struct walker {
	const struct snippet_request *q;
	struct snippet *s;
	const struct snippet_trip *trip;
	int64_t bodies;
	bool known[N_GPRS];    /* holds a first value plus `add` */
	uint8_t first[N_GPRS]; /* whose */
	int64_t add[N_GPRS];
};

static int sign(int64_t x)
{
	return (x > 0) - (x < 0);
}

static void widen(struct snippet_gpr *g, struct extent x)
{
	if (g->low == g->high) {
		g->low = x.low;
		g->high = x.high;
		return;
	}
	g->low = x.low < g->low ? x.low : g->low;
	g->high = x.high > g->high ? x.high : g->high;
}

/* Of the code itself: --init may compute it from another one. */
static bool is_address(const struct snippet *s, int gpr)
{
	return s->gen.frame.n_init > 0 ? (s->init.body_pointers >> gpr & 1) != 0
				       : s->gprs[gpr].pointer;
}

static void walk_access(struct walker *w, const struct insn *i,
			const struct isa_address *at)
{
	const struct catalogue *c = w->q->program->c;
	int parts[2] = {
		at->base < 0 ? -1 : snippet_gpr(c, i->instance.reg[at->base]),
		at->index < 0 ? -1 : snippet_gpr(c, i->instance.reg[at->index])
	};
	struct extent all = { at->displacement, at->displacement };
	struct snippet_gpr *g;
	int64_t moves = 0;
	int pointer = -1;

	for (int k = 0; k < 2; k++) {
		int64_t scale = k == 1 ? at->scale : 1;
		struct extent x;

		if (parts[k] < 0 || !w->known[parts[k]])
			continue;
		x = values_of(w->s, w->trip, w->first[parts[k]], w->bodies);
		x.low = scale * (x.low + w->add[parts[k]]);
		x.high = scale * (x.high + w->add[parts[k]]);
		all.low += x.low;
		all.high += x.high;
		if (w->s->gprs[w->first[parts[k]]].steps)
			moves += scale * w->s->gprs[w->first[parts[k]]].step;
		if (pointer < 0 && is_address(w->s, w->first[parts[k]]))
			pointer = w->first[parts[k]];
	}
	if (pointer < 0)
		return;
	all.high += at->bytes ? at->bytes : WIDE;
	g = &w->s->gprs[pointer];
	widen(g, all);
	g->stored |= (i->instance.form->access & ACCESS_STORE) != 0;
	w->s->moves += sign(moves);
}

static void walk_writes(struct walker *w, const struct insn *i)
{
	const struct catalogue *c = w->q->program->c;
	uint32_t writes = snippet_uses(c, i).writes;
	struct isa_address at;
	struct isa_step step;
	int to = -1, from = -1;
	int64_t add = 0;

	if (c->isa->loop->step(c, &i->instance, &step) ||
	    (c->isa->frame->narrow_step &&
	     c->isa->frame->narrow_step(&i->instance, &step))) {
		to = snippet_gpr(c, i->instance.reg[step.written]);
		from = snippet_gpr(c, step.source);
		add = step.add;
	} else if (i->instance.form->access == 0 &&
		   c->isa->loop->address(c, &i->instance, &at) &&
		   at.base >= 0) {
		to = snippet_gpr(c, i->instance.reg[0]);
		from = snippet_gpr(c, i->instance.reg[at.base]);
		add = at.displacement;
	}
	for (int g = 0; g < N_GPRS; g++) {
		bool known;

		if (!(writes >> g & 1))
			continue;
		known = g == to && from >= 0 && w->known[from];
		if (known) {
			w->first[g] = w->first[from];
			w->add[g] = w->add[from] + add;
		}
		w->known[g] = known;
	}
}

void snippet_extents(const struct snippet_request *q, struct snippet *s,
		     const struct snippet_trip *trip, int64_t bodies)
{
	const struct program *p = q->program;
	struct walker w = { .q = q, .s = s, .trip = trip, .bodies = bodies };

	for (int g = 0; g < N_GPRS; g++) {
		w.known[g] = true;
		w.first[g] = (uint8_t)g;
		s->gprs[g].low = s->gprs[g].high = 0;
		s->gprs[g].stored = false;
	}
	s->moves = 0;
	for (size_t k = 0; k < s->n_order; k++) {
		const struct insn *i = &s->program.insns[s->order[k]];
		struct isa_address at;

		if (i->instance.form->access != 0 &&
		    p->c->isa->loop->address(p->c, &i->instance, &at))
			walk_access(&w, i, &at);
		walk_writes(&w, i);
	}
}

/* ---- places ----------------------------------------------------------------- */

static int64_t round_down(int64_t x, int64_t to)
{
	return x - (x % to + to) % to;
}

static int64_t round_up(int64_t x, int64_t to)
{
	return -round_down(-x, to);
}

/* From the line that an address begins in; it is at the begin of one itself. */
static int64_t lowest(const struct snippet_gpr *g)
{
	return round_down(g->low, LINE);
}

/* Where the bytes around each address begin. */
struct places {
	int64_t at[N_GPRS];
	int64_t end;
};

/* Which addresses have memory of their own. */
enum sharing {
	SHARE_NONE,
	SHARE_LOADED, /* all that are only loaded from have the same */
	SHARE_ALL,
};

/* The low 12 bits of loads run ahead of those of stores: the last store with the
 * bits of a load was nearly LOW_BITS before. */
static struct places find_places(const struct snippet *s, enum sharing sharing)
{
	struct places ret = { .end = 2 * LINE };
	int64_t longest = 0, begin = LINE;
	int order[N_GPRS], n = 0, n_stored;

	for (int g = 0; g < N_GPRS; g++)
		if (s->gprs[g].pointer && s->gprs[g].stored)
			order[n++] = g;
	n_stored = n;
	for (int g = 0; g < N_GPRS; g++)
		if (s->gprs[g].pointer && !s->gprs[g].stored)
			order[n++] = g;
	for (int k = 0; k < n; k++) {
		const struct snippet_gpr *g = &s->gprs[order[k]];

		if (g->high - lowest(g) > longest)
			longest = g->high - lowest(g);
	}
	for (int k = 0; k < n; k++) {
		int ahead = s->moves < 0 ? n - 1 - k : k;
		int64_t at = begin + (int64_t)ahead * APART;

		ret.at[order[k]] = at;
		if (ret.end < at + longest)
			ret.end = at + longest;
		if (sharing == SHARE_NONE ||
		    (sharing == SHARE_LOADED && k < n_stored))
			begin += round_up(longest, LOW_BITS);
	}
	return ret;
}

/* What a loop stores it may load when it runs again.  Sums may grow until they are
 * infinite, which costs nothing; but quotients may become so small that they cost
 * more, or 0, and addresses may become any number. */
static bool may_load_stored(const struct snippet_request *q,
			    const struct snippet *s)
{
	const char *const *divides = q->program->c->isa->frame->divides;

	for (size_t k = 0; k < s->gen.n_forms; k++)
		if (s->gen.forms[k] &&
		    name_matches_any(divides, s->gen.forms[k]->name))
			return false;
	return s->own_loop && !s->loads_addresses;
}

/* As far apart as is near; else as near as may be. */
static struct places lay_out(const struct snippet_request *q,
			     const struct snippet *s)
{
	enum sharing most = may_load_stored(q, s) ? SHARE_ALL : SHARE_LOADED;
	struct places ret = { .end = 0 };

	/* Of the user's memory each register has its part. */
	if (s->walks || q->n_data > 0)
		most = SHARE_NONE;
	for (int sharing = SHARE_NONE; sharing <= (int)most; sharing++) {
		ret = find_places(s, (enum sharing)sharing);
		if (ret.end <= SNIPPET_NEAR)
			break;
	}
	return ret;
}

int64_t snippet_span(const struct snippet_request *q, const struct snippet *s)
{
	return lay_out(q, s).end + LINE;
}

/* ---- values ----------------------------------------------------------------- */

/* The type that most instructions with floats have; integers without any. */
static enum form_domain domain_of(const struct snippet *s)
{
	size_t counts[DOMAIN_N] = { 0 };
	enum form_domain most = DOMAIN_INT;

	for (size_t k = 0; k < s->gen.n_forms; k++)
		counts[s->gen.forms[k]->domain]++;
	counts[DOMAIN_INT] = 0;
	for (int d = 0; d < DOMAIN_N; d++)
		if (counts[d] > counts[most])
			most = (enum form_domain)d;
	return most;
}

/* Addresses that span more than the kernel's memory, in a process. */
static void place_in_pages(struct snippet *s)
{
	uint64_t at = PAGES_AT;

	for (int g = 0; g < N_GPRS; g++)
		if (s->gprs[g].pointer) {
			s->gen.image.gpr[g] = at;
			at += PAGES_APART;
		}
}

/* Where each address points. */
static int place_pointers(const struct snippet_request *q, struct snippet *s,
			  struct err *e)
{
	struct pack_image *m = &s->gen.image;
	struct places places = lay_out(q, s);
	int64_t span = snippet_span(q, s);
	bool some = false;

	if (span > s->room && q->pages && !s->walks && q->n_data == 0) {
		place_in_pages(s);
		return ERR_OK;
	}
	if (span > s->room)
		return err_set(
			e, ERR_INPUT,
			"%s: its addresses span %lld bytes even in the "
			"shortest loop, and there are %lld; see --memory",
			q->name, (long long)span, (long long)s->room);
	for (int g = 0; g < N_GPRS; g++) {
		if (!s->gprs[g].pointer)
			continue;
		some = true;
		m->gpr[g] = (uint64_t)places.at[g];
		m->gpr_is_memory |= 1u << g;
		s->gen.frame.bias[g] = -lowest(&s->gprs[g]);
	}
	if (some)
		s->gen.memory_bytes = (uint32_t)round_up(span, LINE);
	if (some && s->gen.memory_bytes < q->memory_bytes)
		s->gen.memory_bytes = q->memory_bytes;
	return ERR_OK;
}

/* Memory holds ones of the type of the code, or its own addresses. */
static void fill_memory(const struct snippet_request *q, struct snippet *s,
			enum form_domain domain)
{
	struct pack_image *m = &s->gen.image;

	s->self = q->fill == SNIPPET_FILL_SELF ||
		  (q->fill == SNIPPET_FILL_AUTO && s->loads_addresses);
	if (s->self && q->pages) {
		for (size_t i = 0; i < sizeof(m->memory); i++)
			m->memory[i] = (uint8_t)(PAGES_AT >> i % 8 * 8);
		return;
	}
	if (s->self) {
		m->memory_fill = PACK_FILL_SELF;
		return;
	}
	memcpy(m->memory, m->vector[0], sizeof(m->memory));
	if (domain == DOMAIN_INT)
		for (size_t i = 0; i < sizeof(m->memory); i++)
			m->memory[i] = i % 4 == 0;
}

static int set_values(const struct snippet_request *q, struct snippet *s,
		      const struct snippet_trip *trip, struct err *e)
{
	const struct catalogue *c = q->program->c;
	struct pack_image *m = &s->gen.image;

	for (size_t k = 0; k < q->n_sets; k++) {
		const struct reg *r = &c->regs[q->sets[k].reg];

		if (r->bank == BANK_VECTOR && r->index < ARRAY_LEN(m->vector))
			memcpy(m->vector[r->index], q->sets[k].bytes,
			       sizeof(m->vector[0]));
		if (r->bank != BANK_GPR || r->index >= N_GPRS)
			continue;
		if (r->index == trip->reg)
			return err_set(e, ERR_INPUT,
				       "%s: %s ends the loop, so its value is "
				       "not free",
				       q->name, r->name);
		m->gpr[r->index] = q->sets[k].value;
		m->gpr_is_memory &= ~(1u << r->index);
		s->gen.frame.bias[r->index] = 0;
	}
	return ERR_OK;
}

/* The register that ends the loop starts like the one that it ends. */
static void place_trip(struct snippet *s, const struct snippet_trip *trip)
{
	struct pack_image *m = &s->gen.image;

	s->gen.frame.trip = s->trip = trip->reg;
	if (trip->reg < 0)
		return;
	m->gpr[trip->reg] = trip->like < 0 ? 0 : m->gpr[trip->like];
	m->gpr_is_memory &= ~(1u << trip->reg);
	if (trip->like >= 0) {
		m->gpr_is_memory |= (m->gpr_is_memory >> trip->like & 1)
				    << trip->reg;
		s->gen.frame.bias[trip->reg] = s->gen.frame.bias[trip->like];
	}
	s->gen.frame.reset |= 1u << trip->reg;
}

int snippet_values(struct arena *a, const struct snippet_request *q,
		   struct snippet *s, const struct snippet_trip *trip,
		   struct err *e)
{
	const struct isa *isa = q->program->c->isa;
	enum form_domain domain = domain_of(s);

	isa->init_image(domain, &s->gen.image);
	for (int g = 0; g < N_GPRS; g++)
		if (s->gprs[g].index && !s->gprs[g].pointer)
			s->gen.image.gpr[g] = 0;
	if (place_pointers(q, s, e) != ERR_OK ||
	    snippet_choose_counter(a, q, s, e) != ERR_OK)
		return e->code;
	fill_memory(q, s, domain);
	if (set_values(q, s, trip, e) != ERR_OK)
		return e->code;
	for (unsigned g = 0; g < N_GPRS; g++)
		if (s->gprs[g].written || s->gen.frame.bias[g] != 0)
			s->gen.frame.reset |= 1u << g;
	s->gen.frame.reset &= ~isa->frame->reserved;
	/* A return without a call goes nowhere. */
	if (s->returns && isa->frame->link >= 0)
		s->gen.frame.reset |= 1u << isa->frame->link;
	place_trip(s, trip);
	if (q->pages)
		snippet_choose_stack(isa, s);
	return ERR_OK;
}
