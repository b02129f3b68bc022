/* What the inference found, as claims; see port_searching.h. */
#include "host/campaign/port_searching.h"

#include <string.h>

#include "host/store/store_claim.h"

static const struct {
	enum verdict verdict;
	const char *meaning;
	bool has_value;
} verdicts[] = {
	[PORTS_OK] = { VERDICT_OK, "", true },
	[PORTS_NO_VALUE] = { VERDICT_MISSING, "it could not be measured",
			     false },
	[PORTS_UNSURE] = { VERDICT_UNSURE,
			   "its saturation kernels fit no whole numbers",
			   true },
	[PORTS_UNFINISHED] = { VERDICT_MISSING,
			       "a mix it needs has no value: noise, or the end "
			       "of the budget",
			       false },
	[PORTS_MISFIT] = { VERDICT_MISFIT,
			   "many mixes with it are off by over 10 %", true },
	[PORTS_CLOSES] = { VERDICT_CLOSES,
			   "other forms have fewer ports while it is in flight",
			   false },
	[PORTS_LEFT] = { VERDICT_UNSURE,
			 "its ports are left to published tables", false },
	[PORTS_OPEN] = { VERDICT_OPEN, "other ports are possible", true },
};

struct writer {
	const struct port_search *h;
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
	c.run = x->h->run.id;
	c.isa = x->h->run.isa;
	c.board = x->h->run.board;
	c.form = c.form ? c.form : "";
	c.source = c.source ? c.source : "";
	c.destination = c.destination ? c.destination : "";
	c.label = c.label ? c.label : "";
	c.detail = c.detail ? c.detail : "";
	c.solver_version = SOLVER_VERSION;
	return store_claim(x->h->s, &c, x->e);
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

static int put_core(struct writer *x)
{
	size_t n_left = x->h->n_left;
	const struct ports_answer *w = x->w;
	const struct ports_errors *fit =
		w->kept_fit.n > 0 ? &w->kept_fit : &w->fit;

	(void)put(x, (struct claim){ .kind = "width",
				     .has_value = true,
				     .low_cycles = w->width.low,
				     .high_cycles = w->width.high });
	if (w->fit.n > 0)
		(void)put(x, (struct claim){ .kind = "error",
					     .has_value = true,
					     .low_cycles = fit->median,
					     .high_cycles = fit->mean,
					     .visits = (uint32_t)fit->n });
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

static const char *form_name(const struct writer *x, size_t form)
{
	return x->h->forms[form].form->name;
}

static const char *pair_name(const struct writer *x, size_t c)
{
	return form_name(x, x->w->pair_forms[c]);
}

static int put_pairs(struct writer *x)
{
	const struct ports_answer *w = x->w;

	if (w->n_pairs > 0)
		(void)put_number(x, "", "order", "", 1);
	for (size_t i = 1; i <= w->n_pairs; i++)
		for (size_t k = 1; k <= w->n_pairs; k++) {
			double yes = w->pairs[i][k];

			(void)put(x, (struct claim){ .kind = "pair",
						     .source = pair_name(x, i),
						     .destination =
							     pair_name(x, k),
						     .has_value = true,
						     .low_cycles = yes,
						     .high_cycles = yes });
		}
	return x->e->code;
}

static int put_form(struct writer *x, size_t form,
		    const struct ports_answer_form *f)
{
	const struct plan_ports_form *forms = x->h->forms;
	const char *name = form_name(x, form);
	enum verdict verdict = verdicts[f->verdict].verdict;
	bool has_value = verdicts[f->verdict].has_value;
	char *label = arena_printf(&x->a, "mix:%s", name);
	const char *meaning = has_value && f->verdict == PORTS_OK
				      ? ""
				      : verdicts[f->verdict].meaning;
	char *detail = arena_printf(&x->a, "%s%s%s", f->how,
				    *f->how && *meaning ? "; " : "", meaning);

	for (size_t i = 0; i < forms[form].n_breakers; i++)
		label = arena_printf(&x->a, "%s+~%s", label,
				     forms[forms[form].breakers[i]].form->name);

	struct claim c = { .form = name,
			   .kind = "ports",
			   .label = label,
			   .verdict = verdict,
			   .visits = f->n_checks,
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
				 pair_name(x, x->w->pairing[form]),
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
static int put_matrices(struct writer *x)
{
	const struct ports_answer *w = x->w;

	for (size_t i = 0; w->n_matrices > 1 && i < w->n_matrices; i++)
		for (size_t k = 0; k < w->n_classes; k++)
			if (w->matrices[i][k] != 0)
				(void)put(
					x,
					(struct claim){
						.form = form_name(
							x,
							w->classes[k]
								.representative),
						.kind = "matrix",
						.source = arena_printf(
							&x->a, "%02zu", i),
						.destination = columns_text(
							x, w->matrices[i][k]),
						.has_value = true });
	return x->e->code;
}

static int put_all(struct writer *x)
{
	if (put_core(x) != ERR_OK || put_pairs(x) != ERR_OK ||
	    put_matrices(x) != ERR_OK)
		return x->e->code;
	for (size_t i = 0; i < x->w->n_classes; i++) {
		const struct ports_class *c = &x->w->classes[i];

		if (c->ports != 0 &&
		    put_number(x, form_name(x, c->representative), "class",
			       set_text(x, c->ports), 1) != ERR_OK)
			return x->e->code;
	}
	for (size_t i = 0; i < x->h->n_forms; i++)
		if (put_form(x, i, &x->w->forms[i]) != ERR_OK)
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

int port_claims_fit(struct store *s, int64_t run, uint32_t *ret_from,
		    struct err *e)
{
	*ret_from = UINT32_MAX;
	return store_port_claims(s, run, NULL, read_fit, ret_from, e);
}

int port_claims_store(const struct port_search *h, uint32_t fit_from,
		      const struct ports_answer *w, struct err *e)
{
	struct writer x = { .h = h, .w = w, .e = e };

	if (store_port_claims_begin(h->s, h->run.id, e) != ERR_OK)
		return e->code;
	if (put_all(&x) != ERR_OK ||
	    (fit_from != UINT32_MAX &&
	     put_number(&x, "", "fit", "", fit_from) != ERR_OK) ||
	    store_commit(h->s, e) != ERR_OK)
		store_rollback(h->s);
	arena_free(&x.a);
	return e->code;
}
