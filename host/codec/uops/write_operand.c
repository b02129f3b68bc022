/* Writes attributes and operands of uops.info's XML; see write.h. */
#include <ctype.h>
#include <stdio.h>

#include "host/codec/number.h"
#include "host/codec/uops/names.h"
#include "host/codec/uops/write.h"
#include "host/isa/flags.h"
#include "host/isa/isa.h"

static void add_text(struct buffer *b, const char *text)
{
	static const struct {
		char c;
		const char *name;
	} rows[] = {
		{ '&', "&amp;" },
		{ '<', "&lt;" },
		{ '>', "&gt;" },
		{ '"', "&quot;" },
	};

	for (; *text != '\0'; text++) {
		size_t i = 0;

		while (i < ARRAY_LEN(rows) && rows[i].c != *text)
			i++;
		if (i < ARRAY_LEN(rows))
			buffer_printf(b, "%s", rows[i].name);
		else if ((unsigned char)*text >= ' ')
			buffer_add(b, text, 1);
	}
}

void uops_attribute(struct uops_writer *w, const char *key, const char *text)
{
	buffer_printf(w->out, " %s=\"", key);
	add_text(w->out, text);
	buffer_printf(w->out, "\"");
}

static const char *type_of(const struct operand *o)
{
	if (o->kind == OPERAND_IMM)
		return "imm";
	if (o->kind == OPERAND_MEM)
		return "mem";
	if (o->kind == OPERAND_LABEL)
		return "relbr";
	if (o->flag)
		return "flags";
	return "reg";
}

/* flag_CF="r/w" */
static void add_flags(struct uops_writer *w, const struct form *f)
{
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		int flag = catalogue_flag(w->c, o->fixed_reg);
		char key[NUMBER_ROOM];

		if (flag < 0 || (!o->read && !o->write))
			continue;
		(void)snprintf(key, sizeof(key), "flag_%s",
			       w->c->isa->flags->names[flag]);
		uops_attribute(w, key, !o->write ? "r" : o->read ? "r/w" : "w");
	}
}

/* REG1, MEM2 ...: uops.info's latencies are between named operands. */
static void add_operand_name(struct uops_writer *w, const struct operand *o,
			     int number)
{
	const char *type = type_of(o);

	buffer_printf(w->out, " name=\"");
	for (; *type != '\0'; type++)
		buffer_printf(w->out, "%c", toupper((unsigned char)*type));
	buffer_printf(w->out, "%d\"", number);
}

/* End the element, with the registers that the operand can be. */
static void add_registers(struct uops_writer *w, const struct operand *o)
{
	const struct reg_class *k = o->reg_class < w->c->n_classes
					    ? &w->c->classes[o->reg_class]
					    : NULL;

	if (o->kind != OPERAND_REG || o->flag || (!k && !o->fixed_reg)) {
		buffer_printf(w->out, "/>");
		return;
	}
	buffer_printf(w->out, ">");
	if (o->fixed_reg != REG_NONE)
		add_text(w->out, w->c->regs[o->fixed_reg].name);
	for (size_t i = 0; o->fixed_reg == REG_NONE && i < k->n_regs; i++) {
		buffer_printf(w->out, i > 0 ? "," : "");
		add_text(w->out, w->c->regs[k->regs[i]].name);
	}
	/* All its registers are reserved. */
	if (o->fixed_reg == REG_NONE && k->n_regs == 0)
		add_text(w->out, k->name);
	buffer_printf(w->out, "</operand>");
}

void uops_operand(struct uops_writer *w, const struct form *f,
		  const struct uops_operands *numbers, int number)
{
	const struct operand *first = NULL;
	bool read = false, write = false;
	unsigned bits = 0;

	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];
		bool memory = o->kind == OPERAND_MEM;

		if (numbers->number[i] != number)
			continue;
		if (!first)
			first = o;
		/* For memory: the access, not the registers of its address. */
		read |= memory ? (f->access & ACCESS_LOAD) != 0
			       : o->kind == OPERAND_IMM || o->read;
		write |= memory ? (f->access & ACCESS_STORE) != 0 : o->write;
	}
	buffer_printf(w->out, "\n   <operand idx=\"%d\"", number);
	add_operand_name(w, first, number);
	uops_attribute(w, "type", type_of(first));
	if (read)
		uops_attribute(w, "r", "1");
	if (write)
		uops_attribute(w, "w", "1");
	if (first->implicit)
		uops_attribute(w, "suppressed", "1");
	if (first->flag)
		add_flags(w, f);
	if (first->kind == OPERAND_REG && first->reg_class < w->c->n_classes)
		bits = w->c->classes[first->reg_class].bits;
	else if (first->kind == OPERAND_MEM)
		bits = 8u * f->data_bytes;
	else if (first->kind == OPERAND_IMM)
		bits = uops_immediate_bits(w->c, f, (int)(first - f->operands));
	if (bits > 0)
		buffer_printf(w->out, " width=\"%u\"", bits);
	add_registers(w, first);
}
