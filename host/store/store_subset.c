/* Copies a part of a store into a new one; see store.h.
 *
 * The copy is small, so it is built in memory and returned as bytes.  Both
 * databases have the same schema version, so rows are copied with all
 * columns. */
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/store/closure.h"
#include "host/store/store_db.h"

struct subset {
	struct arena a;
	struct store *from, *to;
	const struct store_subset *q;
	struct store_subset_counts *counts;
	/* Forms measured in newer runs, as "FORM KIND BOARD CORE". */
	struct buffer known, found;
	const char *board, *core; /* of the current run */
};

/* ---- which kernels ------------------------------------------------------- */

static bool wants_new(void *context, const char *form)
{
	const struct subset *x = context;

	return x->q->wants(x->q->context, form);
}

static void note_form(void *context, const char *kind, const char *form)
{
	struct subset *x = context;
	const char *text = arena_printf(&x->a, "%s %s %s %s", form, kind,
					x->board, x->core);

	buffer_add(&x->found, &text, sizeof(text));
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Does the current run have a form and kind that no newer run has? */
static bool is_new(const struct subset *x)
{
	const char *const *found = (const void *)x->found.bytes;
	size_t n = x->found.n / sizeof(*found);

	for (size_t i = 0; i < n; i++)
		if (x->known.n == 0 || !bsearch(&found[i], x->known.bytes,
						x->known.n / sizeof(*found),
						sizeof(*found), compare_texts))
			return true;
	return false;
}

static void add_known(struct subset *x)
{
	buffer_add(&x->known, x->found.bytes, x->found.n);
	qsort(x->known.bytes, x->known.n / sizeof(char *), sizeof(char *),
	      compare_texts);
}

static int read_labels(struct subset *x, int64_t run, struct closure *ret,
		       struct err *e)
{
	sqlite3_stmt *q = store_cursor(x->from, e,
				       "SELECT kernel, label, calib FROM "
				       "kernel WHERE run = ? ORDER BY kernel",
				       "i", run);
	struct buffer list = { 0 };
	int step;

	if (!q)
		return e->code;
	while ((step = store_step(x->from, q, e)) == 1) {
		struct store_row row = { .q = q };
		struct closure_kernel k = {
			.index = row_u32(&row, 0),
			.label = arena_strdup(&x->a, row_text(&row, 1)),
			.calib = row_u32(&row, 2) != 0,
		};

		if (row.bad) {
			step = store_bad_row(x->from, &row, "kernel", e);
			break;
		}
		buffer_add(&list, &k, sizeof(k));
	}
	(void)sqlite3_finalize(q);
	ret->a = &x->a;
	ret->n = list.n / sizeof(*ret->list);
	ret->list = arena_copy(&x->a, list.bytes, list.n);
	buffer_free(&list);
	return step;
}

static int compare_index(const void *a, const void *b)
{
	const struct closure_kernel *x = a, *y = b;

	return (x->index > y->index) - (x->index < y->index);
}

/* Read from the claims the sums of latency cycles and the kernel of the issue
 * width.  Cycles with the verdict "mixture" have no exact sum and are left
 * out. */
static int read_claims(struct subset *x, int64_t run, const struct closure *c,
		       struct err *e)
{
	sqlite3_stmt *q = store_cursor(
		x->from, e,
		"SELECT kernel, high_cycles, kind = 'issue-width' FROM claim "
		"WHERE run = ? AND high_cycles > 0 AND (kind = 'issue-width' "
		"OR (kind = 'latency' AND verdict <> 'mixture' "
		"AND instr(form, '@') > 0 AND instr(form, '+') > 0))",
		"i", run);
	int step;

	if (!q)
		return e->code;
	while ((step = store_step(x->from, q, e)) == 1) {
		struct store_row row = { .q = q };
		struct closure_kernel key = { .index = row_u32(&row, 0) };
		struct closure_kernel *k =
			c->n > 0 ? bsearch(&key, c->list, c->n, sizeof(key),
					   compare_index)
				 : NULL;

		if (!k)
			continue;
		k->widest |= row_u32(&row, 2) != 0;
		if (!k->widest)
			k->cycles = sqlite3_column_double(q, 1);
	}
	(void)sqlite3_finalize(q);
	return step;
}

/* ---- copying ------------------------------------------------------------- */

static int pick_kernels(struct subset *x, int64_t run, const struct closure *c,
			struct err *e)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->list[i].role != CLOSURE_NONE &&
		    store_write(x->to, e, "choice",
				"INSERT INTO temp.pick VALUES (?, ?)", "ii",
				run, (int64_t)c->list[i].index) != ERR_OK)
			return e->code;
	return ERR_OK;
}

static int take_run(struct subset *x, int64_t run, struct err *e)
{
	struct closure c;
	struct run r;
	struct core_id core;

	if (store_run_get(x->from, &x->a, run, &r, e) != ERR_OK ||
	    store_run_core(x->from, &x->a, run, &core, e) != ERR_OK)
		return e->code;
	x->board = r.board;
	x->core = core.core;
	x->found.n = 0;
	if (read_labels(x, run, &c, e) != ERR_OK ||
	    read_claims(x, run, &c, e) != ERR_OK)
		return e->code;
	if (closure_choose(&c, wants_new, note_form, x) == 0 || !is_new(x))
		return ERR_OK;
	add_known(x);
	closure_complete(&c);
	return pick_kernels(x, run, &c, e);
}

