/* Writes OSACA's file isa/<isa>.yml: which explicit and hidden operands each
 * form reads and writes.  For a form that is not listed, OSACA assumes that one
 * operand is written and all others are read.
 *
 * To map an operand of a form to an operand of the text, its register is
 * changed: the text's operand that changes is the one.  This needs no rules
 * about operand order.  A form whose text does not change is left out. */
#include <ctype.h>
#include <string.h>

#include "host/codec/codec.h"
#include "host/codec/osaca/write.h"
#include "host/experiment/experiment.h"
#include "host/isa/flags.h"
#include "host/isa/instance.h"

enum { TEXT = 256, CODE = 32 };

struct access {
	bool read, write;
};

struct roles {
	size_t n;
	struct access of[SIGNATURE_OPERANDS];
	/* Implicit operands that appear in the text. */
	bool shown[FORM_MAX_OPERANDS];
};

struct isa_writer {
	struct buffer *out;
	const struct catalogue *c;
	size_t n, n_left;
};

/* ---- which operand of the text ------------------------------------------ */

static bool text_of(const struct catalogue *c, const struct instance *x,
		    char text[TEXT], struct signature *s)
{
	unsigned char code[CODE];
	size_t n = instance_encode(c, x, code, sizeof(code));

	return n > 0 && instance_text(c, code, n, text, TEXT) == n &&
	       signature_parse(c->isa, text, s);
}

/* A register of the class that the instance does not use. */
static uint16_t other_register(const struct catalogue *c,
			       const struct instance *x, int operand)
{
	const struct form *f = x->form;
	const struct reg_class *k = &c->classes[f->operands[operand].reg_class];

	for (uint32_t i = 0; i < k->n_regs; i++) {
		bool free = true;

		for (int o = 0; o < f->n_operands && free; o++) {
			uint16_t has = o < f->n_explicit
					       ? x->reg[o]
					       : f->operands[o].fixed_reg;

			free = has == REG_NONE ||
			       !reg_overlap(&c->regs[has],
					    &c->regs[k->regs[i]]);
		}
		if (free)
			return k->regs[i];
	}
	return REG_NONE;
}

/* Length without x86's mask suffixes, which follow their operand. */
static size_t plain_length(const char *text, const struct signature_operand *o)
{
	size_t n = 0;

	while (n < o->length && text[o->at + n] != '{')
		n++;
	return n;
}

/* The operand that differs between two texts; -1 if not exactly one does. */
static int differing_operand(const char *x, const struct signature *sx,
			     const char *y, const struct signature *sy)
{
	int found = -1;

	if (sx->n != sy->n)
		return -1;
	for (size_t i = 0; i < sx->n; i++) {
		const struct signature_operand *a = &sx->operands[i];
		const struct signature_operand *b = &sy->operands[i];
		size_t n = plain_length(x, a);

		if (n == plain_length(y, b) &&
		    memcmp(x + a->at, y + b->at, n) == 0)
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

static int find_operand(const struct catalogue *c, const struct instance *x,
			int operand, const char *text,
			const struct signature *s)
{
	struct instance changed = *x;
	uint16_t reg = other_register(c, x, operand);
	char other[TEXT];
	struct signature its;

	if (reg == REG_NONE)
		return -1;
	changed.reg[operand] = reg;
	for (int i = 0; i < x->form->n_explicit; i++)
		if (x->form->operands[i].tied_to == operand)
			changed.reg[i] = reg;
	if (!text_of(c, &changed, other, &its))
		return -1;
	return differing_operand(text, s, other, &its);
}

/* "%cl" of shifts is an implicit operand in LLVM. */
static bool is_named(const char *text, const struct signature_operand *o,
		     const char *name)
{
	size_t n = strlen(name), length = plain_length(text, o);
	const char *at = text + o->at;

	if (length > 0 && *at == '%') {
		at++;
		length--;
	}
	return n == length && strncasecmp(at, name, n) == 0;
}

static void add_role(struct access *a, const struct operand *o)
{
	a->read |= o->read;
	a->write |= o->write;
}

static bool find_roles(const struct catalogue *c, const struct form *f,
		       struct roles *ret)
{
	struct instance x;
	char text[TEXT];
	struct signature s;

	*ret = (struct roles){ .n = 0 };
	if (!form_example(c, f, 0, &x) || !text_of(c, &x, text, &s))
		return false;
	ret->n = s.n;
	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];
		int at = o->tied_to >= 0 ? o->tied_to : i;

		if (o->kind != OPERAND_REG || x.reg[i] == REG_NONE)
			continue;
		at = find_operand(c, &x, at, text, &s);
		if (at >= 0 && s.operands[at].class == SIGNATURE_REGISTER)
			add_role(&ret->of[at], o);
	}
	for (int i = f->n_explicit; i < f->n_operands; i++)
		for (size_t k = 0; k < s.n; k++)
			if (s.operands[k].class == SIGNATURE_REGISTER &&
			    is_named(text, &s.operands[k],
				     c->regs[f->operands[i].fixed_reg].name)) {
				add_role(&ret->of[k], &f->operands[i]);
				ret->shown[i] = true;
			}
	for (size_t k = 0; k < s.n; k++) {
		struct access *a = &ret->of[k];

		if (s.operands[k].class == SIGNATURE_MEMORY)
			*a = (struct access){ f->access != ACCESS_STORE,
					      f->access & ACCESS_STORE };
		else if (s.operands[k].class != SIGNATURE_REGISTER)
			a->read = true;
		if (!a->read && !a->write)
			return false;
	}
	return true;
}

