/* Read claims from the store; see claims.h.
 *
 * The claims of one run are read in the order of forms without sorting. The
 * view of the newest claims compares each claim with all runs and is many times
 * slower, which would delay every prediction. */
#include <stdlib.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/model/claims_read.h"

int model_store_run(struct store *s, struct arena *a, const char *board,
		    struct run *ret, struct err *e)
{
	int64_t *ids;
	size_t n;

	if (store_chosen_runs(s, a, &ids, &n, e) != ERR_OK)
		return e->code;
	while (n-- > 0) {
		struct run run;

		if (store_run_get(s, a, ids[n], &run, e) != ERR_OK)
			return e->code;
		if (!board || strcmp(run.board, board) == 0) {
			*ret = run;
			return ERR_OK;
		}
	}
	return err_set(e, ERR_INPUT, "the database has no run%s%s",
		       board ? " of board " : "", board ? board : "");
}

/* ---- runs -------------------------------------------------------------- */

/* Finished runs before unfinished ones, then newest first. */
static int by_age(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->finished != y->finished)
		return y->finished - x->finished;
	return (y->id > x->id) - (y->id < x->id);
}

/* The runs of the board, in order of preference. */
static int list_runs(struct claim_reader *r, struct run **ret, size_t *ret_n,
		     struct err *e)
{
	int64_t *ids;
	struct run *list;
	size_t n, kept = 0;

	if (store_chosen_runs(r->s, r->a, &ids, &n, e) != ERR_OK)
		return e->code;
	list = ARENA_ARRAY(r->a, struct run, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct run *run = &list[kept];

		if (store_run_get(r->s, r->a, ids[i], run, e) != ERR_OK)
			return e->code;
		kept += strcmp(run->board, r->board) == 0 &&
			strcmp(run->isa, r->c->isa->name) == 0;
	}
	qsort(list, kept, sizeof(*list), by_age);
	*ret = list;
	*ret_n = kept;
	return ERR_OK;
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
	kept.verdict = claims_store_copy(r->a, c->verdict, last->verdict);
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
	claims_store_keep(t->r, ports ? &t->ports : &t->r->values, c);
	return 0;
}

/* Sort key: claims of one form and kind are adjacent, preferred runs first.
 * Claims of one run keep their order. */
struct aged {
	struct claim claim;
	size_t age;   /* index of the run in the list of runs */
	size_t place; /* index in reading order */
};

static int by_form_and_age(const void *a, const void *b)
{
	const struct aged *x = a, *y = b;
	int order = strcmp(x->claim.form, y->claim.form);

	if (order == 0)
		order = strcmp(x->claim.kind, y->claim.kind);
	if (order == 0)
		order = (x->age > y->age) - (x->age < y->age);
	if (order == 0)
		order = (x->place > y->place) - (x->place < y->place);
	return order;
}

/* With several runs, keep the claims of one run for each form and kind. */
static void drop_old(struct claim_reader *r, const struct run *runs,
		     size_t n_runs)
{
	size_t n = r->values.n / sizeof(struct claim), kept = 0;
	struct claim *list = (void *)r->values.bytes;
	struct aged *all = held_realloc(NULL, n + 1, sizeof(*all));

	for (size_t i = 0; i < n; i++) {
		size_t age = 0;

		while (age < n_runs && runs[age].id != list[i].run)
			age++;
		all[i] = (struct aged){ list[i], age, i };
	}
	qsort(all, n, sizeof(*all), by_form_and_age);
	for (size_t i = 0; i < n; i++) {
		const struct claim *last = kept > 0 ? &list[kept - 1] : NULL;
		const struct claim *c = &all[i].claim;

		if (last && strcmp(last->form, c->form) == 0 &&
		    strcmp(last->kind, c->kind) == 0 && last->run != c->run)
			continue;
		list[kept++] = *c;
	}
	r->values.n = kept * sizeof(*list);
	held_free(all);
}

/* Keep the claims on ports of the newest run that has any. Run ids grow with
 * time. */
static void claims_store_take_ports(struct claim_reader *r, int64_t run,
				    struct buffer *ports)
{
	struct buffer other = *ports;

	if (ports->n > 0 && run > r->ports_run) {
		other = r->ports;
		r->ports = *ports;
		r->ports_run = run;
	}
	buffer_free(&other);
}

/* Mean error of the random mixes above which ports are not used.  Where a search was
 * right it was 0.3 to 3.3 % on seven kinds of machines (docs/results.md). */
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

/* Leave out the ports of a search that does not explain its own random mixes. */
static void refuse_ports(struct claim_reader *r)
{
	struct claim *list = (void *)r->ports.bytes;
	size_t n = r->ports.n / sizeof(*list), kept = 0;
	double error = 0;

	for (size_t i = 0; i < n && *list[i].form == '\0'; i++)
		if (claim_is(&list[i], "error") && list[i].has_value)
			error = list[i].high_cycles;
	if (error >= 0 && error <= most_error)
		return;
	for (size_t i = 0; i < n; i++)
		if (!names_ports(&list[i]))
			list[kept++] = list[i];
	r->ports.n = kept * sizeof(*list);
	r->refused = true;
	r->refused_error = error;
}

int claims_fetch(struct claim_reader *r, struct err *e)
{
	struct run *runs = NULL;
	size_t n = 0, with_values = 0;

	if (list_runs(r, &runs, &n, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++) {
		struct taking t = { .r = r };
		size_t before = r->values.n;

		if (store_model_claims(r->s, runs[i].id, claims_store_on_claim,
				       &t, e) != ERR_OK) {
			buffer_free(&t.ports);
			return e->code;
		}
		with_values += r->values.n > before;
		claims_store_take_ports(r, runs[i].id, &t.ports);
	}
	if (with_values > 1)
		drop_old(r, runs, n);
	refuse_ports(r);
	return ERR_OK;
}
