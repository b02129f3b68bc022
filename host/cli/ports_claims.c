/* What the inference found, as claims and for people; see ports.h. */
#include <stdio.h>
#include <string.h>

#include "host/base/file.h"
#include "host/cli/ports.h"
#include "host/solve/solve.h"

enum { SHOWN = 12, WIDTH = 80 };

static const struct {
	const char *verdict, *meaning;
	bool has_value;
} verdicts[] = {
	[PORTS_OK] = { "ok", "", true },
	[PORTS_NO_VALUE] = { "missing", "it could not be measured", false },
	[PORTS_UNSURE] = { "unsure", "its floods fit no whole numbers", true },
	[PORTS_UNFINISHED] = { "missing",
			       "a mix it needs has no value: noise, or the end "
			       "of the budget",
			       false },
	[PORTS_MISFIT] = { "misfit", "many mixes with it are off by over 10 %",
			   true },
	[PORTS_CLOSES] = { "closes",
			   "others have fewer ports while it is about", false },
	[PORTS_OPEN] = { "open", "other ports agree as well with its floods",
			 true },
};

struct writer {
	struct store *s;
	const struct run *run;
	const struct ports_answer *w;
	struct arena a;
	struct err *e;
};

static char *set_text(struct writer *x, model_ports ports)
{
	const struct model m = { .n_ports = x->w->n_ports,
				 .ports = x->w->ports };

	return model_ports_text(&x->a, &m, ports);
}

/* Columns of a matrix, which need not be ports of the answer. */
static char *columns_text(struct writer *x, model_ports set)
{
	char *text = arena_strdup(&x->a, "");

	for (unsigned i = 0; i < MODEL_MAX_PORTS; i++)
		if ((set >> i & 1) != 0)
			text = arena_printf(&x->a, "%s%sp%u", text,
					    *text ? "|" : "", i);
	return text;
}

static int put(struct writer *x, struct claim c)
{
	c.run = x->run->id;
	c.isa = x->run->isa;
	c.board = x->run->board;
	c.form = c.form ? c.form : "";
	c.source = c.source ? c.source : "";
	c.destination = c.destination ? c.destination : "";
	c.verdict = c.verdict ? c.verdict : "ok";
	c.label = c.label ? c.label : "";
	c.detail = c.detail ? c.detail : "";
	c.solver_version = SOLVER_VERSION;
	return store_claim(x->s, &c, x->e);
}

static int put_number(struct writer *x, const char *form, const char *kind,
		      const char *source, double value)
{
	return put(x, (struct claim){ .form = form,
				      .kind = kind,
				      .source = source,
				      .has_value = true,
				      .low_cycles = value,
				      .high_cycles = value });
}

static int put_core(struct writer *x, size_t n_left)
{
	const struct ports_answer *w = x->w;

	(void)put(x, (struct claim){ .kind = "width",
				     .has_value = true,
				     .low_cycles = w->width.low,
				     .high_cycles = w->width.high });
	for (size_t i = 0; i < w->n_ports; i++)
		(void)put(x, (struct claim){ .kind = "port",
					     .source = w->ports[i].name,
					     .destination = w->ports[i].pseudo
								    ? "pseudo"
								    : "",
					     .has_value = true,
					     .low_cycles = (double)i,
					     .high_cycles = (double)i });
	for (size_t i = 0; i < w->n_notes; i++)
		(void)put(x, (struct claim){
				     .kind = "note",
				     .source = arena_printf(&x->a, "%03zu", i),
				     .detail = w->notes[i] });
	if (n_left > 0)
		(void)put(x, (struct claim){
				     .kind = "note",
				     .source = "zzz",
				     .detail = arena_printf(
					     &x->a,
					     "%zu forms wait for themselves, "
					     "which nothing cuts, and were "
					     "left out.",
					     n_left) });
	return x->e->code;
}

static const char *pair_name(const struct writer *x,
			     const struct plan_ports_form *forms, size_t c)
{
	return forms[x->w->pair_forms[c]].form->name;
}

static int put_pairs(struct writer *x, const struct plan_ports_form *forms)
{
	const struct ports_answer *w = x->w;

	if (w->n_pairs > 0)
		(void)put_number(x, "", "order", "", 1);
	for (size_t i = 1; i <= w->n_pairs; i++)
		for (size_t k = 1; k <= w->n_pairs; k++) {
			double yes = w->pairs[i][k];

			(void)put(x,
				  (struct claim){
					  .kind = "pair",
					  .source = pair_name(x, forms, i),
					  .destination = pair_name(x, forms, k),
					  .has_value = true,
					  .low_cycles = yes,
					  .high_cycles = yes });
		}
	return x->e->code;
}