/* ---- writing ------------------------------------------------------------ */

/* An operand that the text does not show: a flag, or a register. */
static void add_hidden(struct isa_writer *w, const struct operand *o,
		       bool *first)
{
	const struct reg *r = &w->c->regs[o->fixed_reg];
	int flag = catalogue_flag(w->c, o->fixed_reg);
	bool is_flag = r->bank == BANK_FLAGS;
	char name[ISA_NAME_ROOM];
	size_t n = strlen(r->name);

	if (is_flag ? flag < 0 || (!o->read && !o->write)
		    : (r->bank != BANK_GPR && r->bank != BANK_VECTOR) ||
			      n >= sizeof(name))
		return;
	for (size_t i = 0; !is_flag && i <= n; i++)
		name[i] = (char)tolower((unsigned char)r->name[i]);
	buffer_printf(w->out,
		      "%s  - class: %s\n    name: %s\n    source: %s\n"
		      "    destination: %s\n",
		      *first ? "  hidden_operands:\n" : "",
		      is_flag ? "flag" : "register",
		      is_flag ? w->c->isa->flags->names[flag] : name,
		      o->read ? "true" : "false", o->write ? "true" : "false");
	*first = false;
}

static bool is_named_before(const struct osaca_form *of, size_t n,
			    const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(of[i].s.name, name) == 0)
			return true;
	return false;
}

/* All mnemonics of a group, with and without the letter of width: OSACA looks
 * for the one that it has found in the machine model. */
static void add_names(struct isa_writer *w, const struct osaca_form *of,
		      size_t n)
{
	buffer_printf(w->out, "- name: [");
	export_quoted(w->out, of[0].base);
	for (size_t i = 0; i < n; i++) {
		const char *name = of[i].s.name;

		if (strcmp(name, of[0].base) == 0 ||
		    is_named_before(of, i, name))
			continue;
		buffer_printf(w->out, ", ");
		export_quoted(w->out, name);
	}
	buffer_printf(w->out, "]\n");
}

static void add_group(struct isa_writer *w, const struct osaca_form *x,
		      size_t n)
{
	const struct form *f = x->form;
	struct roles r;
	bool first = true;

	if (!find_roles(w->c, f, &r) || r.n != x->s.n) {
		w->n_left += n;
		return;
	}
	w->n += n;
	add_names(w, x, n);
	buffer_printf(w->out, "  operands:%s\n", r.n > 0 ? "" : " []");
	for (size_t i = 0; i < r.n; i++) {
		buffer_printf(w->out, "  - ");
		osaca_operand(w->out, w->c, f, &x->s.operands[i], INDEX_ANY);
		buffer_printf(w->out, ", source: %s, destination: %s}\n",
			      r.of[i].read ? "true" : "false",
			      r.of[i].write ? "true" : "false");
	}
	for (int i = f->n_explicit; i < f->n_operands; i++)
		if (!r.shown[i])
			add_hidden(w, &f->operands[i], &first);
}

static int write_isa(const struct model *m, const struct catalogue *c,
		     struct buffer *ret, struct err *e)
{
	struct arena a = { 0 };
	struct buffer forms = { 0 };
	struct isa_writer w = { .out = &forms, .c = c };
	struct osaca_list list;

	if (osaca_collect(&a, m, c, &list, e) != ERR_OK) {
		arena_free(&a);
		return e->code;
	}
	for (size_t i = 0; i < list.n_groups; i++)
		add_group(&w, &list.forms[list.groups[i].first],
			  list.groups[i].n);
	export_tool_comment(ret, "#", m);
	buffer_printf(ret,
		      "# What is read and written by %zu forms; of %zu more "
		      "the text does not tell.\nosaca_version: 0.7.0\nisa: %s\n"
		      "instruction_forms:%s\n",
		      w.n, w.n_left, c->isa->osaca_name, w.n > 0 ? "" : " []");
	buffer_add(ret, forms.bytes, forms.n);
	buffer_free(&forms);
	arena_free(&a);
	return ERR_OK;
}

const struct exporter exporter_osaca_isa = {
	.name = "osaca-isa",
	.describe = "operands that are read and written, for "
		    "OSACA: isa/<isa>.yml",
	.write_model = write_isa,
};
