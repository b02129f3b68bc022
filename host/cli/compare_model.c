/* anechoic compare between two models; see compare_model.h.
 *
 * Ports have other names in other models, so ports are compared by what does
 * not depend on names: how many uops can go to how many ports. */
#include "host/cli/compare_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/export/csv.h"
#include "host/import/import.h"

static const char cpu_mark[] = "cpu:", model_mark[] = "model:";

enum kind { LATENCY, THROUGHPUT, SLOTS, PORTS, N_KINDS };
enum result { AGREE, INSIDE, DIFFER, N_RESULTS };

static const char *const kind_words[N_KINDS] = {
	"latency",
	"throughput",
	"slots",
	"ports",
};

/* Differences of a kind that text shows; csv shows all. */
enum { SHOWN = 20 };

struct compared {
	struct arena a;
	struct catalogue *c;
	const struct model *ours, *theirs;
	double tolerance;
	bool csv;
	size_t n_common;
	size_t n[N_KINDS][N_RESULTS];
	struct buffer differences[N_KINDS]; /* text */
};

/* ---- sources ------------------------------------------------------------ */

static bool is_database(const char *path)
{
	static const char mark[] = "SQLite format 3";
	char head[sizeof(mark)];
	FILE *f = fopen(path, "rb");
	bool yes;

	if (!f)
		return false;
	yes = fread(head, 1, sizeof(head), f) == sizeof(head) &&
	      memcmp(head, mark, sizeof(mark)) == 0;
	(void)fclose(f);
	return yes;
}

static bool is_model_file(const char *path)
{
	enum { MAX_FILE = 256 << 20 };
	struct arena a = { 0 };
	struct err e = { 0 };
	unsigned char *text;
	size_t n;
	bool yes = false;

	if (!is_database(path) &&
	    file_read(&a, path, MAX_FILE, &text, &n, &e) == ERR_OK)
		for (size_t i = 0; importers[i] && !yes; i++)
			/* Values alone can be compared as values. */
			yes = strcmp(importers[i]->name, "winic") != 0 &&
			      importers[i]->is((const char *)text, n);
	arena_free(&a);
	return yes;
}

bool compare_wants_models(const struct options *o)
{
	return o->model || o->cpu ||
	       strncmp(o->with, cpu_mark, strlen(cpu_mark)) == 0 ||
	       strncmp(o->with, model_mark, strlen(model_mark)) == 0 ||
	       is_model_file(o->with);
}

static int load(struct compared *w, const struct options *o,
		struct model **ret_ours, struct model **ret_theirs,
		struct err *e)
{
	const struct model_source ours = {
		.db = o->db,
		.board = o->board,
		.file = o->model,
		.cpu = o->cpu,
		.isa = o->isa,
	};
	size_t marked = strlen(model_mark);
	const char *with = strncmp(o->with, model_mark, marked) == 0
				   ? o->with + marked
				   : o->with;
	bool cpu = strncmp(with, cpu_mark, strlen(cpu_mark)) == 0;
	bool db = !cpu && is_database(with);
	const struct isa *isa;

	if (model_source_isa(&w->a, &ours, &isa, e) != ERR_OK ||
	    catalogue_load(&w->a, isa, NULL, &w->c, e) != ERR_OK)
		return e->code;

	const struct model_source theirs = {
		.db = db ? with : NULL,
		.file = cpu || db ? NULL : with,
		.cpu = cpu ? with + strlen(cpu_mark) : NULL,
		.isa = isa->name,
	};

	if (model_load(&w->a, w->c, &ours, ret_ours, e) == ERR_OK)
		(void)model_load(&w->a, w->c, &theirs, ret_theirs, e);
	return e->code;
}

/* ---- judging ------------------------------------------------------------ */

static void add_difference(struct compared *w, enum kind kind, const char *form,
			   const char *what, const char *ours,
			   const char *theirs)
{
	struct buffer *b = &w->differences[kind];

	if (w->csv) {
		buffer_printf(b, "%s,", kind_words[kind]);
		csv_add(b, form);
		buffer_printf(b, ",%s,%s,%s\n", what, ours, theirs);
	} else if (w->n[kind][DIFFER] <= SHOWN) {
		buffer_printf(b, "  %-24s %-8s %-20s %s\n", form, what, ours,
			      theirs);
	}
}

static void span_text(const struct model_span *s, char text[40])
{
	if (s->low == s->high)
		(void)snprintf(text, 40, "%g", s->low);
	else
		(void)snprintf(text, 40, "%g..%g", s->low, s->high);
}

static void judge(struct compared *w, enum kind kind, const char *form,
		  const char *what, struct model_span x, struct model_span y)
{
	double room = w->tolerance * fmax(x.high, y.high);
	bool exact = x.high - x.low <= room && y.high - y.low <= room;
	enum result r = DIFFER;
	char ours[40], theirs[40];

	if (!x.has_value || !y.has_value)
		return;
	if (x.low <= y.high + room && y.low <= x.high + room)
		r = exact ? AGREE : INSIDE;
	w->n[kind][r]++;
	if (r != DIFFER)
		return;
	span_text(&x, ours);
	span_text(&y, theirs);
	add_difference(w, kind, form, what, ours, theirs);
}

static void judge_latencies(struct compared *w, const struct model_form *x,
			    const struct model_form *y)
{
	const struct form *f = catalogue_form(w->c, x->name);

	for (int i = 0; i < f->n_operands; i++)
		for (int k = 0; k < f->n_operands; k++) {
			char what[16];

			if (!f->operands[i].read || !f->operands[k].write)
				continue;
			(void)snprintf(what, sizeof(what), "%d>%d", i, k);
			judge(w, LATENCY, x->name, what, model_latency(x, i, k),
			      model_latency(y, i, k));
		}
}

