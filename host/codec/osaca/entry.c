/* Operands and values for OSACA's files; see write.h. */
#include "host/base/order.h"
#include "host/codec/osaca/write.h"
#include "host/isa/isa.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void osaca_add_number(struct buffer *b, bool known, double value)
{
	if (known)
		number_add(b, value);
	else
		buffer_printf(b, "~");
}

/* ---- operands ----------------------------------------------------------- */

/* Does the address itself decide which form it is?  It does where nothing is
 * accessed, as in x86's lea. */
static bool is_computed(const struct form *form,
			const struct signature_operand *o)
{
	return o->class == SIGNATURE_MEMORY && form->access == 0 &&
	       form->variant != NULL;
}

const char *osaca_index(enum osaca_index index, bool any)
{
	static const char *const words[] = {
		[INDEX_NONE] = "~",
		[INDEX_SOME] = "gpr",
	};

	return index != INDEX_ANY ? words[index] : any ? "'*'" : "~";
}

static void add_memory(struct buffer *b, const struct catalogue *c,
		       const struct form *form,
		       const struct signature_operand *o,
		       enum osaca_index index)
{
	/* If an opcode has all kinds of addresses, as on x86, its example shows
	 * only one of them. */
	bool any = strcmp(c->isa->register_files->key, "name") == 0;
	bool computed = is_computed(form, o);

	buffer_printf(b, "{class: memory, base: '*', offset: %s, index: %s, ",
		      !computed || o->offset ? "'*'" : "~",
		      osaca_index(index, (any && !computed) || o->index));
	buffer_printf(b, "scale: %s",
		      !any || !computed ? "'*'"
		      : o->scale        ? "8"
					: "1");
	if (!any)
		buffer_printf(b, ", pre_indexed: %s, post_indexed: %s",
			      o->before ? "true" : "false",
			      o->after ? "true" : "false");
}

static void add_register(struct buffer *b, const struct signature_operand *o)
{
	buffer_printf(b, "{class: register, %s: %s", o->file->key,
		      o->file->word);
	if (o->shape)
		buffer_printf(b, ", shape: %c", o->shape);
	if (o->predicate)
		buffer_printf(b, ", predication: %c", o->predicate);
	if (o->mask)
		buffer_printf(b, ", mask: true");
	if (o->zero)
		buffer_printf(b, ", zeroing: true");
}

void osaca_operand(struct buffer *b, const struct catalogue *c,
		   const struct form *form, const struct signature_operand *o,
		   enum osaca_index index)
{
	switch (o->class) {
	case SIGNATURE_REGISTER:
		add_register(b, o);
		break;
	case SIGNATURE_MEMORY:
		add_memory(b, c, form, o, index);
		break;
	case SIGNATURE_IMMEDIATE:
		buffer_printf(b, "{class: immediate, imd: int");
		break;
	case SIGNATURE_LABEL:
		buffer_printf(b, "{class: identifier");
		break;
	case SIGNATURE_OTHER:
		buffer_printf(b, "{class: condition, ccode: '*'");
		break;
	}
}

/* OSACA takes no notice of x86's masks. */
static int compare_operand(const struct signature_operand *x,
			   const struct signature_operand *y, bool computed)
{
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->class == SIGNATURE_REGISTER &&
	    strcmp(x->file->word, y->file->word) != 0)
		return strcmp(x->file->word, y->file->word);

	const int orders[] = {
		x->shape - y->shape,
		x->predicate - y->predicate,
		x->before - y->before,
		x->after - y->after,
		x->index - y->index,
		computed ? x->offset - y->offset : 0,
		computed ? x->scale - y->scale : 0,
	};

	for (size_t i = 0; i < ARRAY_LEN(orders); i++)
		if (orders[i] != 0)
			return orders[i];
	return 0;
}

