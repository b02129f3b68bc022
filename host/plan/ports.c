/* See ports.h. */
#include "host/plan/ports.h"

#include <regex.h>
#include <string.h>

#include "host/isa/variant.h"

static uint8_t rank_of(const struct catalogue *c, const struct form *f)
{
	const char *filler =
		c->isa->filler ? c->isa->filler : c->isa->calibration.probe;

	if (strcmp(f->name, filler) == 0)
		return 0;
	if (f->access != 0)
		return 3;
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].tied_to >= 0)
			return 2;
	return 1;
}

/* Does an instance read, through a register it cannot choose, what the one
 * before wrote? */
static bool depends(const struct catalogue *c, const struct form *f)
{
	uint16_t carried;

	return form_carried(c, f, NULL, &carried, 1) > 0;
}

int plan_ports(struct arena *a, const struct catalogue *c, const char *forms,
	       uint32_t families, struct plan_ports_form **ret, size_t *ret_n,
	       size_t *ret_left, struct err *e)
{
	struct plan_ports_form *list =
		ARENA_ARRAY(a, struct plan_ports_form, c->n_forms);
	size_t n = 0, n_matched = 0, n_left = 0;
	regex_t expression;

	families = families ? families : families_default();
	if (plan_expression(forms, &expression, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < c->n_forms; i++) {
		const struct form *f = &c->forms[i];
		bool matches = form_chosen(f, families) &&
			       regexec(&expression, f->name, 0, NULL, 0) == 0;
		uint8_t rank = rank_of(c, f);

		if (f->status != FORM_MEASURABLE || (!matches && rank > 0))
			continue;
		n_matched += matches;
		if (depends(c, f))
			n_left++;
		else
			list[n++] = (struct plan_ports_form){ f, rank };
	}
	regfree(&expression);
	if (n_matched == 0)
		return err_set(e, ERR_INPUT,
			       "--forms: an expression that some measurable "
			       "form of %s matches (see `anechoic forms`)",
			       c->isa->name);
	*ret = list;
	*ret_n = n;
	*ret_left = n_left;
	return ERR_OK;
}
