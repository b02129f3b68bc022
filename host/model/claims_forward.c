/* Bypass classes; see claims_read.h.
 *
 * A chain that alternates between two forms, minus the latencies of both, gives
 * the sum of the bypass delays in both directions. Forms with the same sums
 * against all other forms are one class. The sum cannot be divided between the
 * directions, but every dependency cycle uses both, so the division does not
 * matter. The whole delay is assigned to the results of the class that delays
 * more other forms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/experiment/experiment.h"
#include "host/isa/catalogue.h"
#include "host/model/claims_read.h"

enum { MAX_LEADERS = 64 };

/* The sum of three measurements must be this close to whole cycles. */
static const double whole_cycles_tolerance = 0.15;

/* Bypass cycles of an alternating chain beyond the latencies of both forms. */
struct excess {
	struct model_form *form, *other;
	int cycles;
};

/* The representative of a class and width, with which forms are compared. */
struct leader {
	const struct model_form *form;
	const struct excess *list; /* sums of this form */
	size_t n;
	uint8_t class;
};

struct bypass_classes {
	struct claim_reader *r;
	const struct excess *list; /* sorted by form, then other */
	size_t n_list;
	size_t n_leaders;
	struct leader leaders[MAX_LEADERS];
	size_t n; /* classes; [0] is none */
	const char **names;
};