static int put_form(struct writer *x, const struct plan_ports_form *forms,
		    size_t form, const struct ports_answer_form *f)
{
	const char *name = forms[form].form->name;
	const char *verdict = verdicts[f->verdict].verdict;
	bool has_value = verdicts[f->verdict].has_value;
	char *label = arena_printf(&x->a, "mix:%s", name);
	char *detail =
		arena_printf(&x->a, "%s%s%s", f->how, *f->how ? "; " : "",
			     has_value && f->verdict == PORTS_OK
				     ? ""
				     : verdicts[f->verdict].meaning);

	for (size_t i = 0; i < forms[form].n_breakers; i++)
		label = arena_printf(&x->a, "%s+~%s", label,
				     forms[forms[form].breakers[i]].form->name);

	struct claim c = { .form = name,
			   .kind = "ports",
			   .label = label,
			   .verdict = verdict,
			   .detail = detail };

	if (!has_value)
		return put(x, c);
	c.has_value = true;
	if (f->n_uses == 0)
		(void)put(x, c);
	for (size_t k = 0; k < f->n_uses; k++) {
		c.source = set_text(x, f->uses[k].ports);
		c.destination = f->uses[k].cycles == 1
					? ""
					: arena_printf(&x->a, "%.6g",
						       f->uses[k].cycles);
		c.low_cycles = c.high_cycles = f->uses[k].n_uops;
		(void)put(x, c);
	}
	if (x->w->pairing && x->w->pairing[form] > 0)
		(void)put_number(x, name, "pairing",
				 pair_name(x, forms, x->w->pairing[form]),
				 x->w->pairing[form]);
	if (f->throughput.has_value)
		(void)put(x, (struct claim){ .form = name,
					     .kind = "alone",
					     .has_value = true,
					     .low_cycles = f->throughput.low,
					     .high_cycles = f->throughput.high,
					     .label = label });
	if (f->slots.has_value)
		(void)put(x, (struct claim){ .form = name,
					     .kind = "uops",
					     .has_value = true,
					     .low_cycles = f->slots.low,
					     .high_cycles = f->slots.high,
					     .label = label });
	return x->e->code;
}

/* Where several matrices agree with all that was measured: each of them. */
static int put_matrices(struct writer *x, const struct plan_ports_form *forms)
{
	const struct ports_answer *w = x->w;

	for (size_t i = 0; w->n_matrices > 1 && i < w->n_matrices; i++)
		for (size_t k = 0; k < w->n_classes; k++)
			if (w->matrices[i][k] != 0)
				(void)put(
					x,
					(struct claim){
						.form = forms[w->classes[k]
								      .representative]
								.form->name,
						.kind = "matrix",
						.source = arena_printf(
							&x->a, "%02zu", i),
						.destination = columns_text(
							x, w->matrices[i][k]),
						.has_value = true });
	return x->e->code;
}

static int put_all(struct writer *x, const struct plan_ports_form *forms,
		   size_t n_forms, size_t n_left)
{
	if (put_core(x, n_left) != ERR_OK || put_pairs(x, forms) != ERR_OK)
		return x->e->code;
	if (put_matrices(x, forms) != ERR_OK)
		return x->e->code;
	for (size_t i = 0; i < x->w->n_classes; i++) {
		const struct ports_class *c = &x->w->classes[i];

		if (c->ports != 0 &&
		    put_number(x, forms[c->representative].form->name, "class",
			       set_text(x, c->ports), 1) != ERR_OK)
			return x->e->code;
	}
	for (size_t i = 0; i < n_forms; i++)
		if (put_form(x, forms, i, &x->w->forms[i]) != ERR_OK)
			return x->e->code;
	return ERR_OK;
}

static int read_fit(void *context, const struct claim *c, struct err *e)
{
	uint32_t *from = context;

	(void)e;
	if (strcmp(c->kind, "fit") == 0 && c->has_value && c->low_cycles >= 0 &&
	    c->low_cycles < UINT32_MAX)
		*from = (uint32_t)c->low_cycles;
	return 0;
}

int ports_claims_fit(struct store *s, int64_t run, uint32_t *ret_from,
		     struct err *e)
{
	*ret_from = UINT32_MAX;
	return store_port_claims(s, run, NULL, read_fit, ret_from, e);
}

