/* Facts of a form and of its values, in words; see inner.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/mc.h"
#include "host/site/inner.h"

const struct catalogue *site_catalogue(const struct site *s, const char *isa)
{
	size_t i = 0;

	while (i + 1 < s->n_catalogues &&
	       strcmp(s->catalogues[i]->isa->name, isa) != 0)
		i++;
	return s->catalogues[i];
}

/* ---- of the catalogue ---------------------------------------------------- */

/* Append a word to a list with commas, if it is not there and fits. */
static void add_word(char list[SITE_TEXT], const char *word, size_t n)
{
	size_t used = strlen(list);

	for (const char *at = list; *at != '\0'; at += *at == ',') {
		size_t m = strcspn(at, ",");

		if (m == n && strncmp(at, word, n) == 0)
			return;
		at += m;
	}
	if (used + n + 2 > SITE_TEXT)
		return;
	(void)snprintf(list + used, SITE_TEXT - used, "%s%.*s", used ? "," : "",
		       (int)n, word);
}

static void add_words(char list[SITE_TEXT], const char *words)
{
	for (const char *at = words ? words : ""; *at != '\0';
	     at += *at == ',') {
		size_t n = strcspn(at, ",");

		if (n > 0)
			add_word(list, at, n);
		at += n;
	}
}

void site_extension(const struct site_form *f, const struct catalogue *c,
		    char ret[SITE_TEXT])
{
	unsigned char code[MC_MAX_CODE];
	struct instance x;
	size_t n = 0;

	*ret = '\0';
	if (!f->form)
		return;
	if (c->isa->required_features && form_example(c, f->form, 0, &x))
		n = instance_encode(c, &x, code, sizeof(code));
	if (n > 0)
		add_words(ret, c->isa->required_features(f->form, code, n));
	if (c->isa->variant_features)
		add_words(ret, c->isa->variant_features(f->form));
}

void site_kinds(const struct site_form *f, const struct catalogue *c,
		char ret[SITE_TEXT])
{
	*ret = '\0';
	for (int i = 0; f->form && i < f->form->n_explicit; i++) {
		const struct operand *o = &f->form->operands[i];
		const char *word = NULL;

		if (o->kind == OPERAND_MEM)
			word = "memory";
		else if (o->kind == OPERAND_IMM)
			word = "immediate";
		else if (o->kind == OPERAND_LABEL)
			word = "label";
		else if (o->kind == OPERAND_REG && o->reg_class < c->n_classes)
			word = c->classes[o->reg_class].bank == BANK_MASK
				       ? "mask"
				       : "register";
		if (word)
			add_word(ret, word, strlen(word));
	}
}

unsigned site_width(const struct site_form *f, const struct catalogue *c)
{
	enum { BITS = 8 };
	unsigned bits = 0;

	if (!f->form)
		return 0;
	for (int i = 0; i < f->form->n_explicit; i++) {
		const struct operand *o = &f->form->operands[i];

		if (o->kind == OPERAND_REG && o->reg_class < c->n_classes &&
		    c->classes[o->reg_class].bank != BANK_MASK &&
		    c->classes[o->reg_class].bits > bits)
			bits = c->classes[o->reg_class].bits;
	}
	return bits ? bits : f->form->text_bytes * (unsigned)BITS;
}

/* ---- of the values ------------------------------------------------------- */

const char *site_verdict_class(const struct claim *c)
{
	if (!c->has_value)
		return "no";
	return c->verdict == VERDICT_OK      ? "ok"
	       : c->verdict == VERDICT_MODEL ? "soft"
					     : "doubt";
}

const struct claim *site_issue_width(const struct site_core *c)
{
	for (size_t i = 0; i < c->claims.n; i++)
		if (claim_is(&c->claims.list[i], "issue-width") &&
		    c->claims.list[i].has_value)
			return &c->claims.list[i];
	return NULL;
}

static int by_values(const void *a, const void *b)
{
	const struct site_values *x = a, *y = b;

	return strcmp(x->name, y->name);
}

const struct site_values *site_find_values(const struct site_core *c,
					   const char *name)
{
	const struct site_values key = { .name = name };

	return bsearch(&key, c->forms, c->n_forms, sizeof(key), by_values);
}

const struct site_size site_sizes[SITE_N_SIZES] = {
	{ "Reorder buffer", offsetof(struct model, reorder_buffer) },
	{ "Scheduler", offsetof(struct model, scheduler) },
	{ "Load queue", offsetof(struct model, load_queue) },
	{ "Store queue", offsetof(struct model, store_queue) },
	{ "Vector queue", offsetof(struct model, vector_queue) },
	{ "General queue", offsetof(struct model, general_queue) },
	{ "Vector registers in flight",
	  offsetof(struct model, vector_registers) },
};

size_t site_size(const struct model *m, size_t i)
{
	uint32_t size = 0;

	if (m)
		memcpy(&size, (const char *)m + site_sizes[i].offset,
		       sizeof(size));
	return size;
}

/* "2*p0|p1 p5". */
static const char *ports_text(struct arena *a, const struct site_core *c,
			      const struct model_form *f)
{
	struct buffer b = { 0 };

	if (!f || !f->has_ports)
		return "";
	if (f->n_uses == 0)
		return "none";
	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];

		buffer_printf(&b, "%s", i ? " " : "");
		if (u->n_uops != 1)
			buffer_printf(&b, "%.4g*", u->n_uops);
		buffer_printf(&b, "%s",
			      model_ports_text(a, c->model, u->ports));
		if (u->cycles != 1)
			buffer_printf(&b, "@%.4g", u->cycles);
	}
	return buffer_take(a, &b);
}

struct site_row site_row_of(struct arena *a, const struct site_core *c,
			    const struct site_values *v)
{
	struct site_row r = { .of = view_row_of(a, &v->claims),
			      .ports = ports_text(a, c, v->model) };

	if (v->model)
		r.uops = v->model->slots;
	return r;
}

const struct site_row *site_row(const struct site_form *f, size_t core)
{
	static const struct site_row none = { .ports = "" };

	return f->on[core] ? &f->on[core]->row : &none;
}
