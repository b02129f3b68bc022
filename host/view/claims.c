/* See claims.h. */
#include "host/view/claims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/experiment/kinds.h"

/* Bounds of a claim within this relative distance are one value. */
static const double one_value = 0.05;

struct reading {
	struct arena *a;
	struct buffer claims; /* struct claim, strings in the arena */
};

static int on_claim(void *context, const struct claim *c, struct err *e)
{
	struct reading *w = context;
	struct claim copy = *c;
	const char **const strings[] = {
		&copy.isa,          &copy.form,   &copy.board,
		&copy.kind,         &copy.source, &copy.destination,
		&copy.verdict_text, &copy.label,  &copy.detail,
	};

	(void)e;
	for (size_t i = 0; i < ARRAY_LEN(strings); i++)
		*strings[i] =
			arena_strdup(w->a, *strings[i] ? *strings[i] : "");
	buffer_add(&w->claims, &copy, sizeof(copy));
	return ERR_OK;
}

/* Move what was read to *ret. */
static int finish(struct reading *w, struct view_claims *ret, struct err *e)
{
	ret->list =
		buffer_take_list(w->a, &w->claims, sizeof(*ret->list), &ret->n);
	return e->code;
}

int view_read_claims(struct store *s, struct arena *a, int64_t run,
		     const char *form, struct view_claims *ret, struct err *e)
{
	struct reading w = { .a = a };

	(void)store_claims(s, run, form, on_claim, &w, e);
	return finish(&w, ret, e);
}

int view_read_port_claims(struct store *s, struct arena *a, int64_t run,
			  const char *form, struct view_claims *ret,
			  struct err *e)
{
	struct reading w = { .a = a };

	(void)store_port_claims(s, run, form, on_claim, &w, e);
	return finish(&w, ret, e);
}

/* ---- groups -------------------------------------------------------------- */

struct view_claims view_next(struct view_claims *rest,
			     bool (*same)(const struct claim *x,
					  const struct claim *y))
{
	struct view_claims part = { .list = rest->list };

	while (part.n < rest->n && same(&part.list[0], &part.list[part.n]))
		part.n++;
	rest->list += part.n;
	rest->n -= part.n;
	return part;
}

bool view_same_run(const struct claim *x, const struct claim *y)
{
	return x->run == y->run;
}

bool view_same_form(const struct claim *x, const struct claim *y)
{
	return strcmp(x->form, y->form) == 0 && strcmp(x->isa, y->isa) == 0;
}

bool view_has_partner(const struct claim *c)
{
	return experiment_kind_is(experiment_kind_of(c->kind, strlen(c->kind)),
				  EXPERIMENT_PAIRED);
}

/* ---- rows ---------------------------------------------------------------- */

static void widen(struct model_span *s, const struct claim *c)
{
	if (!c->has_value)
		return;
	s->low = s->has_value ? fmin(s->low, c->low_cycles) : c->low_cycles;
	s->high = s->has_value ? fmax(s->high, c->high_cycles) : c->high_cycles;
	s->has_value = true;
}

/* Add the first part of a verdict to a list with commas, if it is not there. */
static void add_verdict(struct arena *a, const char **list, const char *verdict)
{
	size_t n = strcspn(verdict, ",");

	for (const char *at = *list; at && *at != '\0'; at += *at == ',') {
		size_t m = strcspn(at, ",");

		if (m == n && strncmp(at, verdict, n) == 0)
			return;
		at += m;
	}
	*list = arena_printf(a, "%s%s%.*s", *list ? *list : "",
			     *list ? "," : "", (int)n, verdict);
}

static void row_add(struct arena *a, struct view_row *r, const struct claim *c)
{
	if (claim_is(c, "latency")) {
		widen(&r->latency, c);
		add_verdict(a, &r->latency_verdicts, claim_verdict(c));
	} else if (claim_is(c, "throughput")) {
		widen(&r->throughput, c);
		add_verdict(a, &r->throughput_verdicts, claim_verdict(c));
	}
}

struct view_row view_row_of(struct arena *a, const struct view_claims *c)
{
	struct view_row r = { .latency_verdicts = NULL };

	for (size_t i = 0; i < c->n; i++)
		row_add(a, &r, &c->list[i]);
	return r;
}

/* ---- the matrix ---------------------------------------------------------- */

void view_note(struct view_names *w, const char *name)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->list[i], name) == 0)
			return;
	if (w->n < VIEW_MAX_NAMES)
		w->list[w->n++] = name;
}

void view_matrix_of(const struct view_claims *c, struct view_matrix *ret)
{
	ret->from.n = ret->to.n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct claim *x = &c->list[i];

		/* A latency of no operands is the sum of a latency cycle. */
		if (!claim_is(x, "latency") || *x->source == '\0')
			continue;
		view_note(&ret->from, x->source);
		view_note(&ret->to, x->destination);
	}
}

const struct claim *view_pair(const struct view_claims *c, const char *kind,
			      const char *source, const char *destination)
{
	for (size_t i = 0; i < c->n; i++)
		if (claim_is(&c->list[i], kind) &&
		    strcmp(c->list[i].source, source) == 0 &&
		    strcmp(c->list[i].destination, destination) == 0)
			return &c->list[i];
	return NULL;
}

/* ---- text ---------------------------------------------------------------- */

void view_value_text(const struct claim *c, char text[VIEW_SPAN_ROOM])
{
	double low = c->low_cycles, high = c->high_cycles;

	if (!c->has_value)
		(void)snprintf(text, VIEW_SPAN_ROOM, "-");
	else if (high - low <= one_value * high)
		(void)snprintf(text, VIEW_SPAN_ROOM, "%.4g", (low + high) / 2);
	else
		(void)snprintf(text, VIEW_SPAN_ROOM, "%.4g..%.4g", low, high);
}
