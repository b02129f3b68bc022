/* Accesses with an index: how many slots of the front end they take, and which
 * ports execute none.
 *
 * Accesses are mixed with several numbers of instructions of one slot each, so
 * that the front end is the limit.  An access takes a number of slots, and may
 * have to begin where a number of them is left in its cycle, as one of the
 * first instructions of the cycle: an Ice Lake puts the two slots of an access
 * into the first four of its five; on a Granite Rapids, the access is one of
 * the first three instructions of the cycle.  Otherwise the rest of the cycle
 * stays empty.  Simulating each combination of numbers shows which explain the
 * times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/effect/effect.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"
#include "host/isa/memory.h"
#include "host/model/complete_read.h"
#include "host/predict/body.h"
#include "host/solve/judging.h"

extern const struct effect effect_indexed;

/* ---- experiments --------------------------------------------------------- */

/* Accesses and one-slot instructions of each mix.  Mixes with one access show
 * its number of slots; mixes with several show how late in a cycle an access
 * can start.  With few one-slot instructions the accesses may be the limit; the
 * solver leaves such mixes out. */
static const struct {
	uint16_t accesses, others;
} mixes[] = {
	{ 1, 3 }, { 1, 4 }, { 1, 5 }, { 1, 6 }, { 1, 7 }, { 2, 3 }, { 3, 1 },
};

static bool is_measurable(const struct form *f)
{
	return f && f->status == FORM_MEASURABLE;
}

/* Mixes of one and several accesses with several numbers of instructions of one
 * slot each. */
static void add_mixes(const struct effect_plan *p, const char *name)
{
	const struct catalogue *c = p->catalogue;
	const struct form *f = catalogue_form(c, name), *indexed, *slot;
	char variant[ISA_NAME_ROOM];

	(void)snprintf(variant, sizeof(variant), "%s/index", name);
	indexed = catalogue_form(c, variant);
	slot = catalogue_form(c, c->isa->memory->slot);
	if (!f || !is_measurable(indexed) || !is_measurable(slot) ||
	    !p->is_chosen(p->choice, f))
		return;
	for (size_t i = 0; i < ARRAY_LEN(mixes); i++) {
		struct experiment x =
			experiment_of(EXPERIMENT_MIX, indexed, -1, -1);

		x.n_steps = 2;
		x.steps[1] = x.steps[0];
		x.steps[0].count = mixes[i].accesses;
		x.steps[1].form = slot;
		x.steps[1].count = mixes[i].others;
		p->add(p->context, &x);
	}
}

static void plan(const struct effect_plan *p)
{
	const struct isa_memory *m = p->catalogue->isa->memory;

	for (size_t i = 0; m && m->indexed && m->indexed[i]; i++)
		add_mixes(p, m->indexed[i]);
}

/* ---- claims -------------------------------------------------------------- */

enum { MAX_POINTS = 8, LEAST_POINTS = 3, MOST_SLOTS = 4 };

static const char suffix[] = "/index";

/* off: relative error of a measurement.  Chosen: with six slots per cycle one
 * slot more is a sixth of a cycle, and these mixes take 1 to 2 cycles: it is
 * half of the least of these shares.  A Granite Rapids server takes 3.2 % more
 * for five of one slot each.  other: a mix that takes less than so many times
 * its accesses alone is not limited by the front end.  Seen: three stores with
 * one other instruction take 5.5 % longer than three stores. */
static const double off = 0.04, other = 1.1;

/* So many accesses and instructions of one slot, and their cycles. */
struct point {
	unsigned n_accesses, n_slots;
	double cycles;
};

/* slots: that it takes. room: at least so many must be left in its cycle.
 * before: fewer than so many may be counted before it. */
struct place {
	unsigned slots, room, before;
};

struct points {
	size_t n;
	struct point list[MAX_POINTS];
};

/* "2xVADDPDrm/index+4xXOR32rr/same": 2, 4, and the access.  False: another mix
 * than of an access with an index and the sink's slot. */
static bool slots_mixed(const struct judge *j, const struct record *r,
			struct point *ret, const char **ret_access)
{
	enum { MOST = 1000 };
	const struct label_part *p = r->label.parts;
	size_t tail = strlen(suffix), n;

	if (r->label.kind != EXPERIMENT_MIX || r->label.n_parts != 2 ||
	    !j->sink->slot || strcmp(p[1].form, j->sink->slot) != 0)
		return false;
	n = strlen(p[0].form);
	if (n < tail || strcmp(p[0].form + n - tail, suffix) != 0 ||
	    p[0].count == 0 || p[0].count > MOST || p[1].count == 0 ||
	    p[1].count > MOST)
		return false;
	*ret = (struct point){ .n_accesses = p[0].count,
			       .n_slots = p[1].count };
	*ret_access = p[0].form;
	return true;
}

static bool judges(const struct judge *j, const struct record *r)
{
	struct point point;
	const char *access;

	return slots_mixed(j, r, &point, &access);
}

/* Is the i-th instruction of the mix an access? In a body of a mix, the n-th of
 * count is due at (n + 1/2) / count, and accesses come first. */