int osaca_compare_operands(const struct signature *x, const struct form *fx,
			   const struct signature *y, const struct form *fy)
{
	int order = ORDER(x->n, y->n);

	for (size_t i = 0; order == 0 && i < x->n; i++) {
		bool computed = is_computed(fx, &x->operands[i]);

		order = computed - is_computed(fy, &y->operands[i]);
		if (order == 0)
			order = compare_operand(&x->operands[i],
						&y->operands[i], computed);
	}
	return order;
}

/* ---- values ------------------------------------------------------------- */

double osaca_number(const struct model_span *s)
{
	enum { MOST = 6, SHORT = 3, ROOM = 40 };
	double middle = span_middle(s);
	bool wide = span_is_wide(s);
	char text[ROOM];

	for (int digits = wide ? SHORT : 1; digits <= MOST; digits++) {
		double value;

		(void)snprintf(text, sizeof(text), "%.*g", digits, middle);
		value = strtod(text, NULL);
		if (wide || (value >= s->low && value <= s->high))
			return value;
	}
	return middle;
}

bool osaca_throughput(const struct model_form *f, double *ret)
{
	double bound =
		f->has_ports ? model_port_bound(f->uses, f->n_uses, NULL) : 0;
	bool known = f->throughput.has_value && !span_is_wide(&f->throughput);

	*ret = known ? osaca_number(&f->throughput) : bound;
	/* What needs no port has no bound there. */
	return known || bound > 0 || (f->has_ports && f->n_uses == 0);
}

/* The operand; NULL: any. */
static const struct operand *operand_of(const struct form *form, int operand)
{
	return operand >= 0 && operand < form->n_operands
		       ? &form->operands[operand]
		       : NULL;
}

/* The base register after an access that changes it. */
static bool is_moved_base(const struct form *form, int operand)
{
	for (int i = 0; operand >= 0 && i < form->n_explicit; i++)
		if (form->operands[i].kind == OPERAND_MEM &&
		    form->operands[i].tied_to == operand)
			return true;
	return false;
}

/* Kinds of pairs, the one that OSACA's latency means first. */
enum pair { PAIR_DATA, PAIR_LOADED, PAIR_FLAG, N_PAIRS, PAIR_BASE };

static enum pair pair_of(const struct form *form, const struct model_latency *l)
{
	const struct operand *from = operand_of(form, l->source);
	const struct operand *to = operand_of(form, l->destination);

	if (is_moved_base(form, l->destination))
		return PAIR_BASE;
	if ((to && to->flag) || (from && from->flag))
		return PAIR_FLAG;
	return from && from->kind == OPERAND_MEM ? PAIR_LOADED : PAIR_DATA;
}

/* Does the form write anything but the base of its address? */
static bool has_result(const struct form *form)
{
	for (int i = 0; i < form->n_operands; i++)
		if (form->operands[i].write && !is_moved_base(form, i))
			return true;
	return false;
}

bool osaca_latency(const struct form *form, const struct model_form *f,
		   struct model_span *ret)
{
	*ret = (struct model_span){ .has_value = false };
	for (int kind = 0; kind < N_PAIRS && !ret->has_value; kind++)
		for (size_t i = 0; i < f->n_latencies; i++) {
			const struct model_latency *l = &f->latencies[i];

			if (l->cycles.has_value &&
			    (int)pair_of(form, l) == kind &&
			    (!ret->has_value || l->cycles.low + l->cycles.high >
							ret->low + ret->high))
				*ret = l->cycles;
		}
	if (!ret->has_value && !has_result(form))
		*ret = (struct model_span){ .has_value = true };
	return ret->has_value;
}

unsigned osaca_score(const struct form *form, const struct model_form *f)
{
	enum { LATENCY = 1, THROUGHPUT = 2, PORTS = 4 };
	struct model_span latency;
	double throughput;
	unsigned score = 0;

	if (f->has_ports)
		score += PORTS;
	if (osaca_throughput(f, &throughput))
		score += THROUGHPUT;
	if (osaca_latency(form, f, &latency) &&
	    (f->n_latencies > 0 || score > 0))
		score += LATENCY;
	return score;
}
