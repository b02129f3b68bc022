/* Values of registers on an invented core whose costs depend on them; see
 * sim.h.
 *
 * Only carriers are computed: they make a result zero, add a number to it and
 * multiply it.  Any other result is a new value, the same whenever the same
 * instruction has the same operands. */
#include <string.h>

#include "host/fake/sim.h"
#include "host/isa/carrier.h"
#include "host/isa/values.h"

/* At the start a general register has the value of the image.  Any other
 * register has an identity of its own. */
static struct fake_value first_value(const struct fake_kernel *k, size_t slot)
{
	struct fake_value v = { .id = fake_mix(slot, 0) };
	size_t index = slot % FAKE_BANK_SLOTS;

	if (k->image && slot / FAKE_BANK_SLOTS == BANK_FP &&
	    index < ARRAY_LEN(k->image->fp))
		return (struct fake_value){ .id = k->image->fp[index],
					    .known = true };
	if (!k->image || slot / FAKE_BANK_SLOTS != BANK_GPR ||
	    index >= ARRAY_LEN(k->image->gpr))
		return v;
	v.known = !(k->image->gpr_is_memory >> index & 1);
	v.id = v.known ? k->image->gpr[index] : v.id;
	v.wide = v.known && carrier_is_wide(v.id);
	return v;
}

void fake_values_open(struct fake_simulator *s, const struct fake_kernel *k,
		      int length)
{
	s->kernel++;
	s->held = s->latency = 0;
	s->has_width = s->has_identity = false;
	for (size_t i = 0; i < k->n[length]; i++) {
		const struct core_form *f = k->ops[k->sequence[length][i]].core;

		s->has_width |=
			f && (f->wide_occupancy > 0 || f->idle_latency > 0);
		s->has_identity |= f && f->same_operands > 0;
	}
	for (size_t i = 0; i < s->n_used; i++)
		s->value[s->used[i]] = first_value(k, s->used[i]);
}

/* Are the operands those of the form's last instruction?  Remembers them for
 * the next. */
static bool repeats(struct fake_simulator *s, const struct fake_op *op)
{
	struct fake_last *last = &s->last[op->core - s->core->forms];
	bool same = last->kernel == s->kernel && last->n == op->n_src;

	for (size_t k = 0; k < op->n_src; k++) {
		uint64_t id = s->value[op->src[k].slot].id;

		same = same && last->id[k] == id;
		last->id[k] = id;
	}
	last->kernel = s->kernel;
	last->n = op->n_src;
	return same;
}

static bool has_wide_source(const struct fake_simulator *s,
			    const struct fake_op *op)
{
	for (size_t k = 0; k < op->n_src; k++)
		if (s->value[op->src[k].slot].wide)
			return true;
	return false;
}

void fake_values_cost(struct fake_simulator *s, const struct fake_op *op)
{
	const struct core_form *f = op->core;

	s->held = s->latency = 0;
	if (f->wide_occupancy && has_wide_source(s, op)) {
		s->held = f->wide_occupancy;
		s->latency = f->wide_latency;
	}
	if (f->same_operands && repeats(s, op))
		s->held = s->latency = f->same_operands;
	if (f->idle_latency && fake_floats_are_idle(s, op))
		s->latency = f->idle_latency;
	if (op->unlinked)
		s->held = f->unlinked;
}

/* Floats of less than 64 bits are NaN-boxed. */
static bool is_zero(const struct fake_value *v, size_t slot)
{
	bool is_float = slot / FAKE_BANK_SLOTS == BANK_FP;

	return v->known &&
	       (v->id == 0 ||
		(is_float && (v->id == values_boxed_zero(DOMAIN_FP32) ||
			      v->id == values_boxed_zero(DOMAIN_FP16))));
}

static bool multiply(const struct fake_simulator *s, const struct fake_op *op,
		     struct fake_value *ret)
{
	uint64_t product = 1;

	for (size_t k = 0; k < op->n_src; k++) {
		if (!s->value[op->src[k].slot].known)
			return false;
		product *= s->value[op->src[k].slot].id;
	}
	*ret = (struct fake_value){ .id = product,
				    .known = true,
				    .wide = carrier_is_wide(product) };
	return true;
}

/* The result of a carrier, if its sources are those it expects. */
static bool carry(const struct fake_simulator *s, const struct fake_op *op,
		  struct fake_value *ret)
{
	const struct fake_value *zero = NULL, *other = NULL;

	if (op->multiplies)
		return multiply(s, op, ret);
	for (size_t k = 0; k < op->n_src; k++) {
		const struct fake_value *v = &s->value[op->src[k].slot];

		if (!zero && is_zero(v, op->src[k].slot))
			zero = v;
		else
			other = v;
	}
	if (!zero || !other || !(op->clears || op->adds))
		return false;
	*ret = op->clears ? *zero : *other;
	return true;
}

void fake_values_pass(struct fake_simulator *s, const struct fake_op *op)
{
	struct fake_value v = { .wide = has_wide_source(s, op) };
	uint64_t h = fake_mix(0xcbf29ce484222325ull,
			      (uint64_t)(op->core - s->core->forms));

	for (size_t k = 0; k < op->n_src; k++)
		h = fake_mix(h, s->value[op->src[k].slot].id);
	if (!carry(s, op, &v) && !fake_floats_fuse(s, op, &v))
		v.id = h;
	for (size_t d = 0; d < op->n_dst; d++)
		for (size_t i = 0; i < op->dst[d].span; i++)
			s->value[op->dst[d].slot + i] = v;
}

/* Identities by order of first use: chains make new ones without end, and only
 * which of them are the same matters. */
struct identities {
	uint64_t list[256];
	size_t n;
};

static uint64_t order_of(struct identities *t, uint64_t id)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i] == id)
			return i;
	if (t->n == ARRAY_LEN(t->list))
		return id;
	t->list[t->n] = id;
	return t->n++;
}

uint64_t fake_values_state(const struct fake_simulator *s, uint64_t h)
{
	struct identities t;

	t.n = 0;
	for (size_t i = 0; i < s->n_used; i++) {
		const struct fake_value *v = &s->value[s->used[i]];

		h = fake_mix(h, v->known ? v->id : v->wide);
		h = fake_mix(h, v->known);
		if (s->has_identity)
			h = fake_mix(h, order_of(&t, v->id));
	}
	for (size_t i = 0; s->has_identity && i < s->core->n_forms; i++)
		for (size_t k = 0;
		     s->last[i].kernel == s->kernel && k < s->last[i].n; k++)
			h = fake_mix(h, order_of(&t, s->last[i].id[k]));
	return h;
}
