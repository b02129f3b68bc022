/* anechoic model: the machine model that a database makes. */
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/print.h"
#include "host/cli/cli.h"
#include "host/cli/models.h"
#include "host/cli/published.h"
#include "host/model/claims.h"
#include "host/plan/plan.h"
#include "host/view/claims.h"

struct model_args {
	const char *db, *forms;
	struct core_query core;
};
#define ARGS struct model_args

enum { WIDTH = 80, COLUMN = 24, VALUE = 32 };

static const char *span_text(const struct model_span *s, char text[VALUE])
{
	if (!s->has_value)
		(void)snprintf(text, VALUE, "unknown");
	else if (s->high - s->low <= 0.005 * s->high)
		(void)snprintf(text, VALUE, "%.4g", s->low);
	else
		(void)snprintf(text, VALUE, "%.4g..%.4g", s->low, s->high);
	return text;
}

static void print_ports(const struct model *m)
{
	size_t n = 0;

	printf("\nports: ");
	for (size_t i = 0; i < m->n_ports; i++)
		printf("%s%s", m->ports[i].name,
		       i + 1 < m->n_ports ? " " : "\n");
	for (size_t i = 0; i < m->n_ports; i++)
		if (m->ports[i].pseudo)
			printf("%s %s",
			       n++ == 0 ? "  of them units without a pipeline "
					  "or "
					  "other limits:"
					: "",
			       m->ports[i].name);
	if (n > 0)
		(void)putchar('\n');
}

static void print_pairs(const struct model *m)
{
	if (m->n_pairs == 0)
		return;
	printf("\npairs that start together: rows first, columns second\n");
	printf("  %-12s", "");
	for (size_t i = 1; i < m->n_pairs; i++)
		printf(" %-10s", m->pair_names[i]);
	(void)putchar('\n');
	for (size_t i = 1; i < m->n_pairs; i++) {
		printf("  %-12s", m->pair_names[i]);
		for (size_t k = 1; k < m->n_pairs; k++)
			printf(" %-10s", m->pairs[i][k] ? "yes" : ".");
		(void)putchar('\n');
	}
}

/* Print the known sizes in a line. */
static void print_buffers(const struct model *m)
{
	const struct {
		const char *what;
		uint32_t size;
	} sizes[] = {
		{ "in the reorder buffer", m->reorder_buffer },
		{ "loads", m->load_queue },
		{ "stores", m->store_queue },
		{ "waiting vector operations", m->vector_queue },
		{ "general operations in the scheduler", m->general_queue },
		{ "vector results", m->vector_registers },
	};
	const char *before = "in flight at most: ";

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		if (sizes[i].size == 0)
			continue;
		printf("%s%u %s", before, (unsigned)sizes[i].size,
		       sizes[i].what);
		before = ", ";
	}
	if (*before == ',')
		(void)putchar('\n');
	if (m->refill > 0)
		printf("from the release of an entry to a start: %u cycles\n",
		       (unsigned)m->refill);
}

static void print_head(const struct model *m)
{
	size_t n_ports = 0, n_latencies = 0, n_throughputs = 0;
	char width[VALUE];

	for (size_t i = 0; i < m->n_forms; i++) {
		n_ports += m->forms[i].has_ports;
		n_latencies += m->forms[i].n_latencies > 0;
		n_throughputs += m->forms[i].throughput.has_value;
	}
	printf("%s %s, %s\n", m->isa, m->cpu, m->source);
	printf("%zu forms: %zu with latencies, %zu with a throughput, %zu "
	       "with ports\n",
	       m->n_forms, n_latencies, n_throughputs, n_ports);
	if (m->width.has_value)
		printf("width: %s slots per cycle",
		       span_text(&m->width, width));
	else if (m->issue_width.has_value)
		printf("width: %s instructions per cycle in the fastest "
		       "kernel; 'anechoic measure --what ports' finds slots",
		       span_text(&m->issue_width, width));
	else
		printf("width: not measured; "
		       "'anechoic measure --what ports' finds it");
	puts(m->in_order      ? ", in program order"
	     : m->order_known ? ", out of order"
			      : "");
	print_buffers(m);
	if (m->n_ports > 0)
		print_ports(m);
}

/* ---- classes, from claims ------------------------------------------------ */

static void print_classes(const struct view_claims *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct claim *c = &all->list[i];

		if (!claim_is(c, "class") || *c->source == '\0')
			continue;
		if (n++ == 0)
			printf("\nclasses of one uop: which form stands for "
			       "each, and its ports\n");
		printf("  %-*s %s\n", COLUMN, c->form, c->source);
	}
}

