/* anechoic compare between two models; see compare_models.h. */
#include "host/cli/compare_models.h"

#include <stdio.h>
#include <string.h>

#include "host/base/csv.h"
#include "host/cli/of_cpu.h"
#include "host/codec/source.h"
#include "host/compare/model.h"
#include "host/isa/isa.h"

static const char *const kind_words[COMPARE_MODEL_N_KINDS] = {
	[COMPARE_MODEL_LATENCY] = "latency",
	[COMPARE_MODEL_THROUGHPUT] = "throughput",
	[COMPARE_MODEL_SLOTS] = "slots",
	[COMPARE_MODEL_PORTS] = "ports",
};

/* Lines of a kind that the text shows; CSV has all. */
enum { SHOWN = 20 };

struct compared {
	struct arena a;
	struct catalogue *c;
	struct model *ours, *theirs;
	struct compare_models found;
	struct buffer out;
};

static struct model_source source_of(const struct side *s,
				     const struct options *o)
{
	return (struct model_source){ .db = s->db,
				      .file = s->file,
				      .cpu = s->cpu,
				      .board = s->db ? o->board : NULL,
				      .isa = o->isa,
				      .strict = o->strict };
}

static int load_models(struct compared *w, const struct side *sides,
		       const struct options *o, struct err *e)
{
	struct model_source ours = source_of(&sides[0], o);
	struct model_source theirs = source_of(&sides[1], o);
	const struct isa *isa;

	ours.core_of = o->core_of;
	if (model_source_isa(&w->a, &ours, &isa, e) != ERR_OK ||
	    catalogue_load(&w->a, isa, NULL, &w->c, e) != ERR_OK)
		return e->code;
	theirs.core_of = o->with_core_of;
	theirs.core_option = "--with-core-of";
	theirs.isa = isa->name;
	if (model_load(&w->a, w->c, &ours, &w->ours, e) != ERR_OK ||
	    model_load(&w->a, w->c, &theirs, &w->theirs, e) != ERR_OK)
		return e->code;
	options_report_entries(w->ours, false);
	options_report_entries(w->theirs, false);
	return ERR_OK;
}

/* Keep the forms that match (NULL: all) and that the CPU of the catalogue has. */
static void keep_forms(struct arena *a, const struct catalogue *cpu,
		       const regex_t *forms, struct model *m)
{
	struct model_form *kept = ARENA_ARRAY(a, struct model_form, m->n_forms);
	size_t n = 0;

	for (size_t i = 0; i < m->n_forms; i++)
		if (of_cpu_has(cpu, m->forms[i].name) &&
		    (!forms ||
		     regexec(forms, m->forms[i].name, 0, NULL, 0) == 0))
			kept[n++] = m->forms[i];
	m->forms = kept;
	m->n_forms = n;
}

static int choose_forms(struct compared *w, const struct options *o,
			const regex_t *forms, struct err *e)
{
	struct catalogue *cpu = NULL;

	if (o->cpu &&
	    catalogue_load(&w->a, w->c->isa, o->cpu, &cpu, e) != ERR_OK)
		return e->code;
	keep_forms(&w->a, cpu, forms, w->ours);
	keep_forms(&w->a, cpu, forms, w->theirs);
	catalogue_free(cpu);
	return e->code;
}

/* ---- printing ----------------------------------------------------------- */

static void print_model(struct buffer *b, const char *whose,
			const struct model *m)
{
	buffer_printf(b, "%s  %s (%s), %zu forms, %zu ports", whose,
		      *m->cpu ? m->cpu : "a core", m->source, m->n_forms,
		      m->n_ports);
	if (m->width.has_value)
		buffer_printf(b, ", width %g", m->width.high);
	buffer_printf(b, "\n");
}

static void print_counts(struct buffer *b, const struct compare_models *f)
{
	for (enum compare_model_kind k = 0; k < COMPARE_MODEL_N_KINDS; k++) {
		const size_t *n = f->n[k];
		size_t n_all = compare_models_n(f, k);
		double all = (double)n_all;

		buffer_printf(b, "%-11s %9zu %9zu %9zu %9zu", kind_words[k],
			      n_all, n[COMPARE_MODEL_AGREES],
			      n[COMPARE_MODEL_INSIDE],
			      n[COMPARE_MODEL_DIFFERS]);
		if (all > 0)
			buffer_printf(
				b, " %6.1f%% %6.1f%%",
				100 * (double)n[COMPARE_MODEL_AGREES] / all,
				100 *
					(double)(n[COMPARE_MODEL_AGREES] +
						 n[COMPARE_MODEL_INSIDE]) /
					all);
		buffer_printf(b, "\n");
	}
}