static bool is_pseudo(const struct model *m, model_ports set)
{
	for (size_t i = 0; i < m->n_ports; i++)
		if ((set >> i & 1) != 0 && !m->ports[i].pseudo)
			return false;
	return true;
}

/* Cycles on sets of each size. */
static void shape(const struct model *m, const struct model_form *f,
		  double cycles[MODEL_MAX_PORTS + 1], char text[80])
{
	size_t n = 0;

	memset(cycles, 0, (MODEL_MAX_PORTS + 1) * sizeof(*cycles));
	for (size_t i = 0; i < f->n_uses; i++)
		if (!is_pseudo(m, f->uses[i].ports))
			cycles[model_ports_count(f->uses[i].ports)] +=
				f->uses[i].n_uops * f->uses[i].cycles;
	(void)snprintf(text, 80, "none");
	for (size_t i = 1; i <= MODEL_MAX_PORTS && n < 60; i++)
		if (cycles[i] > 0)
			n += (size_t)snprintf(text + n, 80 - n, "%s%g on %zu",
					      n > 0 ? " + " : "", cycles[i], i);
}

static void judge_ports(struct compared *w, const struct model_form *x,
			const struct model_form *y)
{
	double ours[MODEL_MAX_PORTS + 1], theirs[MODEL_MAX_PORTS + 1];
	char our_text[80], their_text[80];
	bool same = true;

	if (!x->has_ports || !y->has_ports)
		return;
	shape(w->ours, x, ours, our_text);
	shape(w->theirs, y, theirs, their_text);
	for (size_t i = 0; i <= MODEL_MAX_PORTS; i++)
		same = same && fabs(ours[i] - theirs[i]) <=
				       w->tolerance * fmax(ours[i], theirs[i]);
	w->n[PORTS][same ? AGREE : DIFFER]++;
	if (!same)
		add_difference(w, PORTS, x->name, "", our_text, their_text);
}

static void judge_all(struct compared *w)
{
	for (size_t i = 0; i < w->ours->n_forms; i++) {
		const struct model_form *x = &w->ours->forms[i];
		const struct model_form *y = model_find(w->theirs, x->name);

		if (!y)
			continue;
		w->n_common++;
		judge_latencies(w, x, y);
		judge(w, THROUGHPUT, x->name, "", x->throughput, y->throughput);
		judge(w, SLOTS, x->name, "", x->slots, y->slots);
		judge_ports(w, x, y);
	}
}

/* ---- printing ----------------------------------------------------------- */

static size_t compared(const struct compared *w, enum kind kind)
{
	return w->n[kind][AGREE] + w->n[kind][INSIDE] + w->n[kind][DIFFER];
}

static void print_model(const char *whose, const struct model *m)
{
	printf("%s  %s (%s), %zu forms, %zu ports", whose,
	       *m->cpu ? m->cpu : "a core", m->source, m->n_forms, m->n_ports);
	if (m->width.has_value)
		printf(", width %g", m->width.high);
	putchar('\n');
}

static void print_text(const struct compared *w)
{
	print_model("ours  ", w->ours);
	print_model("theirs", w->theirs);
	printf("%zu forms in common, %zu only ours, %zu only theirs; tolerance "
	       "%g %%\n\n%-11s %9s %9s %9s %9s %7s %7s\n",
	       w->n_common, w->ours->n_forms - w->n_common,
	       w->theirs->n_forms - w->n_common, 100 * w->tolerance, "",
	       "compared", "agree", "interval", "differ", "rate", "rate*");
	for (enum kind k = 0; k < N_KINDS; k++) {
		double all = (double)compared(w, k);

		printf("%-11s %9zu %9zu %9zu %9zu", kind_words[k],
		       compared(w, k), w->n[k][AGREE], w->n[k][INSIDE],
		       w->n[k][DIFFER]);
		if (all > 0)
			printf(" %6.1f%% %6.1f%%",
			       100 * (double)w->n[k][AGREE] / all,
			       100 *
				       (double)(w->n[k][AGREE] +
						w->n[k][INSIDE]) /
				       all);
		putchar('\n');
	}
	for (enum kind k = 0; k < N_KINDS; k++) {
		if (w->n[k][DIFFER] == 0)
			continue;
		printf("\n%s: ours, theirs\n%.*s", kind_words[k],
		       (int)w->differences[k].n,
		       (const char *)w->differences[k].bytes);
		if (w->n[k][DIFFER] > SHOWN)
			printf("  and %zu more: --format csv\n",
			       w->n[k][DIFFER] - SHOWN);
	}
}

static void print_csv(const struct compared *w)
{
	printf("kind,form,pair,ours,theirs\n");
	for (enum kind k = 0; k < N_KINDS; k++)
		printf("%.*s", (int)w->differences[k].n,
		       w->differences[k].n
			       ? (const char *)w->differences[k].bytes
			       : "");
}

int compare_models(const struct options *o, double tolerance, struct err *e)
{
	struct compared w = {
		.tolerance = tolerance,
		.csv = o->format && strcmp(o->format, "csv") == 0,
	};
	struct model *ours = NULL, *theirs = NULL;
	size_t n = 0;

	if (load(&w, o, &ours, &theirs, e) == ERR_OK) {
		w.ours = ours;
		w.theirs = theirs;
		judge_all(&w);
		(w.csv ? print_csv : print_text)(&w);
		for (enum kind k = 0; k < N_KINDS; k++)
			n += compared(&w, k);
		if (n == 0)
			(void)err_set(e, ERR_FAILED,
				      "compare: some value that both models "
				      "have");
	}
	for (enum kind k = 0; k < N_KINDS; k++)
		buffer_free(&w.differences[k]);
	catalogue_free(w.c);
	arena_free(&w.a);
	return e->code;
}
