/* Circles through the banks of registers; see graph.h. */
#include "host/plan/graph.h"

enum { MAX_BRIDGES = 24 };

/* A bridge as a step, and the banks it connects. */
struct bridge {
	struct step step;
	uint8_t from, to;
};

static uint8_t bank_of(const struct catalogue *c, const struct operand *o)
{
	if (o->kind != OPERAND_REG)
		return BANK_NONE;
	return o->fixed_reg != REG_NONE ? c->regs[o->fixed_reg].bank
					: c->classes[o->reg_class].bank;
}

static bool is_bank(uint8_t bank)
{
	return bank != BANK_NONE && bank != BANK_STATE && bank != BANK_X87;
}

/* The first pair of a form that crosses banks. */
static bool crossing(const struct catalogue *c, const struct form *f,
		     struct bridge *ret)
{
	for (int s = 0; s < f->n_operands; s++)
		for (int d = 0; d < f->n_operands; d++) {
			uint8_t from = bank_of(c, &f->operands[s]);
			uint8_t to = bank_of(c, &f->operands[d]);

			if (!f->operands[s].read || !f->operands[d].write ||
			    from == to || !is_bank(from) || !is_bank(to))
				continue;
			*ret = (struct bridge){
				.step = { .form = f,
					  .src = (int16_t)s,
					  .dst = (int16_t)d,
					  .count = 1 },
				.from = from,
				.to = to,
			};
			return true;
		}
	return false;
}

static size_t find_bridges(const struct catalogue *c,
			   struct bridge list[MAX_BRIDGES])
{
	size_t n = 0;

	for (const char *const *name = c->isa->bridges;
	     name && *name && n < MAX_BRIDGES; name++) {
		const struct form *f = catalogue_form(c, *name);

		if (f && f->status == FORM_MEASURABLE &&
		    crossing(c, f, &list[n]))
			n++;
	}
	return n;
}

static void append(struct experiment *x, const struct bridge *b)
{
	x->steps[x->n_steps++] = b->step;
}

/* The shortest way from one bank to another: a bridge, or two. */
static bool lead_back(const struct catalogue *c, uint8_t from, uint8_t to,
		      struct experiment *x)
{
	struct bridge list[MAX_BRIDGES];
	size_t n = find_bridges(c, list);

	for (size_t i = 0; i < n; i++)
		if (list[i].from == from && list[i].to == to) {
			append(x, &list[i]);
			return true;
		}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (list[i].from == from && list[k].to == to &&
			    list[i].to == list[k].from) {
				append(x, &list[i]);
				append(x, &list[k]);
				return true;
			}
	return false;
}

static bool is_fixed_at(const struct catalogue *c, const struct operand *o,
			const struct reg *r)
{
	return o->fixed_reg != REG_NONE &&
	       reg_overlap(&c->regs[o->fixed_reg], r);
}

bool graph_chain(const struct catalogue *c, const struct form *form, int src,
		 int dst, struct experiment *ret, struct pair *ret_cuts)
{
	const struct operand *s = &form->operands[src];
	const struct operand *d = &form->operands[dst];
	struct experiment x = {
		.kind = EXPERIMENT_LATENCY,
		.n_steps = 1,
		.steps[0] = { .form = form,
			      .src = (int16_t)src,
			      .dst = (int16_t)dst,
			      .count = 1 },
	};
	uint16_t carried[PAIR_MAX_CUTS];
	size_t n = form_carried(c, form, NULL, carried, PAIR_MAX_CUTS);
	struct pair cuts = { .src = src, .dst = dst, .n_cuts = n };

	if (!is_bank(bank_of(c, s)) || !is_bank(bank_of(c, d)) ||
	    bank_of(c, s) == bank_of(c, d) || n > PAIR_MAX_CUTS)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct reg *r = &c->regs[carried[i]];

		if (is_fixed_at(c, s, r) || is_fixed_at(c, d, r))
			return false;
		cuts.cuts[i] = r->bank;
	}
	if (!lead_back(c, bank_of(c, d), bank_of(c, s), &x))
		return false;
	*ret = x;
	*ret_cuts = cuts;
	return true;
}