struct model_form *claims_find_form(const struct claim_reader *r,
				    const char *name, size_t n)
{
	struct model_form *forms = (void *)r->forms.bytes;
	size_t low = 0, high = r->forms.n / sizeof(*forms);

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strncmp(forms[mid].name, name, n);

		if (order == 0 && forms[mid].name[n] == '\0')
			return &forms[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

struct model_span claims_own_latency(const struct claim_reader *r,
				     const struct model_form *f,
				     const char *pair)
{
	const struct form *form = catalogue_form(r->c, f->name);
	const char *arrow = strchr(pair, '>');
	const char *from;
	char name[32];
	size_t n;

	if (!form || !arrow)
		return (struct model_span){ .has_value = false };
	n = (size_t)(arrow - pair);
	if (n < sizeof(name)) {
		memcpy(name, pair, n);
		name[n] = '\0';
		from = name;
	} else {
		from = arena_printf(r->a, "%.*s", (int)n, pair);
	}
	return model_latency(f, operand_find(r->c, form, from, true),
			     operand_find(r->c, form, arrow + 1, false));
}

static bool read_excess(const struct claim_reader *r, const struct claim *c,
			struct excess *ret)
{
	const char *at = strchr(c->destination, '@');
	struct model_span here, there;
	double more;

	if (!claim_is(c, "forward") || !c->has_value ||
	    strcmp(c->verdict, "ok") != 0 || !at)
		return false;
	ret->form = claims_find_form(r, c->form, strlen(c->form));
	ret->other = claims_find_form(r, c->destination,
				      (size_t)(at - c->destination));
	if (!ret->form || !ret->other || ret->form == ret->other)
		return false;
	here = claims_own_latency(r, ret->form, c->source);
	there = claims_own_latency(r, ret->other, at + 1);
	if (!here.has_value || !there.has_value)
		return false;
	more = (c->low_cycles + c->high_cycles) / 2 -
	       (here.low + here.high) / 2 - (there.low + there.high) / 2;
	ret->cycles = (int)lround(more);
	return fabs(more - round(more)) < whole_cycles_tolerance;
}

static int forward_by_form(const void *a, const void *b)
{
	const struct excess *x = a, *y = b;

	if (x->form != y->form)
		return x->form < y->form ? -1 : 1;
	return (x->other > y->other) - (x->other < y->other);
}

/* Entries of one form; they are sorted by the other form. */
static size_t forward_of_form(const struct bypass_classes *k,
			      const struct model_form *f,
			      const struct excess **ret)
{
	size_t low = 0, high = k->n_list, end;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (k->list[mid].form < f)
			low = mid + 1;
		else
			high = mid;
	}
	for (end = low; end < k->n_list && k->list[end].form == f;)
		end++;
	*ret = k->list + low;
	return end - low;
}

/* Does a form have the same sums as a leader, for all forms that both were
 * measured with? False when there are none. */
static bool forward_is_same_class(const struct excess *x, size_t n_x,
				  const struct leader *to)
{
	const struct excess *y = to->list;
	size_t n_y = to->n, n = 0;

	for (size_t i = 0, j = 0; i < n_x; i++) {
		while (j < n_y && y[j].other < x[i].other)
			j++;
		if (x[i].other == to->form) {
			if (x[i].cycles != 0)
				return false;
			n++;
		} else if (j < n_y && y[j].other == x[i].other) {
			if (x[i].cycles != y[j].cycles)
				return false;
			n++;
		}
	}
	return n > 0;
}

/* Add a leader. Leaders of the same mnemonic and different widths share a
 * class. */
static uint8_t forward_add_leader(struct bypass_classes *k,
				  const struct model_form *f,
				  const struct excess *list, size_t n)
{
	const char *name = catalogue_form(k->r->c, f->name)->mnemonic;
	uint8_t class = 1;

	if (k->n_leaders == MAX_LEADERS)
		return 0;
	while (class < k->n && strcmp(k->names[class], name) != 0)
		class ++;
	if (class == k->n) {
		k->names[class] = name;
		k->n++;
	}
	k->leaders[k->n_leaders++] = (struct leader){ f, list, n, class };
	return class;
}

static uint8_t forward_class_of(struct bypass_classes *k,
				const struct model_form *f)
{
	const struct excess *list;
	size_t n = forward_of_form(k, f, &list);

	for (size_t i = 0; i < k->n_leaders; i++)
		if (forward_is_same_class(list, n, &k->leaders[i]))
			return k->leaders[i].class;
	return forward_add_leader(k, f, list, n);
}

struct tried {
	struct model_form *form;
	size_t n; /* number of other forms */
};

static int by_others(const void *a, const void *b)
{
	const struct tried *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return (x->form > y->form) - (x->form < y->form);
}

/* Forms measured with the most other forms come first and become leaders. */
static void forward_classify(struct bypass_classes *k)
{
	struct tried *all = ARENA_ARRAY(k->r->a, struct tried, k->n_list + 1);
	size_t n = 0;

	for (size_t i = 0; i < k->n_list; i++) {
		if (n == 0 || all[n - 1].form != k->list[i].form)
			all[n++].form = k->list[i].form;
		all[n - 1].n++;
	}
	qsort(all, n, sizeof(*all), by_others);
	for (size_t i = 0; i < n; i++)
		all[i].form->bypass = forward_class_of(k, all[i].form);
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
static void forward_inherit(const struct bypass_classes *k)
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

/* For each class, count the delays of its leaders with other forms. */
static void forward_count_delays(const struct bypass_classes *k, size_t *ret)
{
	for (size_t i = 0; i < k->n_leaders; i++) {
		const struct leader *l = &k->leaders[i];

		for (size_t x = 0; x < l->n; x++)
			ret[l->class] += l->list[x].cycles != 0;
	}
}

static void fill_table(const struct bypass_classes *k, struct model *m)
{
	size_t late[MAX_LEADERS + 1] = { 0 };

	forward_count_delays(k, late);
	for (size_t i = 0; i < k->n_list; i++) {
		const struct excess *x = &k->list[i];
		uint8_t from = x->form->bypass, to = x->other->bypass;

		if (late[from] > late[to] ||
		    (late[from] == late[to] && from < to))
			m->bypass[from][to] = x->cycles;
	}
}

void claims_forward(struct claim_reader *r)
{
	const struct claim *c = (const void *)r->values.bytes;
	size_t n = r->values.n / sizeof(*c);
	struct buffer list = { 0 };
	struct bypass_classes k = { .r = r, .n = 1 };

	for (size_t i = 0; i < n; i++) {
		struct excess x;

		if (read_excess(r, &c[i], &x))
			buffer_add(&list, &x, sizeof(x));
	}
	k.n_list = list.n / sizeof(struct excess);
	if (k.n_list > 0) {
		qsort(list.bytes, k.n_list, sizeof(struct excess),
		      forward_by_form);
		k.list = (const void *)list.bytes;
		k.names = ARENA_ARRAY(r->a, const char *, MAX_LEADERS + 1);
		k.names[0] = "";
		forward_classify(&k);
		r->m->n_bypass = k.n;
		r->m->bypass_names = k.names;
		r->m->bypass = arena_alloc(r->a, MODEL_MAX_CLASSES,
					   sizeof(*r->m->bypass));
		fill_table(&k, r->m);
		forward_inherit(&k);
	}
	buffer_free(&list);
}
