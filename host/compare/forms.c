/* What a catalogue knows of the forms of both sides; see compare.h. */
#include "host/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "host/experiment/label.h"
#include "host/isa/isa.h"

static const struct form *base_form(const struct catalogue *c, const char *name)
{
	const struct form *f = catalogue_form(c, name);
	const char *end = strchr(name, COMPARE_VARIANT);
	char base[256];

	if (f || !end || (size_t)(end - name) >= sizeof(base))
		return f;
	memcpy(base, name, (size_t)(end - name));
	base[end - name] = '\0';
	return catalogue_form(c, base);
}

/* Bank of the explicit register operand of this name, else BANK_NONE. */
static uint8_t operand_bank(const struct catalogue *c, const struct form *f,
			    const char *name)
{
	char *end;
	long i = strtol(name, &end, 10);

	if (!f || end == name || *end != '\0' || i < 0 || i >= f->n_explicit)
		return BANK_NONE;

	const struct operand *o = &f->operands[i];

	/* This includes registers of an address that is computed only (LEA). */
	return o->reg_class < c->n_classes ? c->classes[o->reg_class].bank
					   : BANK_NONE;
}

static bool same_class(const void *context, const char *form,
		       const char *source, const char *destination)
{
	const struct catalogue *c = context;
	const struct form *f = base_form(c, form);
	uint8_t bank = operand_bank(c, f, source);

	return bank != BANK_NONE && bank == operand_bank(c, f, destination);
}

static const char *why_absent(const void *context, const char *form)
{
	const struct form *f = base_form(context, form);

	if (!f)
		return "no form of this instruction set";
	if (f->status != FORM_MEASURABLE)
		return form_status_word((enum form_status)f->status);
	return strchr(form, COMPARE_VARIANT) && !catalogue_form(context, form)
		       ? "no such variant"
		       : "not in the database";
}

struct compare_classes compare_classes_of(const struct catalogue *c)
{
	return (struct compare_classes){ .same = same_class,
					 .absent = why_absent,
					 .context = c };
}

/* ---- of one CPU ---------------------------------------------------------- */

bool compare_has_forms(struct arena *a, const struct catalogue *c,
		       const char *name)
{
	const struct label_part *parts;
	size_t n = c ? label_parts(a, name, &parts) : 0;

	for (size_t i = 0; i < n; i++) {
		const struct form *f = base_form(c, parts[i].form);

		if (f && f->status == FORM_UNSUPPORTED)
			return false;
	}
	return true;
}
