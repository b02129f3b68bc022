/* Collects the ways to write the forms of a model: the catalogue's examples and
 * other spellings, of which LLVM's assembler tells the form; see write.h. */
#include <string.h>

#include "host/base/order.h"
#include "host/codec/codec.h"
#include "host/codec/osaca/write.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/isa/spelling.h"
#include "host/isa/variant.h"

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