int ports_claims_store(struct store *s, const struct run *run,
		       const struct plan_ports_form *forms, size_t n_left,
		       uint32_t fit_from, const struct ports_answer *w,
		       size_t n_forms, struct err *e)
{
	struct writer x = { .s = s, .run = run, .w = w, .e = e };

	if (store_port_claims_begin(s, run->id, e) != ERR_OK)
		return e->code;
	if (put_all(&x, forms, n_forms, n_left) != ERR_OK ||
	    (fit_from != UINT32_MAX &&
	     put_number(&x, "", "fit", "", fit_from) != ERR_OK) ||
	    store_claims_commit(s, e) != ERR_OK)
		store_rollback(s);
	arena_free(&x.a);
	return e->code;
}

/* ---- for people -----------------------------------------------------------
 */

static void print_mix(const struct plan_ports_form *forms,
		      const struct ports_mix *mix)
{
	for (size_t i = 0; i < mix->n; i++) {
		printf("%s", i > 0 ? "+" : "    ");
		if (mix->part[i].count > 1)
			printf("%ux", mix->part[i].count);
		printf("%s", forms[mix->part[i].form].form->name);
	}
}

static void print_conflicts(const struct plan_ports_form *forms,
			    const struct ports_answer *w)
{
	if (w->n_conflicts == 0)
		return;
	printf("\nexperiments that the model contradicts (%zu, the first "
	       "%d)\n",
	       w->n_conflicts, SHOWN);
	for (size_t i = 0; i < w->n_conflicts && i < SHOWN; i++) {
		const struct ports_conflict *c = &w->conflicts[i];

		print_mix(forms, &c->mix);
		if (c->expected > 0)
			printf("\n      %.3f cycles measured, %.3f expected\n",
			       c->measured, c->expected);
		else
			printf("\n      %.3f cycles: no matrix of ports has "
			       "it with the others\n",
			       c->measured);
	}
}

static void print_counts(const struct ports_answer *w, size_t n_forms)
{
	size_t n[ARRAY_LEN(verdicts)] = { 0 };

	for (size_t i = 0; i < n_forms; i++)
		n[w->forms[i].verdict]++;
	printf("\n%zu forms: %zu with ports, %zu unsure, %zu misfits, %zu "
	       "that close ports, %zu without a value, %zu unfinished\n",
	       n_forms, n[PORTS_OK] + n[PORTS_OPEN], n[PORTS_UNSURE],
	       n[PORTS_MISFIT], n[PORTS_CLOSES], n[PORTS_NO_VALUE],
	       n[PORTS_UNFINISHED]);
	if (n[PORTS_OPEN] > 0)
		printf("%zu of those with ports are open: other ports agree as "
		       "well with all floods\n",
		       n[PORTS_OPEN]);
	printf("experiments: %zu alone, %zu for slots, %zu to merge, %zu for "
	       "the matrix (solved in %.2f s), %zu to check it, %zu floods, "
	       "%zu of units, %zu to try forms\n",
	       w->n_experiments[PORTS_SINGLES], w->n_experiments[PORTS_SLOTS],
	       w->n_experiments[PORTS_MERGE], w->n_experiments[PORTS_MATRIX],
	       w->matrix_seconds, w->n_experiments[PORTS_CHECK],
	       w->n_experiments[PORTS_FLOOD], w->n_experiments[PORTS_UNITS],
	       w->n_experiments[PORTS_TRIAL]);
	if (w->fit.n > 0)
		printf("%zu random mixes drawn after that: mean error %.2f %%, "
		       "median %.2f %%, 99 %% below %.1f %%, worst %.1f %%\n",
		       w->fit.n, 100 * w->fit.mean, 100 * w->fit.median,
		       100 * w->fit.p99, 100 * w->fit.worst);
}

void ports_print(const struct plan_ports_form *forms, size_t n_forms,
		 const struct ports_answer *w)
{
	struct arena a = { 0 };
	const struct model m = { .n_ports = w->n_ports, .ports = w->ports };

	printf("\nwidth %g, %zu ports", w->width.low, w->n_ports);
	if (w->n_pairs > 0)
		printf("; %zu classes of pairs, see `anechoic model`\n",
		       w->n_pairs);
	else
		printf("; classes of one uop:\n");
	for (size_t i = 0; i < w->n_classes; i++) {
		const struct ports_class *c = &w->classes[i];

		if (c->ports != 0)
			printf("  %-28s %-24s %u forms\n",
			       forms[c->representative].form->name,
			       model_ports_text(&a, &m, c->ports),
			       c->n_members);
	}
	print_conflicts(forms, w);
	print_counts(w, n_forms);
	arena_free(&a);
}
