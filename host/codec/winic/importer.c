/* Reads WINIC's YAML, also as exported by this program: latencies and
 * throughputs of forms by LLVM's name.  The format has no instruction set, CPU
 * or ports. */
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/codec/codec.h"
#include "host/codec/winic/read.h"
#include "host/experiment/experiment.h"
#include "host/isa/isa.h"

enum { NAME = 64 };

static int by_form(const void *a, const void *b)
{
	const struct winic_value *x = a, *y = b;
	int order = strcmp(x->form, y->form);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void winic_add_value(const struct catalogue *c, const struct form *form,
			    const struct winic_value *v, struct model_form *f,
			    struct buffer *latencies)
{
	const struct model_span s = { v->known, v->low, v->high };
	int from[FORM_MAX_OPERANDS], to[FORM_MAX_OPERANDS];
	size_t n_from, n_to;

	if (!v->known)
		return;
	if (strcmp(v->kind, "throughput") == 0) {
		/* WINIC writes 0 for unknown. */
		if (v->low > 0)
			f->throughput = s;
		return;
	}
	n_from = operand_find_all(c, form, v->source, true, from);
	n_to = operand_find_all(c, form, v->destination, false, to);
	for (size_t i = 0; i < n_from; i++)
		for (size_t k = 0; k < n_to; k++) {
			const struct model_latency l = {
				.source = (int8_t)from[i],
				.destination = (int8_t)to[k],
				.cycles = s,
			};

			buffer_add(latencies, &l, sizeof(l));
		}
}

/* Add all values of one form. */
static void winic_add_form(struct arena *a, const struct catalogue *c,
			   const struct form *form, const struct winic_value *v,
			   size_t n, struct buffer *forms)
{
	struct model_form f = { .name = form->name };
	struct buffer latencies = { 0 };

	for (size_t i = 0; i < n; i++)
		winic_add_value(c, form, &v[i], &f, &latencies);
	f.n_latencies = latencies.n / sizeof(struct model_latency);
	f.latencies = arena_copy(a, latencies.bytes, latencies.n);
	f.evidence = arena_printf(a, "line %zu", v->line);
	buffer_free(&latencies);
	buffer_add(forms, &f, sizeof(f));
}

static size_t winic_add_forms(struct arena *a, const struct catalogue *c,
			      struct winic_value *v, size_t n,
			      struct buffer *forms)
{
	size_t n_unknown = 0; /* entries */

	if (n > 0)
		qsort(v, n, sizeof(*v), by_form);
	for (size_t i = 0; i < n;) {
		const struct form *form = catalogue_form(c, v[i].form);
		size_t end = i;

		while (end < n && strcmp(v[end].form, v[i].form) == 0)
			end++;
		if (form)
			winic_add_form(a, c, form, v + i, end - i, forms);
		else
			n_unknown += end - i;
		i = end;
	}
	return n_unknown;
}

static int read_winic(struct arena *a, const struct catalogue *c,
		      const char *path, const char *text, size_t n,
		      struct model **ret, struct err *e)
{
	enum { ROOM = 2 };
	struct model *m = ARENA_NEW(a, struct model);
	const char **notes = ARENA_ARRAY(a, const char *, ROOM);
	struct buffer forms = { 0 };
	struct winic_value *v;
	struct skips skips = { .n = 0 };
	size_t n_values, n_unknown;

	if (winic_read(a, c, path, (const unsigned char *)text, n, &v,
		       &n_values, &skips, e) != ERR_OK)
		return e->code;
	n_unknown = winic_add_forms(a, c, v, n_values, &forms);
	m->n_forms = forms.n / sizeof(*m->forms);
	m->forms = arena_copy(a, forms.bytes, forms.n);
	buffer_free(&forms);
	if (m->n_forms == 0)
		return err_set(e, ERR_INPUT,
			       "%s has no instruction whose llvmName is a "
			       "form of %s",
			       path, c->isa->name);
	m->isa = c->isa->name;
	m->cpu = "";
	m->source = arena_printf(a, "WINIC: %s", path);
	notes[m->n_notes++] = "WINIC's file says nothing of ports.";
	if (n_unknown > 0)
		notes[m->n_notes++] = arena_printf(
			a, "%zu values are of no form.", n_unknown);
	m->n_unused = n_unknown;
	m->n_named = n_values;
	m->notes = notes;
	import_count(a, m, n_values, &skips);
	if (model_check(m, c, e) == ERR_OK)
		*ret = m;
	return e->code;
}

static bool is_winic(const char *text, size_t n)
{
	(void)n;
	return strstr(text, "llvmName:") != NULL;
}

static int winic_find_isa(struct arena *a, const char *path, const char *text,
			  size_t n, const char **ret, struct err *e)
{
	(void)a;
	(void)path;
	(void)text;
	(void)n;
	(void)ret;
	(void)e;
	return ERR_OK;
}

const struct importer importer_winic = {
	.name = "winic",
	.describe = "WINIC's YAML; say --isa, it does not",
	.values_only = true,
	.is = is_winic,
	.isa = winic_find_isa,
	.read = read_winic,
};