/* The claims are ordered by form: a line for each form and matrix. */
static void print_matrices(const struct view_claims *all)
{
	const char *form = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct claim *c = &all->list[i];

		if (!claim_is(c, "matrix"))
			continue;
		if (!form)
			printf("\nmatrices that agree with all measurements, "
			       "although they differ in unions of\nports below "
			       "the width; the ports of each class in every "
			       "matrix:\n");
		if (!form || strcmp(form, c->form) != 0)
			printf("%s  %-*s", form ? "\n" : "", COLUMN, c->form);
		form = c->form;
		printf(" %-12s", c->destination);
	}
	if (form)
		(void)putchar('\n');
}

/* Classes that a port search found; a model does not contain them.  Of the
 * newest run of `board` that searched for ports: the classes of forms with one
 * uop and their representatives, and all matrices of ports that agree with the
 * measurements, if there are several. */
static int print_search(struct arena *a, struct store *s, const char *board,
			struct err *e)
{
	struct view_claims all;
	int64_t run = 0;

	if (view_read_port_claims(s, a, 0, NULL, &all, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < all.n; i++)
		if (claim_is(&all.list[i], "width") && all.list[i].run > run &&
		    strcmp(all.list[i].board, board) == 0)
			run = all.list[i].run;
	if (run == 0 ||
	    view_read_port_claims(s, a, run, NULL, &all, e) != ERR_OK)
		return e->code;
	print_classes(&all);
	print_matrices(&all);
	return ERR_OK;
}

/* ---- groups of forms ----------------------------------------------------- */

enum {
	WAYS = 32, /* printed unasked */
	NAMES = 5, /* of each */
	WAYS_WIDTH = 78,
	INDENT = 6,
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

static void print_way(const struct ways *w, size_t k, size_t most)
{
	const struct way *way = &w->list[k];
	size_t n = 0;
	int at = WAYS_WIDTH;
	char slots[VALUE];

	printf("  %s (slots %s): %zu form%s", uses_text(w->a, w->m, way->first),
	       span_text(&way->slots, slots), way->n, PLURAL(way->n));
	for (size_t i = way->at; i < w->m->n_forms && n < most; i++) {
		const char *name = w->m->forms[i].name;

		if (w->way_of[i] != k)
			continue;
		n++;
		if (at + 1 + (int)strlen(name) > WAYS_WIDTH)
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

/* Groups of forms, those with the most forms first.  expression: NULL: the 32
 * largest groups, and five names of each.  Otherwise only forms whose names
 * match count, and all their groups and names are printed. */
static int print_uses(struct arena *a, const struct model *m,
		      const char *expression, struct err *e)
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

/* ---- the command --------------------------------------------------------- */

static int print_model(struct arena *a, const struct model *m, struct store *s,
		       const struct run *newest, const char *forms,
		       struct err *e)
{
	print_head(m);
	if (published_print(s, newest->id,
			    &(struct published){ m->isa, m->cpu, m->width.low,
						 m->width.high, NULL },
			    e) != ERR_OK ||
	    print_search(a, s, newest->board, e) != ERR_OK ||
	    print_uses(a, m, forms, e) != ERR_OK)
		return e->code;
	print_pairs(m);
	if (m->n_notes > 0)
		printf("\nlimits of this model\n");
	for (size_t i = 0; i < m->n_notes; i++)
		print_wrapped(m->notes[i], 2, WIDTH);
	return ERR_OK;
}

static int model_run(void *args, struct command_resources *r, struct err *e)
{
	const struct model_args *o = args;
	struct arena *a = &r->a;
	struct run newest;
	struct model m;

	if (models_open_store(o->db, &o->core, &r->store, e) == ERR_OK &&
	    model_store_run(r->store, a, o->core.board, &newest, e) == ERR_OK &&
	    models_catalogue(a, newest.isa,
			     arena_printf(a, "%s has values of", o->db), &r->c,
			     e) == ERR_OK &&
	    model_from_store(r->store, a, newest.board, r->c, &m, e) == ERR_OK)
		(void)print_model(a, &m, r->store, &newest, o->forms, e);
	return e->code;
}

const struct command command_model = {
	.name = "model",
	.summary = "print the machine model: width, ports, classes, limits",
	.args_bytes = sizeof(ARGS),
	.options = OPTIONS(OPTION_DB(db),
			   WORD("--board", core.board, "NAME",
				"model of this board",
				.by_default = "the board of the newest run"),
			   OPTION_CORE_OF(core.core_of), OPTION_FORMS(forms)),
	.describe =
		"Combines all values of a database: for each form and kind the "
		"newest, and the ports of the newest run that searched for "
		"them. Lists the combinations of uops and ports that most "
		"forms have; with --forms, those of the forms that match, with "
		"all names. docs/ports.md says how ports are found and what "
		"cannot be seen.",
	.examples = "anechoic model --db x.db\n"
		    "anechoic model --db x.db --forms '^ADD'",
	.run = model_run,
};
