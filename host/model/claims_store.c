/* Read claims from the store; see claims.h.
 *
 * The claims of one run are read in the order of forms without sorting. The
 * view of the newest claims compares each claim with all runs and is many times
 * slower, which would delay every prediction. */
#include <stdlib.h>

#include "host/isa/isa.h"
#include "host/model/claims_read.h"
#include "host/store/store_core.h"

/* ---- runs -------------------------------------------------------------- */

/* The runs of the chosen core, oldest first; NULL: of any board, or ISA. */
static int list_runs(struct store *s, struct arena *a, const char *board,
		     const char *isa, struct buffer *ret, struct err *e)
{
	int64_t *ids;
	size_t n;

	if (store_chosen_runs(s, a, &ids, &n, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++) {
		struct run run;

		if (store_run_get(s, a, ids[i], &run, e) != ERR_OK)
			return e->code;
		if ((!board || strcmp(run.board, board) == 0) &&
		    (!isa || strcmp(run.isa, isa) == 0))
			buffer_add(ret, &run, sizeof(run));
	}
	return ERR_OK;
}

int model_store_run(struct store *s, struct arena *a, const char *board,
		    struct run *ret, struct err *e)
{
	struct buffer runs = { 0 };

	if (list_runs(s, a, board, NULL, &runs, e) == ERR_OK && runs.n == 0)
		(void)err_set(e, ERR_INPUT, "the database has no run%s%s",
			      board ? " of board " : "", board ? board : "");
	if (e->code == ERR_OK)
		memcpy(ret, runs.bytes + runs.n - sizeof(*ret), sizeof(*ret));
	buffer_free(&runs);
	return e->code;
}

/* Finished runs before unfinished ones, then newest first. */
static int by_age(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->finished != y->finished)
		return y->finished - x->finished;
	return (y->id > x->id) - (y->id < x->id);
}

/* ---- claims ------------------------------------------------------------ */

/* Copy a string. Most claims repeat form, kind and verdict of the claim before,
 * and most operands are single digits; these are shared. */
static const char *claims_store_copy(struct arena *a, const char *text,
				     const char *before)
{
	static const char digits[][2] = { "0", "1", "2", "3", "4",
					  "5", "6", "7", "8", "9" };

	if (!text || *text == '\0')
		return "";
	if (*text >= '0' && *text <= '9' && text[1] == '\0')
		return digits[*text - '0'];
	return before && strcmp(text, before) == 0 ? before
						   : arena_strdup(a, text);
}

static void claims_store_keep(struct claim_reader *r, struct buffer *list,
			      const struct claim *c)
{
	size_t n = list->n / sizeof(*c);
	const struct claim none = { .form = NULL };
	const struct claim *last =
		n > 0 ? (const struct claim *)(const void *)list->bytes + n - 1
		      : &none;
	struct claim kept = *c;

	kept.form = claims_store_copy(r->a, c->form, last->form);
	kept.kind = claims_store_copy(r->a, c->kind, last->kind);
	kept.source = claims_store_copy(r->a, c->source, last->source);
	kept.destination =
		claims_store_copy(r->a, c->destination, last->destination);
	kept.verdict_text =
		claims_store_copy(r->a, c->verdict_text, last->verdict_text);
	/* Details are long and are needed only for claims without a form. */
	kept.detail = claims_store_copy(r->a, c->detail, "");
	buffer_add(list, &kept, sizeof(kept));
}

/* State while the claims of a run are read; claims on ports go to a list of
 * their own. */
struct taking {
	struct claim_reader *r;
	struct buffer ports;
};

static int claims_store_on_claim(void *context, const struct claim *c,
				 bool ports, struct err *e)
{
	struct taking *t = context;

	(void)e;
	claims_store_keep(t->r, ports ? &t->ports : &t->r->fetched, c);
	return 0;
}

/* Claims of one form and kind are adjacent.  They keep the order in which they
 * were read: those of preferred runs first. */