/* How many pairs of the form, from here on, differ by the same values? */
static size_t n_same(const struct compare_model_difference *d, size_t n)
{
	size_t same = 1;

	while (same < n && strcmp(d[same].form, d->form) == 0 &&
	       strcmp(d[same].ours, d->ours) == 0 &&
	       strcmp(d[same].theirs, d->theirs) == 0)
		same++;
	return same;
}

static void print_differences(struct buffer *b, const struct compare_models *f,
			      enum compare_model_kind k)
{
	const struct compare_model_difference *list =
		(const void *)f->differences[k].bytes;
	size_t n = f->n[k][COMPARE_MODEL_DIFFERS], same;

	if (n == 0)
		return;
	buffer_printf(b, "\n%s, the largest differences first: ours, theirs\n",
		      kind_words[k]);
	for (size_t i = 0, shown = 0; i < n; i += same, shown++) {
		char what[64];

		same = n_same(&list[i], n - i);
		if (shown == SHOWN) {
			buffer_printf(b, "  and %zu more: --format csv\n",
				      n - i);
			break;
		}
		(void)snprintf(what, sizeof(what),
			       same > 1 ? "%s (+%zu)" : "%s", list[i].what,
			       same - 1);
		buffer_printf(b, "  %-20s %-20s %-17s %s\n", list[i].form, what,
			      list[i].ours, list[i].theirs);
	}
}

static void print_text(struct compared *w, double tolerance)
{
	struct buffer *b = &w->out;
	const struct compare_models *f = &w->found;

	print_model(b, "ours  ", w->ours);
	print_model(b, "theirs", w->theirs);
	buffer_printf(
		b,
		"%zu forms in common, %zu only ours, %zu only theirs; tolerance "
		"%g %%\n\n%-11s %9s %9s %9s %9s %7s %7s\n",
		f->n_common, w->ours->n_forms - f->n_common,
		w->theirs->n_forms - f->n_common, 100 * tolerance, "",
		"compared", "agree", "interval", "differ", "rate", "rate*");
	print_counts(b, f);
	for (enum compare_model_kind k = 0; k < COMPARE_MODEL_N_KINDS; k++)
		print_differences(b, f, k);
}

static void print_csv(struct buffer *b, const struct compare_models *f)
{

	buffer_printf(b, "kind,form,pair,ours,theirs\n");
	for (enum compare_model_kind k = 0; k < COMPARE_MODEL_N_KINDS; k++) {
		const struct compare_model_difference *list =
			(const void *)f->differences[k].bytes;

		for (size_t i = 0; i < f->n[k][COMPARE_MODEL_DIFFERS]; i++) {
			buffer_printf(b, "%s,", kind_words[k]);
			csv_add(b, list[i].form);
			buffer_printf(b, ",%s,%s,%s\n", list[i].what,
				      list[i].ours, list[i].theirs);
		}
	}
}

int compare_models_run(const struct side *sides, const struct options *o,
		       double tolerance, const regex_t *forms, struct err *e)
{
	bool csv = o->format && strcmp(o->format, "csv") == 0;
	struct compared w = { .c = NULL };
	size_t n = 0;

	if (load_models(&w, sides, o, e) == ERR_OK &&
	    choose_forms(&w, o, forms, e) == ERR_OK) {
		compare_models(w.c, w.ours, w.theirs, tolerance, &w.found);
		if (csv)
			print_csv(&w.out, &w.found);
		else
			print_text(&w, tolerance);
		for (enum compare_model_kind k = 0; k < COMPARE_MODEL_N_KINDS;
		     k++)
			n += compare_models_n(&w.found, k);
		if (n == 0)
			(void)err_set(e, ERR_FAILED,
				      "compare: the models have no value in "
				      "common%s",
				      forms ? " of forms that --forms names"
					    : "");
		else
			(void)file_write(o->output ? o->output : "-",
					 w.out.bytes, w.out.n, e);
	}
	buffer_free(&w.out);
	compare_models_free(&w.found);
	catalogue_free(w.c);
	arena_free(&w.a);
	return e->code;
}
