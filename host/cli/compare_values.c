/* anechoic compare: values of a database against values from elsewhere. */
#include <stdio.h>
#include <string.h>

#include "host/cli/cli.h"
#include "host/cli/compare_command.h"
#include "host/cli/compare_print.h"
#include "host/isa/isa.h"
#include "host/store/store_core.h"
#include "host/view/finding.h"

enum { MAX_FILE = 64 << 20 };

/* The claims of one database, in the end of one board and one ISA. */
struct values {
	const char *path;
	const char *isa, *board; /* wanted; NULL: whatever there is */
	struct core_query core;
	const char *chosen; /* the core */
};

static bool is_of(const struct values *s, const struct claim *c)
{
	return (!s->isa || strcmp(s->isa, c->isa) == 0) &&
	       (!s->board || strcmp(s->board, c->board) == 0);
}

/* Make rows of the claims.  If the board or the ISA is not given, there must be
 * only one. */
static int take_claims(struct arena *a, struct values *s,
		       const struct view_claims *all, struct compare_rows *ret,
		       struct err *e)
{
	const bool named = s->board && s->isa;
	bool several = false;

	ret->n = 0;
	ret->list = ARENA_ARRAY(a, struct compare_row, all->n + 1);
	for (size_t i = 0; i < all->n; i++) {
		const struct claim *c = &all->list[i];

		if (!is_of(s, c)) {
			several = true;
			continue;
		}
		/* Its findings are compared, not each point. */
		if (claim_is(c, CLAIM_CURVE))
			continue;
		s->isa = c->isa;
		s->board = c->board;
		ret->list[ret->n++] = compare_claim(c);
	}
	if (several && !named)
		return err_set(e, ERR_USAGE,
			       "%s has values of several boards, of %s %s and "
			       "others; choose with --board and --isa",
			       s->path, s->board, s->isa);
	if (ret->n == 0)
		return err_set(e, ERR_INPUT, "%s has no values%s%s%s%s",
			       s->path, s->board ? " of board " : "",
			       s->board ? s->board : "", s->isa ? ", " : "",
			       s->isa ? s->isa : "");
	compare_sort(ret);
	return ERR_OK;
}

static int read_database(struct arena *a, struct values *s,
			 struct compare_rows *ret, struct err *e)
{
	struct store *store = NULL;
	struct view_claims all;

	s->core.board = s->board;
	s->core.isa = s->isa;
	if (models_open_store(s->path, &s->core, &store, e) == ERR_OK &&
	    store_chosen_core(store, a, &s->chosen, e) == ERR_OK &&
	    view_read_claims(store, a, 0, NULL, &all, e) == ERR_OK)
		(void)take_claims(a, s, &all, ret, e);
	store_close(store);
	return e->code;
}

/* Read the other database: our board and core if it has them, else its only
 * ones. */
static int read_other(struct comparing *w, const struct values *ours,
		      struct compare_rows *ret, struct err *e)
{
	const struct core_query core = { .core_of = w->o->with_core_of,
					 .option = "--with-core-of",
					 .if_there = ours->chosen };
	struct values any = { .path = w->sides[1].db,
			      .isa = ours->isa,
			      .core = core };
	struct values s = any;
	struct err none = { .code = ERR_OK };

	s.board = ours->board;
	if (read_database(w->a, &s, ret, &none) == ERR_OK)
		return ERR_OK;
	return read_database(w->a, &any, ret, e);
}

static int read_theirs(struct comparing *w, const struct values *ours,
		       struct compare_rows *ret, struct err *e)
{
	struct import_text file = { .path = w->sides[1].file };
	struct skips skips = { .n = 0 };
	unsigned char *text;

	/* Databases are not read into memory: they may be larger than
	 * MAX_FILE. */
	if (w->sides[1].db)
		return read_other(w, ours, ret, e);
	if (file_read(w->a, file.path, MAX_FILE, &text, &file.n, e) != ERR_OK)
		return e->code;
	file.text = (const char *)text;
	if (!comparing_yaml(file.path))
		return compare_read_csv(w->a, file.path, file.text, file.n, ret,
					e);
	if (compare_read_winic(w->a, w->c, &file, ret,
			       w->o->strict ? NULL : &skips, e) == ERR_OK &&
	    skips.n > 0)
		(void)fprintf(stderr,
			      "anechoic: %zu of %zu values are left out; the "
			      "first: %s\n",
			      skips.n, ret->n + skips.n, skips.first.message);
	return e->code;
}

static void keep_rows(struct comparing *w, struct compare_rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (comparing_wants(w, rows->list[i].form))
			rows->list[n++] = rows->list[i];
	rows->n = n;
}

static int print_values(struct comparing *w, struct compare_rows *ours,
			const struct compare_rows *theirs, struct err *e)
{
	const struct compare_classes k = compare_classes_of(w->c);
	struct compare_report r = {
		.a = w->a,
		.out = w->out,
		.name = w->o->ours,
		.with = w->o->theirs,
		.tolerance = w->tolerance,
		.repeated = w->sides[1].db != NULL,
		.ours = ours,
		.n_pairs = theirs->n,
	};

	r.pairs = compare_join(w->a, ours, theirs, &k, w->tolerance);
	r.counts = compare_count(r.pairs, r.n_pairs);
	(option_chosen(w->o->format) ? compare_print_csv
				     : compare_print_text)(&r);
	if (comparing_write(w, e) != ERR_OK)
		return e->code;
	if (compare_n_compared(&r.counts, COMPARE_N_KINDS) == 0)
		return comparing_nothing(
			w, arena_printf(w->a, "%s and %s have", r.name, r.with),
			e);
	return comparing_check(w, &r.counts, e);
}

int comparing_values(struct comparing *w, struct err *e)
{
	struct values v = { .path = w->sides[0].db,
			    .isa = w->o->isa,
			    .board = w->o->board,
			    .core = { .core_of = w->o->core_of } };
	struct compare_rows ours, theirs;
	const struct isa *isa;

	if (!v.path)
		return err_set(e, ERR_USAGE,
			       "compare: %s is neither a database nor a "
			       "machine model; only the second side may be a "
			       "file of values",
			       w->o->ours);
	if (read_database(w->a, &v, &ours, e) != ERR_OK)
		return e->code;
	isa = isa_find(v.isa);
	if (!isa)
		return err_set(e, ERR_INPUT,
			       "%s has values of an unknown instruction set "
			       "'%s'",
			       v.path, v.isa);
	if (comparing_load_catalogues(w, isa, e) != ERR_OK ||
	    read_theirs(w, &v, &theirs, e) != ERR_OK)
		return e->code;
	keep_rows(w, &ours);
	keep_rows(w, &theirs);
	return print_values(w, &ours, &theirs, e);
}
