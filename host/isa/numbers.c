/* Classes of immediates; see numbers.h. */
#include "host/isa/numbers.h"

#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"

const struct isa_usual_number *numbers_usual(const struct isa_numbers *n,
					     const char *form)
{
	for (const struct isa_usual_number *u = n ? n->usual : NULL;
	     u && u->patterns; u++)
		if (name_matches_any(u->patterns, form))
			return u;
	return NULL;
}

void numbers_variants(const struct isa_numbers *n, const struct form *form,
		      struct variant_list *ret)
{
	for (size_t i = 0; n && i < n->n_classes; i++)
		if (name_matches(n->classes[i].pattern, form->name))
			variant_add(ret, &n->classes[i].variant);
}

/* The immediate that classes refer to, -1 if there is none. */
static int number_of(const struct form *form, const struct operand *operands)
{
	for (int i = 0; i < form->n_explicit; i++)
		if (operands[i].kind == OPERAND_IMM)
			return i;
	return -1;
}

void numbers_shape(const struct form *form, struct operand *operands)
{
	int at = number_of(form, operands);

	if (form_family(form) == FAMILY_NUMBER && at >= 0)
		operand_pin(&operands[at], form->variant->number);
}

static bool is_in_class(const struct isa_numbers *n, const struct variant *v,
			int64_t number)
{
	for (size_t i = 0; n && i < n->n_classes; i++)
		if (&n->classes[i].variant == v)
			return number >= n->classes[i].low &&
			       number <= n->classes[i].high;
	return false;
}

const struct form *numbers_form(const struct catalogue *c,
				const struct instance *i)
{
	const struct form *f = i->form;
	int at = number_of(f, f->operands);

	if (f->variant || at < 0)
		return f;
	for (f++; f < c->forms + c->n_forms && f->opcode == i->form->opcode;
	     f++)
		if (form_family(f) == FAMILY_NUMBER &&
		    is_in_class(c->isa->numbers, f->variant, i->imm[at]))
			return f;
	return i->form;
}
