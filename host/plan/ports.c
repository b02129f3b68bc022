/* See ports.h. */
#include "host/plan/ports.h"

#include <regex.h>
#include <string.h>

#include "host/isa/decoding.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"

enum { LEAST_BYTES = 4 }; /* of an access that stands for others */

/* Does it preserve the upper half of the register that it writes?  Then it
 * waits for forms that write the whole register. */
static bool minds_upper_halves(const struct catalogue *c, const struct form *f)
{
	uint32_t i = c->by_opcode[f->opcode];

	for (; i < c->n_forms && c->forms[i].opcode == f->opcode; i++)
		if (form_family(&c->forms[i]) == FAMILY_DIRTY)
			return true;
	return false;
}

/* Registers that it needs for other purposes than an address. */
static uint8_t n_read(const struct form *f)
{
	unsigned n = 0;

	for (int i = 0; i < f->n_operands; i++)
		n += f->operands[i].kind == OPERAND_REG &&
		     f->operands[i].read && f->operands[i].role == ROLE_NONE;
	return (uint8_t)n;
}

static bool may_be_eliminated(const struct form *f)
{
	bool writes = f->access != 0;

	for (int i = 0; i < f->n_operands; i++)
		writes |= f->operands[i].write;
	return !writes || (f->flags & MC_MOVE) || form_family(f) == FAMILY_SAME;
}

/* Does it write a part of a GPR? Some cores merge it with the rest, which takes
 * a uop in some mixes and none in others: MOVSX16rr8 and ROR16ri on a Granite
 * Rapids server. */
static bool writes_part(const struct catalogue *c, const struct form *f)
{
	enum { LEAST = 32 };

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];
		const struct reg_class *cls = &c->classes[o->reg_class];

		if (o->kind == OPERAND_REG && o->write &&
		    o->reg_class != CLASS_NONE && cls->bank == BANK_GPR &&
		    cls->bits < LEAST)
			return true;
	}
	return false;
}

static bool has_fixed_register(const struct catalogue *c, const struct form *f)
{
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		enum reg_bank bank = c->regs[o->fixed_reg].bank;

		if (o->kind == OPERAND_REG && o->fixed_reg != REG_NONE &&
		    (bank == BANK_GPR || bank == BANK_VECTOR))
			return true;
	}
	return false;
}

static enum plan_ports_share share_of(const struct catalogue *c,
				      const struct form *f)
{
	enum { WIDEST = 64 };
	unsigned bytes = form_bits(c, f) / 8;

	if (name_matches_any(c->isa->seldom, f->name))
		return SHARE_SELDOM;
	if (bytes >= WIDEST || f->data_bytes >= WIDEST)
		return SHARE_WIDEST;
	if (form_is_wide(c, f))
		return SHARE_WIDE;
	return c->isa->keeps_above && c->isa->keeps_above(c, f) ? SHARE_NARROW
								: SHARE_ALL;
}

static uint8_t rank_of(const struct catalogue *c, const struct form *f)
{
	const char *filler =
		c->isa->filler ? c->isa->filler : c->isa->calibration.probe;

	if (strcmp(f->name, filler) == 0)
		return 0;
	/* A form with data operands does more than access memory; stores of one
	 * or two bytes run at changing speed on a Granite Rapids server. */
	if (f->access != 0)
		return n_read(f) > 0 || (f->text_bytes > 0 &&
					 f->text_bytes < LEAST_BYTES)
			       ? 4
			       : 3;
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to >= 0)
			return 2;
	return minds_upper_halves(c, f) || writes_part(c, f) ? 2 : 1;
}

/* A move, which many cores execute at the front end: if no-operations are
 * fused, moves fill slots. */
static bool is_copy(const struct catalogue *c, const struct form *f)
{
	const char *copy = c->isa->breaker_copy;

	return copy && strcmp(f->name, copy) == 0;
}

/* The breakers of an instance's dependencies through registers that it cannot
 * choose; false if there are none. */
static bool find_breakers(const struct catalogue *c, const struct form *f,
			  const struct form **ret, size_t *ret_n)
{
	struct pair pair;

	*ret_n = 0;
	if (!pair_independent(c, f, &pair))
		return false;
	for (; *ret_n < pair.n_cuts; ++*ret_n) {
		ret[*ret_n] = pair_breaker(c, f, pair.cuts[*ret_n]);
		if (!ret[*ret_n] || ret[*ret_n]->status != FORM_MEASURABLE)
			return false;
	}
	return true;
}