/* Newest runs first, as in the view `latest`.  Runs of a port search are left
 * out: their mixes are only usable all together. */
static int take_runs(struct subset *x, struct err *e)
{
	sqlite3_stmt *q =
		store_cursor(x->from, e,
			     "SELECT id FROM run WHERE what <> 'ports' "
			     "ORDER BY finished DESC, id DESC",
			     "");
	int step;

	if (!q)
		return e->code;
	while ((step = store_step(x->from, q, e)) == 1) {
		step = take_run(x, sqlite3_column_int64(q, 0), e);
		if (step != ERR_OK)
			break;
	}
	(void)sqlite3_finalize(q);
	return step;
}

/* Copy referenced rows before those that refer to them. */
static int copy_rows(struct subset *x, struct err *e)
{
	static const char *const rows[] = {
		"INSERT INTO main.run SELECT * FROM source.run WHERE id IN "
		"(SELECT run FROM pick)",
		"INSERT INTO main.env SELECT * FROM source.env WHERE run IN "
		"(SELECT run FROM pick)",
		"INSERT INTO main.kernel SELECT k.* FROM pick JOIN "
		"source.kernel AS k USING (run, kernel) ORDER BY run, kernel",
		"INSERT INTO main.fault SELECT f.* FROM pick JOIN "
		"source.fault AS f USING (run, kernel) ORDER BY run, kernel",
	};
	static const char *const code[] = {
		"INSERT INTO main.image SELECT * FROM source.image WHERE id IN "
		"(SELECT image FROM source.code WHERE id IN "
		"(SELECT content FROM main.kernel))",
		"INSERT INTO main.code SELECT * FROM source.code WHERE id IN "
		"(SELECT content FROM main.kernel)",
	};
	int64_t visits = x->q->visits ? x->q->visits : UINT32_MAX;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (store_write(x->to, e, "copy", rows[i], "") != ERR_OK)
			return e->code;
	for (size_t i = 0; x->q->code && i < ARRAY_LEN(code); i++)
		if (store_write(x->to, e, "copy", code[i], "") != ERR_OK)
			return e->code;
	return store_write(x->to, e, "copy",
			   "INSERT INTO main.sample SELECT s.* FROM pick JOIN "
			   "source.sample AS s USING (run, kernel) "
			   "WHERE visit < ? ORDER BY run, kernel, visit",
			   "i", visits);
}

static int copy_run(struct subset *x, struct err *e)
{
	if (store_write(x->to, e, "choice",
			"CREATE TEMP TABLE pick (run INTEGER, kernel INTEGER, "
			"PRIMARY KEY (run, kernel)) WITHOUT ROWID",
			"") != ERR_OK ||
	    store_write(x->to, e, "opening", "ATTACH ? AS source", "t",
			x->from->path) != ERR_OK ||
	    store_write(x->to, e, "begin", "BEGIN", "") != ERR_OK ||
	    take_runs(x, e) != ERR_OK || copy_rows(x, e) != ERR_OK)
		return e->code;
	return store_commit(x->to, e);
}

/* ---- the result ---------------------------------------------------------- */

static int count_rows(struct subset *x, struct err *e)
{
	sqlite3_stmt *q =
		store_cursor(x->to, e,
			     "SELECT (SELECT count(*) FROM main.run), "
			     "(SELECT count(*) FROM main.kernel), "
			     "(SELECT count(*) FROM main.sample), "
			     "(SELECT count(*) FROM main.fault), "
			     "(SELECT count(*) FROM source.claim "
			     "WHERE run IN (SELECT id FROM main.run))",
			     "");
	const char *const *known = (const void *)x->known.bytes;
	size_t n = x->known.n / sizeof(*known);
	struct store_subset_counts *c = x->counts;

	if (!q)
		return e->code;
	if (store_step(x->to, q, e) == 1)
		*c = (struct store_subset_counts){
			.n_runs = (size_t)sqlite3_column_int64(q, 0),
			.n_kernels = (size_t)sqlite3_column_int64(q, 1),
			.n_samples = (size_t)sqlite3_column_int64(q, 2),
			.n_faults = (size_t)sqlite3_column_int64(q, 3),
			.n_claims = (size_t)sqlite3_column_int64(q, 4),
		};
	(void)sqlite3_finalize(q);
	for (size_t i = 0; i < n; i++) {
		size_t length = strcspn(known[i], " ") + 1;

		c->n_forms +=
			i == 0 || strncmp(known[i - 1], known[i], length) != 0;
	}
	return e->code;
}

static int serialize(struct subset *x, struct buffer *ret, struct err *e)
{
	sqlite3_int64 n = 0;
	unsigned char *bytes = sqlite3_serialize(x->to->db, "main", &n, 0);

	if (!bytes)
		return store_fail(x->to, "copy", e);
	buffer_add(ret, bytes, (size_t)n);
	sqlite3_free(bytes);
	return ERR_OK;
}

int store_subset(struct store *s, const struct store_subset *q,
		 struct buffer *ret, struct store_subset_counts *ret_counts,
		 struct err *e)
{
	struct subset x = { .from = s, .q = q, .counts = ret_counts };

	if (store_open(":memory:", true, &x.to, e) == ERR_OK &&
	    copy_run(&x, e) == ERR_OK && count_rows(&x, e) == ERR_OK)
		(void)serialize(&x, ret, e);
	store_close(x.to);
	buffer_free(&x.known);
	buffer_free(&x.found);
	arena_free(&x.a);
	return e->code;
}
