/* Claims on two forms: what results of one form cost another one beyond the
 * latencies of both; see claims_read.h.
 *
 * A chain that alternates between two forms, minus the latencies of both, gives
 * the sum of the bypass delays in both directions. Forms with the same sums
 * against all other forms are one class. The sum cannot be divided between the
 * directions, but every latency cycle uses both, so the division does not
 * matter. The whole delay is assigned to the results of the class that delays
 * more other forms. */
#include <math.h>
#include <stdlib.h>

#include "host/experiment/experiment.h"
#include "host/isa/catalogue.h"
#include "host/model/claims_read.h"

enum { MAX_LEADERS = 64 };

/* The sum of three measurements must be this close to whole cycles. */
static const double whole_cycles_tolerance = 0.15;

/* ---- claims on two forms ------------------------------------------------ */

/* The forms of a claim "FORM", "2>0", "OTHER@1>0", and the latencies of their
 * own chains between these operands. */
struct two_forms {
	struct model_form *form, *other;
	struct model_span own, others;
};

static struct model_form *known_form(const struct claim_reader *r,
				     const struct form *f)
{
	const struct model forms = {
		.n_forms = r->forms.n / sizeof(struct model_form),
		.forms = (const void *)r->forms.bytes,
	};
	const struct model_form *found = model_find(&forms, f->name);

	return found ? (struct model_form *)(void *)r->forms.bytes +
			       (found - forms.forms)
		     : NULL;
}

/* False if it is no such claim, or if the model lacks a form. */
static bool read_two(const struct claim_reader *r, const struct claim *c,
		     struct two_forms *ret)
{
	struct err unknown = { .code = ERR_OK };
	const char *label = arena_printf(r->a, "%s:%s@%s+%s", c->kind, c->form,
					 c->source, c->destination);
	struct experiment x;
	const struct experiment_step *s = x.steps;

	if (experiment_parse(r->c, label, &x, &unknown) != ERR_OK ||
	    x.n_steps != 2)
		return false;
	ret->form = known_form(r, s[0].form);
	ret->other = known_form(r, s[1].form);
	if (!ret->form || !ret->other)
		return false;
	ret->own = model_latency(ret->form, s[0].src, s[0].dst);
	ret->others = model_latency(ret->other, s[1].src, s[1].dst);
	return true;
}

/* ---- bypass classes ----------------------------------------------------- */

/* Bypass cycles of an alternating chain beyond the latencies of both forms. */
struct excess {
	struct model_form *form, *other;
	int cycles;
};

/* All of them with one form, sorted by the other one. */
struct excesses {
	struct model_form *form;
	const struct excess *list;
	size_t n;
};

struct bypass_classes {
	struct claim_reader *r;
	/* The representatives of each class and width, with which forms are
	 * compared. */
	size_t n_leaders;
	struct excesses leaders[MAX_LEADERS];
	size_t n; /* classes; [0] is none */
	const char **names;
};

static bool read_excess(const struct claim_reader *r, const struct claim *c,
			struct excess *ret)
{
	struct two_forms x;
	double more;

	if (!claim_is(c, "forward") || !c->has_value ||
	    strcmp(c->verdict, "ok") != 0 || !read_two(r, c, &x) ||
	    x.form == x.other || !x.own.has_value || !x.others.has_value)
		return false;
	more = claim_middle(c) - (x.own.low + x.own.high) / 2 -
	       (x.others.low + x.others.high) / 2;
	*ret = (struct excess){ x.form, x.other, (int)lround(more) };
	return fabs(more - round(more)) < whole_cycles_tolerance;
}

static int excess_by_form(const void *a, const void *b)
{
	const struct excess *x = a, *y = b;

	if (x->form != y->form)
		return x->form < y->form ? -1 : 1;
	return (x->other > y->other) - (x->other < y->other);
}

/* Does a form have the same sums as a leader, for all forms that both were
 * measured with? False when there are none. */
static bool is_same_class(const struct excesses *a, const struct excesses *to)
{
	const struct excess *x = a->list, *y = to->list;
	size_t n = 0;

	for (size_t i = 0, j = 0; i < a->n; i++) {
		int cycles = 0; /* with the leader itself */

		while (j < to->n && y[j].other < x[i].other)
			j++;
		if (x[i].other != to->form) {
			if (j == to->n || y[j].other != x[i].other)
				continue;
			cycles = y[j].cycles;
		}
		if (x[i].cycles != cycles)
			return false;
		n++;
	}
	return n > 0;
}

/* Add a leader. Leaders of the same mnemonic and different widths share a
 * class. */
static uint8_t add_leader(struct bypass_classes *k, const struct excesses *x)
{
	const char *name = catalogue_form(k->r->c, x->form->name)->mnemonic;
	uint8_t class = 1;

	if (k->n_leaders == MAX_LEADERS)
		return 0;
	while (class < k->n && strcmp(k->names[class], name) != 0)
		class ++;
	if (class == k->n) {
		k->names[class] = name;
		k->n++;
	}
	k->leaders[k->n_leaders++] = *x;
	return class;
}

static uint8_t class_of(struct bypass_classes *k, const struct excesses *x)
{
	for (size_t i = 0; i < k->n_leaders; i++)
		if (is_same_class(x, &k->leaders[i]))
			return k->leaders[i].form->bypass;
	return add_leader(k, x);
}

static int excesses_by_number(const void *a, const void *b)
{
	const struct excesses *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return (x->form > y->form) - (x->form < y->form);
}