struct choice {
	const struct catalogue *c;
	bool *wanted; /* of each form of the catalogue */
	size_t n_matched, n_left;
	/* A form that matches, but that no mix uses; NULL: none. */
	const struct form *unmixed;
};

/* Why no mix has the form; NULL: it may. */
static const char *unmixed_because(const struct catalogue *c,
				   const struct form *f)
{
	return decoding_is_long(f)      ? "is decoded again in each iteration"
	       : form_is_uncached(c, f) ? "bypasses the caches"
	       : form_family(f) == FAMILY_SYSTEM
		       ? "is a system instruction, which orders others"
		       : NULL;
}

static void choose(struct choice *w, uint64_t families,
		   const regex_t *expression)
{
	for (size_t i = 0; i < w->c->n_forms; i++) {
		const struct form *f = &w->c->forms[i];
		const struct form *breakers[PAIR_MAX_CUTS];
		bool matches = form_chosen(f, families) &&
			       regexec(expression, f->name, 0, NULL, 0) == 0;
		size_t n;

		if (f->status != FORM_MEASURABLE ||
		    (!matches && rank_of(w->c, f) > 0 && !is_copy(w->c, f)))
			continue;
		if (unmixed_because(w->c, f)) {
			w->unmixed = matches ? f : w->unmixed;
			continue;
		}
		w->n_matched += matches;
		if (!find_breakers(w->c, f, breakers, &n)) {
			w->n_left++;
			continue;
		}
		w->wanted[i] = true;
		while (n > 0)
			w->wanted[breakers[--n] - w->c->forms] = true;
	}
}

/* The place in the list of each wanted form. */
static uint32_t *places(struct arena *a, const struct choice *w)
{
	uint32_t *at = ARENA_ARRAY(a, uint32_t, w->c->n_forms + 1);
	uint32_t n = 0;

	for (size_t i = 0; i < w->c->n_forms; i++) {
		at[i] = n;
		n += w->wanted[i];
	}
	return at;
}

static size_t list_forms(struct arena *a, const struct choice *w,
			 struct plan_ports_form *list)
{
	const uint32_t *at = places(a, w);
	size_t n = 0;

	for (size_t i = 0; i < w->c->n_forms; i++) {
		const struct form *f = &w->c->forms[i];
		const struct form *breakers[PAIR_MAX_CUTS];
		struct plan_ports_form *x = &list[n];

		if (!w->wanted[i])
			continue;
		*x = (struct plan_ports_form){
			.form = f,
			.rank = rank_of(w->c, f),
			.n_read = n_read(f),
			.has_fixed = has_fixed_register(w->c, f),
			.may_eliminate = may_be_eliminated(f),
			.share = share_of(w->c, f),
		};
		(void)find_breakers(w->c, f, breakers, &x->n_breakers);
		for (size_t k = 0; k < x->n_breakers; k++)
			x->breakers[k] = at[breakers[k] - w->c->forms];
		if (x->n_breakers > 0)
			x->rank = 4;
		n++;
	}
	return n;
}

/* The default set without the x87, most of whose forms need other instructions
 * around them and cannot be mixed. */
static uint64_t searched(uint64_t families)
{
	return families == 0 || families == families_default()
		       ? families_default() & ~(UINT64_C(1) << FAMILY_X87)
		       : families;
}

int plan_ports(struct arena *a, const struct catalogue *c, const char *forms,
	       uint64_t families, struct plan_ports_list *ret, struct err *e)
{
	struct plan_ports_form *list =
		ARENA_ARRAY(a, struct plan_ports_form, c->n_forms);
	struct choice w = {
		.c = c,
		.wanted = ARENA_ARRAY(a, bool, c->n_forms + 1),
	};
	regex_t expression;

	if (plan_expression(forms, &expression, e) != ERR_OK)
		return e->code;
	choose(&w, searched(families), &expression);
	regfree(&expression);
	if (w.n_matched == 0 && w.unmixed)
		return err_set(
			e, ERR_INPUT,
			"no form that matches '%s' can be used in a port "
			"search: %s %s",
			forms ? forms : "", w.unmixed->name,
			unmixed_because(c, w.unmixed));
	if (w.n_matched == 0)
		return plan_no_match(c, forms, e);
	*ret = (struct plan_ports_list){ list, list_forms(a, &w, list),
					 w.n_left };
	plan_port_batches(a, c, list, ret->n);
	return ERR_OK;
}
