/* Forms as OSACA distinguishes them, and their operands and values in its
 * files. The ways to write the forms of a model are the catalogue's examples
 * and other spellings, of which LLVM's assembler tells the form. */
#include "host/codec/osaca/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/order.h"
#include "host/codec/codec.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/isa/spelling.h"
#include "host/isa/variant.h"

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

/* ---- ways to write a form ----------------------------------------------- */

struct collector {
	const struct model *m;
	const struct catalogue *c;
	struct buffer forms; /* of struct osaca_form */
};

/* Write the base of a form with this mnemonic; see struct osaca_form. */
static void set_base(const struct catalogue *c, const struct form *form,
		     const char *name, char ret[SIGNATURE_WORD])
{
	enum { TEXT = 256 };
	size_t n = strlen(name);
	char text[TEXT];
	struct instance x;
	struct mc_inst inst;

	memcpy(ret, name, n + 1);
	if (n < 2 || !strchr(c->isa->width_suffixes, name[n - 1]) ||
	    !form_example(c, form, 0, &x))
		return;
	instance_to_mc(&x, &inst);
	mc_print_other(c->mc, &inst, text, sizeof(text));
	if (strcspn(text, " ") == n - 1 && strncmp(text, name, n - 1) == 0)
		ret[n - 1] = '\0';
}

/* Bits of all operands: of a mnemonic without a letter of width, OSACA gets the
 * widest. */
static unsigned width_of(const struct catalogue *c, const struct form *f)
{
	enum { BITS = 8 };
	unsigned bits = BITS * f->data_bytes;

	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind == OPERAND_REG &&
		    f->operands[i].reg_class != CLASS_NONE)
			bits += c->classes[f->operands[i].reg_class].bits;
	return bits;
}

static void add_form(struct collector *k, const struct form *form,
		     const struct model_form *f, const struct signature *s,
		     bool spelled)
{
	struct osaca_form x = {
		.form = form,
		.f = f,
		.s = *s,
		.score = osaca_score(form, f),
		.width = width_of(k->c, form),
		.spelled = spelled,
	};

	if (spelled)
		memcpy(x.base, s->name, sizeof(x.base));
	else
		set_base(k->c, form, s->name, x.base);
	buffer_add(&k->forms, &x, sizeof(x));
}

/* Is the cost that of another situation than the plain form's, or of more than
 * this instruction? */
static bool is_special(const struct model *m, const struct form *form)
{
	char plain[ISA_NAME_ROOM];
	size_t n = strcspn(form->name, "/");

	if (!form->variant || form->variant->vector_type != 0 ||
	    n >= sizeof(plain))
		return false;
	memcpy(plain, form->name, n);
	plain[n] = '\0';
	return form->variant->family == FAMILY_FUSED || model_find(m, plain);
}

/* ---- other spellings ---------------------------------------------------- */

/* The form of the model for an opcode: itself, else the variant of which most
 * is known, of these the one with the shortest name. */
static const struct model_form *find_cost(const struct collector *k,
					  const char *name,
					  const struct form **ret)
{
	const struct model_form *best = NULL;
	size_t n = strcspn(name, "/");
	unsigned most = 0;

	for (size_t i = 0; i < k->m->n_forms; i++) {
		const struct model_form *f = &k->m->forms[i];
		const struct form *form;
		unsigned score;

		if (strncmp(f->name, name, n) != 0 ||
		    (f->name[n] != '\0' && f->name[n] != '/'))
			continue;
		form = catalogue_form(k->c, f->name);
		if (!form || form_family(form) == FAMILY_FUSED)
			continue;
		score = osaca_score(form, f);
		if (f->name[n] == '\0' && score > 0) {
			*ret = form;
			return f;
		}
		if (score > most || (best && score == most &&
				     strlen(f->name) < strlen(best->name))) {
			most = score;
			best = f;
			*ret = form;
		}
	}
	return best;
}

static int take_spelling(void *context, const struct spelling *x)
{
	struct collector *k = context;
	const struct model_form *f;
	const struct form *form;
	struct signature s;

	if (!signature_parse(k->c->isa, x->line, &s))
		return ERR_OK;
	f = find_cost(k, x->form->name, &form);
	if (!f)
		return ERR_OK;
	if (x->branch && s.n > 0)
		s.operands[s.n - 1].class = SIGNATURE_LABEL;
	add_form(k, form, f, &s, true);
	return ERR_OK;
}

/* ---- order -------------------------------------------------------------- */

static int compare_base(const struct osaca_form *x, const struct osaca_form *y)
{
	int order = strcmp(x->base, y->base);

	return order ? order
		     : osaca_compare_operands(&x->s, x->form, &y->s, y->form);
}

/* Small is better, all in the order of their weight. */
static int compare_rank(const struct osaca_form *x, const struct osaca_form *y)
{
	size_t nx = strlen(x->form->name), ny = strlen(y->form->name);
	const int orders[] = {
		(x->form->status != FORM_MEASURABLE) -
			(y->form->status != FORM_MEASURABLE),
		(strchr(x->form->example, '{') != NULL) -
			(strchr(y->form->example, '{') != NULL),
		x->spelled - y->spelled,
		(x->form->variant != NULL) - (y->form->variant != NULL),
		(int)y->score - (int)x->score,
		(int)y->width - (int)x->width,
		ORDER(nx, ny),
	};

	for (size_t i = 0; i < ARRAY_LEN(orders); i++)
		if (orders[i] != 0)
			return orders[i];
	return strcmp(x->form->name, y->form->name);
}

static int compare_forms(const void *a, const void *b)
{
	const struct osaca_form *x = a, *y = b;
	int order = compare_base(x, y);

	if (order == 0)
		order = compare_rank(x, y);
	return order ? order : strcmp(x->s.name, y->s.name);
}

static void find_groups(struct arena *a, struct osaca_list *l)
{
	l->groups = ARENA_ARRAY(a, struct osaca_group, l->n_forms + 1);
	for (size_t i = 0; i < l->n_forms; i++) {
		struct osaca_group *last = &l->groups[l->n_groups];

		if (l->n_groups > 0 &&
		    compare_base(&l->forms[i - 1], &l->forms[i]) == 0) {
			last[-1].n++;
		} else {
			*last = (struct osaca_group){ i, 1 };
			l->n_groups++;
		}
	}
}

int osaca_collect(struct arena *a, const struct model *m,
		  const struct catalogue *c, struct osaca_list *ret,
		  struct err *e)
{
	struct collector k = { .m = m, .c = c };

	*ret = (struct osaca_list){ .n_forms = 0 };
	for (size_t i = 0; i < m->n_forms; i++) {
		const struct form *form = catalogue_form(c, m->forms[i].name);
		struct signature s;

		if (form && is_special(m, form))
			ret->n_special++;
		else if (form && form_signature(c, form, &s))
			add_form(&k, form, &m->forms[i], &s, false);
		else
			ret->n_unwritten++;
	}
	if (spelling_read(a, c, take_spelling, &k, e) != ERR_OK) {
		buffer_free(&k.forms);
		return e->code;
	}
	ret->forms = buffer_take_list(a, &k.forms, sizeof(*ret->forms),
				      &ret->n_forms);
	order_sort(ret->forms, ret->n_forms, sizeof(*ret->forms),
		   compare_forms);
	find_groups(a, ret);
	return ERR_OK;
}