/* Forms measured with the most other forms come first and become leaders. */
static void classify(struct bypass_classes *k, const struct excess *list,
		     size_t n_list)
{
	struct excesses *all = ARENA_ARRAY(k->r->a, struct excesses, n_list);
	size_t n = 0;

	for (size_t i = 0; i < n_list; i++) {
		if (n == 0 || all[n - 1].form != list[i].form)
			all[n++] =
				(struct excesses){ list[i].form, &list[i], 0 };
		all[n - 1].n++;
	}
	qsort(all, n, sizeof(*all), excesses_by_number);
	for (size_t i = 0; i < n; i++)
		all[i].form->bypass = class_of(k, &all[i]);
}

struct named_form {
	const char *mnemonic;
	struct model_form *form;
};

static int by_mnemonic(const void *a, const void *b)
{
	const struct named_form *x = a, *y = b;
	int order = strcmp(x->mnemonic, y->mnemonic);

	return order != 0 ? order : (x->form > y->form) - (x->form < y->form);
}

/* The class of all forms in the list that have one; 0: several or none. */
static uint8_t common_class(const struct named_form *list, size_t n)
{
	uint8_t class = 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t own = list[i].form->bypass;

		if (own != 0 && class != 0 && own != class)
			return 0;
		class = own != 0 ? own : class;
	}
	return class;
}

/* A form that was not measured, such as one with a mask or a memory operand,
 * inherits the class of its mnemonic. */
static void inherit_classes(const struct bypass_classes *k)
{
	struct model_form *forms = (void *)k->r->forms.bytes;
	size_t n = k->r->forms.n / sizeof(*forms);
	struct named_form *list =
		ARENA_ARRAY(k->r->a, struct named_form, n + 1);
	const struct form *form = k->r->c->forms;

	/* Both lists have the same order, and the names are the catalogue's
	 * strings. */
	for (size_t i = 0; i < n; i++) {
		while (form->name != forms[i].name)
			form++;
		list[i] = (struct named_form){ form->mnemonic, &forms[i] };
	}
	qsort(list, n, sizeof(*list), by_mnemonic);
	for (size_t i = 0, end; i < n; i = end) {
		uint8_t class;

		for (end = i + 1; end < n && strcmp(list[end].mnemonic,
						    list[i].mnemonic) == 0;)
			end++;
		class = common_class(&list[i], end - i);
		for (size_t j = i; j < end; j++)
			if (list[j].form->bypass == 0)
				list[j].form->bypass = class;
	}
}

/* The delays are of the class whose leaders have more of them. */
static void fill_table(const struct bypass_classes *k,
		       const struct excess *list, size_t n, struct model *m)
{
	size_t late[MAX_LEADERS + 1] = { 0 };

	for (size_t i = 0; i < k->n_leaders; i++)
		for (size_t x = 0; x < k->leaders[i].n; x++)
			late[k->leaders[i].form->bypass] +=
				k->leaders[i].list[x].cycles != 0;
	for (size_t i = 0; i < n; i++) {
		uint8_t from = list[i].form->bypass, to = list[i].other->bypass;

		if (late[from] > late[to] ||
		    (late[from] == late[to] && from < to))
			m->bypass[from][to] = list[i].cycles;
	}
}

void claims_bypass(struct claim_reader *r)
{
	struct bypass_classes k = { .r = r, .n = 1 };
	struct buffer found = { 0 };
	struct excess *list, x;
	size_t n;

	for (size_t i = 0; i < r->values.n; i++)
		if (read_excess(r, &r->values.list[i], &x))
			buffer_add(&found, &x, sizeof(x));
	list = (void *)found.bytes;
	n = found.n / sizeof(*list);
	if (n > 0) {
		qsort(list, n, sizeof(*list), excess_by_form);
		k.names = ARENA_ARRAY(r->a, const char *, MAX_LEADERS + 1);
		k.names[0] = "";
		classify(&k, list, n);
		r->m->n_bypass = k.n;
		r->m->bypass_names = k.names;
		r->m->bypass = arena_alloc(r->a, MODEL_MAX_CLASSES,
					   sizeof(*r->m->bypass));
		fill_table(&k, list, n, r->m);
		inherit_classes(&k);
	}
	buffer_free(&found);
}

/* ---- sources that others wrote ------------------------------------------ */

/* In cycles.  Wider spans are bounds and are not used; a chain faster than the
 * form's own by more than this is an error of measurement. */
static const double narrow = 0.25;

/* The mean of instances that differ is a value, too. */
static bool is_narrow(const struct claim *c)
{
	return c->has_value &&
	       (strcmp(c->verdict, "ok") == 0 ||
		strcmp(c->verdict, "mixture") == 0) &&
	       c->high_cycles - c->low_cycles < narrow;
}

void claims_written(struct claim_reader *r)
{
	for (size_t i = 0; i < r->values.n; i++) {
		const struct claim *c = &r->values.list[i];
		struct model_written x;
		struct two_forms f;

		if (!claim_is(c, "written") || !is_narrow(c) ||
		    !read_two(r, c, &f) || !f.own.has_value ||
		    f.own.high - f.own.low >= narrow)
			continue;
		x = (struct model_written){
			.form = f.form->name,
			.writer = f.other->name,
			.cycles = model_cycles(claim_span(c)) -
				  model_cycles(f.own),
		};
		if (x.cycles < -narrow || x.cycles > MODEL_MOST_WRITTEN)
			continue;
		x.cycles = fmax(0, x.cycles);
		buffer_add(&r->written, &x, sizeof(x));
	}
}
