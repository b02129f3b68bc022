/* See model_uses.h. */
#include "host/cli/model_uses.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/plan.h"

enum {
	WAYS = 32, /* printed unasked */
	NAMES = 5, /* of each */
	WIDTH = 78,
	INDENT = 6,
	VALUE = 32,
};

/* Forms that use the same ports. */
struct way {
	const struct model_form *first;
	size_t n, at; /* forms; place of the first in the model */
	struct model_span slots;
};

struct ways {
	struct arena *a;
	const struct model *m;
	const regex_t *expression; /* NULL: all forms */
	size_t n;
	struct way *list;
	size_t *way_of; /* each form; SIZE_MAX: none */
};

static bool same_uses(const struct model_form *x, const struct model_form *y)
{
	return x->n_uses == y->n_uses &&
	       memcmp(x->uses, y->uses, x->n_uses * sizeof(*x->uses)) == 0;
}

static bool is_wanted(const struct ways *w, const struct model_form *f)
{
	return f->has_ports &&
	       (!w->expression ||
		regexec(w->expression, f->name, 0, NULL, 0) == 0);
}

/* Print the slots if all forms have the same number. */
static void add_slots(struct model_span *to, const struct model_span *s)
{
	to->has_value &= s->has_value;
	to->low = fmin(to->low, s->low);
	to->high = fmax(to->high, s->high);
}

static void model_uses_collect(struct ways *w)
{
	for (size_t i = 0; i < w->m->n_forms; i++) {
		const struct model_form *f = &w->m->forms[i];
		size_t k = 0;

		w->way_of[i] = SIZE_MAX;
		if (!is_wanted(w, f))
			continue;
		while (k < w->n && !same_uses(f, w->list[k].first))
			k++;
		if (k == w->n)
			w->list[w->n++] = (struct way){ f, 0, i, f->slots };
		w->list[k].n++;
		add_slots(&w->list[k].slots, &f->slots);
		w->way_of[i] = k;
	}
}

static const char *uses_text(struct arena *a, const struct model *m,
			     const struct model_form *f)
{
	const char *text = f->n_uses == 0 ? "none" : "";

	for (size_t i = 0; i < f->n_uses; i++) {
		const struct model_use *u = &f->uses[i];
		const char *cycles =
			u->cycles == 1
				? ""
				: arena_printf(a, " for %.4g", u->cycles);

		text = arena_printf(a, "%s%s%.3g*%s%s", text,
				    i > 0 ? " + " : "", u->n_uops,
				    model_ports_text(a, m, u->ports), cycles);
	}
	return text;
}

static void print_slots(const struct model_span *s)
{
	if (!s->has_value)
		printf("unknown");
	else if (s->high - s->low <= 0.005 * s->high)
		printf("%.4g", s->low);
	else
		printf("%.4g..%.4g", s->low, s->high);
}

static void print_way(const struct ways *w, size_t k, size_t most)
{
	const struct way *way = &w->list[k];
	size_t n = 0;
	int at = WIDTH;

	printf("  %s (slots ", uses_text(w->a, w->m, way->first));
	print_slots(&way->slots);
	printf("): %zu form%s", way->n, way->n == 1 ? "" : "s");
	for (size_t i = way->at; i < w->m->n_forms && n < most; i++) {
		const char *name = w->m->forms[i].name;

		if (w->way_of[i] != k)
			continue;
		n++;
		if (at + 1 + (int)strlen(name) > WIDTH)
			at = printf("\n%*s", INDENT, "") - 1;
		else
			at += printf(" ");
		at += printf("%s", name);
	}
	printf("%s\n", n < way->n ? " ..." : "");
}

/* The most forms first. */
static size_t next_way(const struct ways *w, const bool *done)
{
	size_t best = w->n;

	for (size_t k = 0; k < w->n; k++)
		if (!done[k] &&
		    (best == w->n || w->list[k].n > w->list[best].n))
			best = k;
	return best;
}

static void print_all(const struct ways *w)
{
	bool *done = ARENA_ARRAY(w->a, bool, w->n + 1);
	size_t most = w->expression ? w->n : WAYS, n_forms = 0;

	printf("\nuops on ports, and the forms\n");
	for (size_t n = 0; n < w->n && n < most; n++) {
		size_t k = next_way(w, done);

		done[k] = true;
		print_way(w, k, w->expression ? SIZE_MAX : NAMES);
	}
	for (size_t k = 0; k < w->n; k++)
		n_forms += done[k] ? 0 : w->list[k].n;
	if (n_forms > 0)
		printf("  and %zu other groups, of %zu forms in all; --forms "
		       "REGEX prints the groups of\n  some forms, with all "
		       "names, and --forms . all groups\n",
		       w->n - most, n_forms);
}

int model_uses(struct arena *a, const struct model *m, const char *expression,
	       struct err *e)
{
	struct ways w = { .a = a, .m = m };
	regex_t compiled;

	if (expression) {
		if (plan_expression(expression, &compiled, e) != ERR_OK)
			return e->code;
		w.expression = &compiled;
	}
	w.list = ARENA_ARRAY(a, struct way, m->n_forms + 1);
	w.way_of = ARENA_ARRAY(a, size_t, m->n_forms + 1);
	model_uses_collect(&w);
	if (w.n > 0)
		print_all(&w);
	if (expression)
		regfree(&compiled);
	return ERR_OK;
}