static int by_form_and_kind(const void *a, const void *b)
{
	const struct claim *x = *(const struct claim *const *)a;
	const struct claim *y = *(const struct claim *const *)b;
	int order = strcmp(x->form, y->form);

	if (order == 0)
		order = strcmp(x->kind, y->kind);
	return order != 0 ? order : (x > y) - (x < y);
}

/* With several runs, keep the claims of one run for each form and kind. */
static void drop_old(struct claim_reader *r)
{
	const struct claim *list = (const void *)r->fetched.bytes, *last = NULL;
	size_t n = r->fetched.n / sizeof(*list);
	const struct claim **all = held_realloc(NULL, n, sizeof(*all));
	struct buffer kept = { 0 };

	for (size_t i = 0; i < n; i++)
		all[i] = &list[i];
	qsort(all, n, sizeof(*all), by_form_and_kind);
	for (size_t i = 0; i < n; i++) {
		if (last && strcmp(last->form, all[i]->form) == 0 &&
		    strcmp(last->kind, all[i]->kind) == 0 &&
		    last->run != all[i]->run)
			continue;
		last = all[i];
		buffer_add(&kept, last, sizeof(*last));
	}
	held_free(all);
	buffer_free(&r->fetched);
	r->fetched = kept;
}

/* Keep the claims on ports of the newest run that has any. Run ids grow with
 * time. */
static void claims_store_take_ports(struct claim_reader *r, int64_t run,
				    struct buffer *ports)
{
	struct buffer other = *ports;

	if (ports->n > 0 && run > r->ports_run) {
		other = r->fetched_ports;
		r->fetched_ports = *ports;
		r->ports_run = run;
	}
	buffer_free(&other);
}

/* Mean error of the random mixes above which ports are not used.  Where a
 * search was right it was 0.3 to 3.3 % on seven kinds of machines
 * (docs/results.md). */
static const double most_error = 0.1;

/* Does it say which ports there are, or which a form uses? */
static bool names_ports(const struct claim *c)
{
	static const char *const kinds[] = { "port",   "ports", "class",
					     "matrix", "alone", "pair",
					     "pairing" };

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (claim_is(c, kinds[i]))
			return true;
	return false;
}

/* Leave out the ports of a search that does not explain its own random
 * mixes. */
static void refuse_ports(struct claim_reader *r)
{
	struct claim *list = (void *)r->fetched_ports.bytes;
	size_t n = r->fetched_ports.n / sizeof(*list), kept = 0;
	double error = 0;

	for (size_t i = 0; i < n && *list[i].form == '\0'; i++)
		if (claim_is(&list[i], "error") && list[i].has_value)
			error = list[i].high_cycles;
	if (error >= 0 && error <= most_error)
		return;
	for (size_t i = 0; i < n; i++)
		if (!names_ports(&list[i]))
			list[kept++] = list[i];
	r->fetched_ports.n = kept * sizeof(*list);
	r->refused = true;
	r->refused_error = error;
}

static struct claim_list claims_store_list(const struct buffer *b)
{
	return (struct claim_list){ (const void *)b->bytes,
				    b->n / sizeof(struct claim) };
}

int claims_fetch(struct claim_reader *r, struct err *e)
{
	struct buffer runs = { 0 };
	size_t n, with_values = 0;

	(void)list_runs(r->s, r->a, r->board, r->c->isa->name, &runs, e);
	n = runs.n / sizeof(struct run);
	if (n > 0)
		qsort(runs.bytes, n, sizeof(struct run), by_age);
	for (size_t i = 0; i < n && e->code == ERR_OK; i++) {
		int64_t run = ((struct run *)(void *)runs.bytes)[i].id;
		struct taking t = { .r = r };
		size_t before = r->fetched.n;

		(void)store_model_claims(r->s, run, claims_store_on_claim, &t,
					 e);
		with_values += r->fetched.n > before;
		claims_store_take_ports(r, run, &t.ports);
	}
	buffer_free(&runs);
	if (e->code != ERR_OK)
		return e->code;
	if (with_values > 1)
		drop_old(r);
	refuse_ports(r);
	r->values = claims_store_list(&r->fetched);
	r->ports = claims_store_list(&r->fetched_ports);
	return ERR_OK;
}