static bool is_access(const struct point *p, unsigned i)
{
	unsigned accesses = 0, others = 0;
	bool ret = false;

	for (i %= p->n_accesses + p->n_slots, i++; i > 0; i--) {
		ret = (2 * accesses + 1) * p->n_slots <=
		      (2 * others + 1) * p->n_accesses;
		accesses += ret;
		others += !ret;
	}
	return ret;
}

/* Cycles of a body of the mix.  An access of s > 1 slots counts as s - 1 for
 * `before`: the front end splits it after this is decided. */
static double play(unsigned width, const struct point *p,
		   const struct place *place)
{
	enum { TURNS = 420 };
	unsigned length = p->n_accesses + p->n_slots;
	unsigned used = 0, seen = 0, cycles = 0;

	for (unsigned i = 0; i < TURNS * length; i++) {
		bool access = is_access(p, i);

		if (used == width || (access && (width - used < place->room ||
						 seen >= place->before))) {
			cycles++;
			used = seen = 0;
		}
		used += access ? place->slots : 1;
		seen += access && place->slots > 1 ? place->slots - 1 : 1;
		if (used > width) {
			cycles++;
			used -= width;
			seen = 0;
		}
	}
	return (double)cycles / TURNS;
}

static struct points points_of(const struct judge *j, const char *access)
{
	const struct record *alone = judging_form(
		j, EXPERIMENT_THROUGHPUT,
		arena_printf(j->a, "%.*s",
			     (int)(strlen(access) - strlen(suffix)), access));
	struct points ret = { .n = 0 };

	for (size_t i = 0; i < j->n && ret.n < MAX_POINTS; i++) {
		const struct record *r = &j->records[i];
		struct point *p = &ret.list[ret.n];
		const char *name;

		if (!slots_mixed(j, r, p, &name) || strcmp(name, access) != 0 ||
		    !judging_is_usable(r) || r->estimate.state != VERDICT_OK)
			continue;
		p->cycles = judging_middle(r);
		ret.n += !judging_is_usable(alone) ||
			 p->cycles >=
				 other * p->n_accesses * alone->estimate.high;
	}
	return ret;
}

static bool explains(const struct points *p, unsigned width,
		     const struct place *place)
{
	for (size_t i = 0; i < p->n; i++) {
		double cycles = play(width, &p->list[i], place);

		if (fabs(p->list[i].cycles - cycles) > off * cycles)
			return false;
	}
	return true;
}

/* Does an access of so many slots explain the points?  Prefer no restriction;
 * front ends have restrictions only for what they split.  Else take the largest
 * `before`, then the largest `room`: if the units of the accesses are as slow,
 * the points do not tell two accesses in a cycle from three. */
static bool find_place(const struct points *p, unsigned width, unsigned slots,
		       struct place *ret)
{
	*ret = (struct place){ slots, 1, width };
	if (explains(p, width, ret))
		return true;
	if (slots == 1)
		return false;
	for (ret->before = width; ret->before > 0; ret->before--)
		for (ret->room = width; ret->room > 0; ret->room--)
			if (explains(p, width, ret))
				return true;
	return false;
}

/* slots 0: nothing explains the points, or several numbers of slots do. */
static struct place fit(const struct points *p, unsigned width)
{
	struct place found = { .slots = 0 };

	for (unsigned slots = 1; slots <= MOST_SLOTS; slots++) {
		struct place x;

		if (!find_place(p, width, slots, &x))
			continue;
		if (found.slots > 0)
			return (struct place){ .slots = 0 };
		found = x;
	}
	return found;
}

static int give(const struct judge *j, struct claim *c, const char *kind,
		unsigned value)
{
	c->kind = kind;
	c->low_cycles = c->high_cycles = value;
	return j->sink->each(j->sink->context, c, j->e);
}

/* Two restrictions in addition to the number of slots, if the place has
 * them. */
static int give_restrictions(const struct judge *j, const struct claim *c,
			     const struct place *place, unsigned width)
{
	struct claim x = *c;
	int ret = 0;

	if (place->room > 1)
		ret = give(j, &x, "slots-room", place->room);
	x = *c;
	if (ret == 0 && place->before < width)
		ret = give(j, &x, "slots-before", place->before);
	return ret;
}

static int judge(const struct judge *j, const struct record *r, size_t n)
{
	unsigned width = j->width > 0 ? (unsigned)lround(1 / j->min_cycles) : 0;
	struct place place = { .slots = 0 };
	struct claim c = judging_base(j, r);
	struct buffer words = { 0 };
	struct point own, before;
	const char *access, *name;
	struct points p;
	int ret;

	(void)n;
	if (!slots_mixed(j, r, &own, &access))
		return 0;
	/* Claim once for each access: at its first mix with a single access.
	 * Such records are adjacent. */
	if (own.n_accesses > 1 ||
	    (r > j->records && slots_mixed(j, &r[-1], &before, &name) &&
	     before.n_accesses == 1 && strcmp(name, access) == 0))
		return 0;
	p = points_of(j, access);
	if (width > 0 && p.n >= LEAST_POINTS)
		place = fit(&p, width);
	buffer_printf(&words, "cycles of accesses+others:");
	for (size_t i = 0; i < p.n; i++)
		buffer_printf(&words, " %u+%u: %.4g", p.list[i].n_accesses,
			      p.list[i].n_slots, p.list[i].cycles);
	buffer_add(&words, "", 1);
	c.form = access;
	c.source = c.destination = "";
	c.has_value = place.slots > 0;
	c.verdict = place.slots > 0       ? VERDICT_OK
		    : p.n >= LEAST_POINTS ? VERDICT_CONTRADICTION
					  : VERDICT_NOISY;
	c.detail = arena_printf(j->a, "%s", (const char *)words.bytes);
	buffer_free(&words);
	ret = give(j, &c, "slots", place.slots);
	return ret == 0 && place.slots > 0
		       ? give_restrictions(j, &c, &place, width)
		       : ret;
}

