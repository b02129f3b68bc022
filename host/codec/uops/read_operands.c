/* Reads the operands of uops.info's XML; see read.h.  It numbers the operands
 * that an instruction has no text for, too: LLVM's implicit ones are known by
 * their registers. */
#include <stdio.h>
#include <string.h>

#include "host/codec/uops/read.h"

void uops_read_operand(struct uops_reader *r, const struct xml_tag *t)
{
	struct uops_listed *l = &r->listed[r->n_listed];
	const char *type = xml_get(t, "type");
	double number = 0;

	if (!t->open && r->n_listed > 0) {
		(void)strcpy(r->listed[r->n_listed - 1].text, t->text);
		return;
	}
	if (!t->open || r->n_listed == UOPS_MAX_LISTED ||
	    !uops_number(r, t, "idx", &number) || number > UOPS_MAX_LISTED)
		return;
	*l = (struct uops_listed){ .number = (int)number };
	(void)snprintf(l->type, sizeof(l->type), "%s", type ? type : "");
	r->n_listed++;
}

static bool is_of(const struct uops_listed *l, const char *type)
{
	return strcmp(l->type, type) == 0;
}

/* The number of the operand that is this register, or the flags; 0: none. */
static int number_of(const struct uops_reader *r, const struct operand *o)
{
	for (size_t i = 0; i < r->n_listed; i++) {
		const struct uops_listed *l = &r->listed[i];

		if (o->flag ? is_of(l, "flags")
			    : o->fixed_reg != REG_NONE &&
				      strcmp(l->text,
					     r->c->regs[o->fixed_reg].name) ==
					      0)
			return l->number;
	}
	return 0;
}

/* Registers of an address that is computed, and not used, are parts of one
 * operand, the index behind the base. */
static void number_address(struct uops_reader *r, int number)
{
	enum xml_part part = XML_BASE;

	for (int i = 0; i < r->form->n_explicit; i++) {
		const struct operand *o = &r->form->operands[i];

		if (o->kind == OPERAND_IMM && i > 0)
			part = XML_INDEX; /* the scale */
		if (o->kind != OPERAND_REG || !o->read)
			continue;
		r->numbers.number[i] = number;
		r->numbers.part[i] = part;
	}
}

static const char *type_of(const struct operand *o)
{
	return o->kind == OPERAND_MEM   ? "mem"
	       : o->kind == OPERAND_REG ? "reg"
	       : o->kind == OPERAND_IMM ? "imm"
					: "relbr";
}

/* The numbers of operands that stand in the text: the first of a type is the
 * first of its type in the file.  LLVM may have types in another order. */
static void number_explicit(struct uops_reader *r)
{
	const struct form *f = r->form;
	int numbers[FORM_MAX_OPERANDS + 1] = { 0 };
	bool taken[UOPS_MAX_LISTED] = { false };

	for (int i = 0; i < f->n_explicit; i++) {
		int *number = &r->numbers.number[i];
		size_t at = 0;

		if (*number == 0 || numbers[*number] != 0)
			continue;
		while (at < r->n_listed &&
		       (taken[at] ||
			!is_of(&r->listed[at], type_of(&f->operands[i]))))
			at++;
		if (at == r->n_listed)
			return;
		taken[at] = true;
		numbers[*number] = r->listed[at].number;
	}
	for (int i = 0; i < f->n_explicit; i++)
		r->numbers.number[i] = numbers[r->numbers.number[i]];
}

void uops_number_listed(struct uops_reader *r)
{
	const struct form *f = r->form;
	bool computes = false;

	for (size_t i = 0; f && i < r->n_listed; i++)
		if (is_of(&r->listed[i], "agen")) {
			number_address(r, r->listed[i].number);
			computes = true;
		}
	if (f && !computes)
		number_explicit(r);
	for (int i = f ? f->n_explicit : 0; f && i < f->n_operands; i++)
		r->numbers.number[i] = number_of(r, &f->operands[i]);
}
