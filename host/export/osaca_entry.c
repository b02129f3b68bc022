/* Collects forms for OSACA's files; see osaca_entry.h. */
#include "host/export/osaca_entry.h"

#include <stdlib.h>
#include <string.h>

/* Single-quoted YAML. */
void osaca_quoted(struct buffer *b, const char *text)
{
	buffer_add(b, "'", 1);
	for (; *text != '\0'; text++)
		if ((unsigned char)*text >= ' ')
			buffer_add(b, *text == '\'' ? "''" : text,
				   *text == '\'' ? 2 : 1);
	buffer_add(b, "'", 1);
}

static void add_memory(struct buffer *b, const struct catalogue *c,
		       const struct signature_operand *o)
{
	/* If an opcode has all kinds of addresses, as on x86, its example shows
	 * only one of them. */
	bool any = strcmp(c->isa->register_files->key, "name") == 0;

	buffer_printf(b,
		      "  - class: memory\n    base: '*'\n    offset: '*'\n"
		      "    index: %s\n    scale: '*'\n",
		      any || o->index ? "'*'" : "~");
	if (!any)
		buffer_printf(b, "    pre_indexed: %s\n    post_indexed: %s\n",
			      o->before ? "true" : "false",
			      o->after ? "true" : "false");
}

void osaca_operand(struct buffer *b, const struct catalogue *c,
		   const struct signature_operand *o)
{
	switch (o->class) {
	case SIGNATURE_REGISTER:
		buffer_printf(b, "  - class: register\n    %s: %s\n",
			      o->file->key, o->file->word);
		if (o->shape)
			buffer_printf(b, "    shape: %c\n", o->shape);
		if (o->predicate)
			buffer_printf(b, "    predication: %c\n", o->predicate);
		if (o->mask)
			buffer_printf(b, "    mask: true\n");
		if (o->zero)
			buffer_printf(b, "    zeroing: true\n");
		break;
	case SIGNATURE_MEMORY:
		add_memory(b, c, o);
		break;
	case SIGNATURE_IMMEDIATE:
		buffer_printf(b, "  - class: immediate\n    imd: int\n");
		break;
	case SIGNATURE_OTHER:
		buffer_printf(b, "  - class: condition\n    ccode: '*'\n");
		break;
	}
}

/* ---- the list -----------------------------------------------------------
 */

static int compare_operand(const struct signature_operand *x,
			   const struct signature_operand *y)
{
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->class == SIGNATURE_REGISTER &&
	    strcmp(x->file->word, y->file->word) != 0)
		return strcmp(x->file->word, y->file->word);

	const int orders[] = {
		x->shape - y->shape, x->predicate - y->predicate,
		x->mask - y->mask,   x->zero - y->zero,
		x->index - y->index, x->before - y->before,
		x->after - y->after,
	};

	for (size_t i = 0; i < ARRAY_LEN(orders); i++)
		if (orders[i] != 0)
			return orders[i];
	return 0;
}

static int compare_look(const struct osaca_form *x, const struct osaca_form *y)
{
	int order = strcmp(x->s.name, y->s.name);

	if (order == 0)
		order = (x->s.n > y->s.n) - (x->s.n < y->s.n);
	for (size_t i = 0; order == 0 && i < x->s.n; i++)
		order = compare_operand(&x->s.operands[i], &y->s.operands[i]);
	return order;
}

/* Among forms with the same text, measurable forms come first, as an assembler
 * chooses them; then by name. */
static int compare_entries(const void *a, const void *b)
{
	const struct osaca_form *x = a, *y = b;
	int order = compare_look(x, y);

	if (order == 0)
		order = (x->form->status != FORM_MEASURABLE) -
			(y->form->status != FORM_MEASURABLE);
	return order ? order : strcmp(x->form->name, y->form->name);
}

static bool is_known(const struct model_form *f)
{
	bool known = f->has_ports || f->throughput.has_value;

	for (size_t i = 0; i < f->n_latencies; i++)
		known |= f->latencies[i].cycles.has_value;
	return known;
}

void osaca_collect(struct arena *a, const struct model *m,
		   const struct catalogue *c, bool unknown,
		   struct osaca_list *ret)
{
	struct osaca_form *list =
		ARENA_ARRAY(a, struct osaca_form, m->n_forms + 1);
	size_t n = 0, n_all = 0;

	*ret = (struct osaca_list){ .entries = list };
	for (size_t i = 0; i < m->n_forms; i++) {
		struct osaca_form *x = &list[n_all];

		x->f = &m->forms[i];
		if (!unknown && !is_known(x->f)) {
			ret->n_unknown++;
			continue;
		}
		x->form = catalogue_form(c, x->f->name);
		if (x->form && signature_parse(c->isa, x->form->example, &x->s))
			n_all++;
		else
			ret->n_unwritten++;
	}
	if (n_all > 0)
		qsort(list, n_all, sizeof(*list), compare_entries);
	for (size_t i = 0; i < n_all; i++) {
		if (n > 0 && compare_look(&list[n - 1], &list[i]) == 0)
			ret->n_alike++;
		else
			list[n++] = list[i];
	}
	ret->n = n;
}