/* ---- forms that are like those measured ---------------------------------- */

enum { MAX_SHAPES = 32 };

struct indexed {
	/* Shapes of measured forms, and their places in the model. */
	uint32_t n;
	uint32_t form[MAX_SHAPES];
	uint64_t shape[MAX_SHAPES];
};

static const struct indexed *indexed_of(const struct completion *k)
{
	return k->effects[effect_number(&effect_indexed)];
}

/* What decides how an instruction with an index is encoded: access, vectors, a
 * tied register, how many registers it reads and writes, and how wide they
 * are. */
static uint64_t shape_of(const struct catalogue *c, const struct form *f)
{
	enum { SHORTEST = 128 }; /* bits; scalars use registers of this width */
	unsigned n_reads = 0, n_writes = 0, tied = 0;
	unsigned bits = f->vector_state ? SHORTEST : 0;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];

		if (o->kind != OPERAND_REG || o->role != ROLE_NONE)
			continue;
		n_reads += o->read;
		n_writes += o->write;
		tied |= o->tied_to >= 0;
		if (o->reg_class != CLASS_NONE &&
		    c->classes[o->reg_class].bits > bits)
			bits = c->classes[o->reg_class].bits;
	}
	return (uint64_t)bits << 32 | n_reads << 24 | n_writes << 16 |
	       tied << 9 | (unsigned)f->vector_state << 8 | f->access;
}

static void complete(const struct completion *k, void *filled)
{
	struct indexed *ret = filled;
	const struct isa_memory *m = k->c->isa->memory;

	for (const char *const *l = m ? m->indexed : NULL; l && *l; l++) {
		const struct form *x = catalogue_form(k->c, *l);
		const struct model_form *known;

		known = x ? model_find(k->given, arena_printf(k->a, "%s%s",
							      x->name, suffix))
			  : NULL;
		if (!known || !known->slots.has_value || ret->n == MAX_SHAPES)
			continue;
		ret->form[ret->n] = (uint32_t)(known - k->given->forms);
		ret->shape[ret->n++] = shape_of(k->c, x);
	}
}

/* The first measured form of the same shape. */
static uint8_t class_of(const struct completion *k, const struct form *f)
{
	const struct indexed *x = indexed_of(k);
	uint64_t shape;

	if (x->n == 0 || form_part(f, ROLE_OPTIONAL_INDEX) < 0)
		return 0;
	shape = shape_of(k->c, f);
	for (uint32_t i = 0; i < x->n; i++)
		if (x->shape[i] == shape)
			return (uint8_t)(i + 1);
	return 0;
}

/* ---- loops --------------------------------------------------------------- */

/* The parts of what is split are dispatched in one cycle. */
static void set_own_slots(struct op *o)
{
	double slots = model_cycles(o->form->indexed_slots);

	if (slots > o->slots)
		o->room = (uint32_t)slots;
	o->slots = slots;
}

static void add_slots(const struct body *b, struct op *o)
{
	uint8_t class = o->costs->class_of[effect_number(&effect_indexed)];
	const struct model_form *f;

	if (o->form->indexed_slots.has_value) {
		set_own_slots(o);
		return;
	}
	if (class == 0)
		return;
	f = &b->completion->given
		     ->forms[indexed_of(b->completion)->form[class - 1]];
	o->slots = fmax(o->slots, f->slots.low);
	o->room = f->room;
	o->max_slots_before = f->before;
}

/* Ports without support for an index are removed from accesses with one, unless
 * no port would be left. */
static void bind(struct body *b)
{
	const struct model *m = b->model;
	model_ports barred = 0;

	for (size_t i = 0; i < m->n_ports; i++)
		if (m->ports[i].no_index)
			barred |= (model_ports)1 << i;
	for (size_t i = 0; i < b->n; i++) {
		struct op *o = &b->ops[i];

		if (!op_has_index(o))
			continue;
		if (o->form)
			add_slots(b, o);
		if (barred != 0 && o->n_uses > 0)
			op_remove_ports(b, o, barred);
	}
}

const struct effect effect_indexed = {
	.name = "indexed",
	.plan = plan,
	.judge = judge,
	.judges = judges,
	.completed_bytes = sizeof(struct indexed),
	.complete = complete,
	.class_of = class_of,
	.bind = bind,
	.when = BIND_AFTER_POOLS,
};
