/* Copies a part of a store into a new one; see store_subset.h.
 *
 * The copy is small, so it is built in memory and returned as bytes.  Both
 * databases have the same schema version, so rows are copied with all
 * columns.  Which kernels a claim depends on is found by the names in labels
 * and the sums of latency cycles; that needs no catalogue. */
#include "host/store/store_subset.h"

#include <string.h>

#include "host/base/file.h"
#include "host/experiment/label.h"
#include "host/store/store_core.h"
#include "host/store/store_db.h"
#include "host/store/store_run.h"

struct subset {
	struct arena a;
	struct store *from, *to;
	const struct store_subset *q;
	struct store_subset_counts *counts;
	struct buffer steps; /* struct label_step, of the current label */
};

/* ---- labels -------------------------------------------------------------- */

/* The steps of a label, as struct label_step; what is no step is left out. */
static void read_steps(struct arena *a, const char *label, struct buffer *ret)
{
	const char *colon = strchr(label, ':');
	char *at = colon ? arena_strdup(a, colon + 1) : NULL, *next;
	struct label_step s;

	for (ret->n = 0; at; at = next) {
		next = strchr(at, '+');
		if (next)
			*next++ = '\0';
		if (label_read_step(at, &s))
			buffer_add(ret, &s, sizeof(s));
	}
}

/* Is it a latency cycle (a chain through several forms with named operands), or
 * the control of one? */
static bool is_cycle(const char *kind, const struct label_step *list, size_t n,
		     size_t n_measured)
{
	if (n_measured < 2 ||
	    (strcmp(kind, "latency") != 0 && strcmp(kind, "control") != 0))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!list[i].helper && !list[i].source)
			return false;
	return true;
}

/* List the steps of a label, those of a latency cycle with their operands. */
static int list_label(struct subset *x, int64_t kernel, const char *label,
		      bool calib, struct err *e)
{
	const char *colon = strchr(label, ':');
	char *kind = arena_printf(&x->a, "%.*s",
				  colon ? (int)(colon - label) : 0, label);
	bool mix = strcmp(kind, "mix") == 0, cycle;
	const struct label_step *list;
	size_t n, n_measured = 0;

	read_steps(&x->a, label, &x->steps);
	list = (const void *)x->steps.bytes;
	n = x->steps.n / sizeof(*list);
	for (size_t i = 0; i < n; i++)
		n_measured += !list[i].helper;
	cycle = is_cycle(kind, list, n, n_measured);
	for (size_t i = 0; i < n; i++) {
		const struct label_step *s = &list[i];
		const char *bare = NULL, *ends = NULL;

		if (mix && strchr(s->form, '/'))
			bare = arena_printf(&x->a, "%.*s",
					    (int)strcspn(s->form, "/"),
					    s->form);
		if (cycle && !s->helper)
			ends = arena_printf(&x->a, "%s@%s>%s", s->form,
					    s->source, s->destination);
		if (store_write(
			    x->to, e, "label",
			    "INSERT INTO temp.part VALUES (?, ?, ?, ?, ?, ?)",
			    "iitttu", kernel, (int64_t)i, s->form, bare, ends,
			    (uint32_t)s->helper) != ERR_OK)
			return e->code;
	}
	return store_write(x->to, e, "label",
			   "INSERT INTO temp.label VALUES (?, ?, ?, ?, ?, 0)",
			   "itiii", kernel, kind, (int64_t)calib,
			   (int64_t)(n_measured == 1), (int64_t)cycle);
}

static int list_labels(struct subset *x, int64_t run, struct err *e)
{
	static const char *const clear[] = {
		"DELETE FROM temp.part",
		"DELETE FROM temp.label",
		"DELETE FROM temp.chosen",
		"DELETE FROM temp.needed",
		NULL,
	};
	struct rows r;

	if (store_write_all(x->to, e, "label", clear, "") != ERR_OK)
		return e->code;
	r = store_rows(x->from, e, "kernel",
		       "SELECT kernel, label, calib FROM kernel WHERE run = ? "
		       "ORDER BY kernel",
		       "i", run);
	while (rows_next(&r)) {
		uint32_t kernel = row_u32(&r, 0);
		const char *label = row_text(&r, 1);
		bool calib = row_u32(&r, 2) != 0;

		if (rows_good(&r))
			r.status = list_label(x, kernel, label, calib, e);
	}
	return rows_end(&r);
}

/* ---- which kernels ------------------------------------------------------- */

/* SQL: wanted(form) */
static void call_wanted(sqlite3_context *c, int n, sqlite3_value **values)
{
	const struct subset *x = sqlite3_user_data(c);
	const char *form = (const char *)sqlite3_value_text(values[0]);

	(void)n;
	sqlite3_result_int(c, form && x->q->wants(x->q->context, form));
}

static int prepare(struct subset *x, struct err *e)
{
	static const char tables[] =
		/* What is copied. */
		"CREATE TEMP TABLE pick (run INTEGER, kernel INTEGER, "
		"PRIMARY KEY (run, kernel)) WITHOUT ROWID;"
		/* What was measured in newer runs. */
		"CREATE TEMP TABLE known (form TEXT, kind TEXT, board TEXT, "
		"core TEXT, PRIMARY KEY (form, kind, board, core)) "
		"WITHOUT ROWID;"
		/* Of the current run.  alone: it measures one form. */
		"CREATE TEMP TABLE label (kernel INTEGER PRIMARY KEY, "
		"kind TEXT, calib INTEGER, alone INTEGER, cycle INTEGER, "
		"common INTEGER);"
		/* bare: the form of a mix without its variant; ends: of a
		 * latency cycle, with operands. */
		"CREATE TEMP TABLE part (kernel INTEGER, place INTEGER, "
		"form TEXT, bare TEXT, ends TEXT, helper INTEGER);"
		"CREATE INDEX temp.part_kernel ON part (kernel);"
		/* The kernels that measure a wanted form. */
		"CREATE TEMP TABLE chosen (kernel INTEGER, kind TEXT, "
		"form TEXT);"
		/* The kernels that a claim with the name in its label needs. */
		"CREATE TEMP TABLE needed (name TEXT, kernel INTEGER);"
		"CREATE INDEX temp.needed_name ON needed (name);";

	if (sqlite3_create_function(x->to->db, "wanted", 1, SQLITE_UTF8, x,
				    call_wanted, NULL, NULL) != SQLITE_OK ||
	    sqlite3_exec(x->to->db, tables, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(x->to, "choice", e);
	return ERR_OK;
}

/* Choose the kernels that measure a wanted form. */
static int choose(struct subset *x, int64_t run, struct err *e)
{
	static const char *const steps[] = {
		/* Every claim needs calibration, the mixes before the first
		 * throughput kernel, and the kernel of the issue width. */
		"UPDATE temp.label SET common = calib OR kind IN ('calibrate', "
		"'probe', 'wake') OR (kind = 'mix' AND kernel < ifnull((SELECT "
		"min(kernel) FROM temp.label WHERE kind = 'throughput'), "
		"kernel + 1)) OR kernel IN (SELECT kernel FROM source.claim "
		"WHERE run = ?1 AND kind = 'issue-width' AND high_cycles > 0)",
		/* A latency cycle measures its first form only, as its claim
		 * does.  A mix of "MOV64rm/index" counts issue slots of
		 * MOV64rm. */
		"INSERT INTO temp.chosen SELECT kernel, kind, CASE "
		"WHEN wanted(form) THEN form WHEN wanted(bare) THEN bare END "
		"AS name FROM temp.part JOIN temp.label USING (kernel) "
		"WHERE NOT common AND NOT helper AND (NOT cycle OR place = 0) "
		"AND name IS NOT NULL AND ?1 = ?1",
		NULL,
	};

	return store_write_all(x->to, e, "choice", steps, "i", run);
}

/* Keep the chosen kernels and those that the solver needs to judge them:
 *	for each form in a kept label, helpers included, the kernels of that
 *	form alone;
 *	for each part of a kept latency cycle, the cycles that begin with it,
 *	and the cheapest cycle that contains it, which is its upper bound;
 *	one chain if the run has any, because the solver judges throughputs
 *	differently in a run without chains.
 * Cycles with the verdict mixture have no exact sum. */
static int complete(struct subset *x, int64_t run, struct err *e)
{
	static const char *const steps[] = {
		"INSERT INTO temp.needed SELECT form, kernel FROM temp.part "
		"JOIN temp.label USING (kernel) WHERE alone AND NOT helper "
		"AND NOT common AND ?1 = ?1",
		"INSERT INTO temp.needed SELECT ends, kernel FROM temp.part "
		"JOIN temp.label USING (kernel) WHERE ends IS NOT NULL "
		"AND place = 0 AND NOT common AND ?1 = ?1",
		"INSERT INTO temp.needed SELECT ends, kernel FROM (SELECT "
		"ends, kernel, row_number() OVER (PARTITION BY ends ORDER BY "
		"cycles, kernel) AS n FROM temp.part JOIN (SELECT kernel, "
		"max(high_cycles) AS cycles FROM source.claim WHERE run = ?1 "
		"AND kind = 'latency' AND verdict <> 'mixture' AND high_cycles "
		"> 0 AND instr(form, '@') AND instr(form, '+') GROUP BY kernel) "
		"USING (kernel) WHERE ends IS NOT NULL) "
		"JOIN temp.label USING (kernel) WHERE n = 1 AND NOT common",
		"INSERT INTO temp.pick WITH RECURSIVE kept(kernel) AS (SELECT "
		"kernel FROM temp.chosen UNION SELECT needed.kernel FROM kept "
		"JOIN temp.part AS p USING (kernel) JOIN temp.needed ON "
		"needed.name IN (p.form, p.bare, p.ends)) "
		"SELECT ?1, kernel FROM kept UNION SELECT ?1, kernel "
		"FROM temp.label WHERE common",
		"INSERT INTO temp.pick SELECT ?1, min(kernel) FROM temp.label "
		"WHERE kind = 'latency' AND NOT calib AND NOT EXISTS (SELECT 1 "
		"FROM temp.pick JOIN temp.label USING (kernel) WHERE run = ?1 "
		"AND kind = 'latency' AND NOT calib) "
		"HAVING min(kernel) IS NOT NULL",
		NULL,
	};

	return store_write_all(x->to, e, "choice", steps, "i", run);
}

/* Of a form and kind that a newer run has, nothing is taken: as in the view
 * `latest`. */
static int take_run(struct subset *x, int64_t run, struct err *e)
{
	struct core_id core;
	struct run r;
	int64_t n_new;

	if (store_run_get(x->from, &x->a, run, &r, e) != ERR_OK ||
	    store_run_core(x->from, &x->a, run, &core, e) != ERR_OK ||
	    list_labels(x, run, e) != ERR_OK || choose(x, run, e) != ERR_OK ||
	    store_write(x->to, e, "choice",
			"INSERT OR IGNORE INTO temp.known SELECT form, kind, "
			"?, ? FROM temp.chosen",
			"tt", r.board, core.core) != ERR_OK ||
	    store_number(x->to, e, &n_new, "SELECT changes()", "") != ERR_OK)
		return e->code;
	return n_new > 0 ? complete(x, run, e) : ERR_OK;
}

/* Newest runs first.  Runs of a port search are left out: their mixes are only
 * usable all together. */
static int take_runs(struct subset *x, struct err *e)
{
	struct rows r = store_rows(x->from, e, "run",
				   "SELECT id FROM run WHERE what <> 'ports' "
				   "ORDER BY finished DESC, id DESC",
				   "");

	while (rows_next(&r))
		r.status = take_run(x, (int64_t)row_u64(&r, 0), e);
	return rows_end(&r);
}

/* ---- copying ------------------------------------------------------------- */

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
		NULL,
	};
	static const char *const code[] = {
		"INSERT INTO main.image SELECT * FROM source.image WHERE id IN "
		"(SELECT image FROM source.code WHERE id IN "
		"(SELECT content FROM main.kernel))",
		"INSERT INTO main.code SELECT * FROM source.code WHERE id IN "
		"(SELECT content FROM main.kernel)",
		NULL,
	};
	if (store_write_all(x->to, e, "copy", rows, "") != ERR_OK ||
	    (x->q->code &&
	     store_write_all(x->to, e, "copy", code, "") != ERR_OK))
		return e->code;
	return store_write(x->to, e, "copy",
			   "INSERT INTO main.sample SELECT s.* FROM pick JOIN "
			   "source.sample AS s USING (run, kernel) "
			   "WHERE visit < ? ORDER BY run, kernel, visit",
			   "i",
			   (int64_t)(x->q->visits ? x->q->visits : UINT32_MAX));
}

/* An older file was migrated in a copy, which has no name. */
static int attach_source(struct subset *x, struct err *e)
{
	const char *path = x->from->is_copy ? "" : x->from->path;

	if (store_write(x->to, e, "opening", "ATTACH ? AS source", "t", path) !=
	    ERR_OK)
		return e->code;
	return x->from->is_copy ? store_backup(x->to, "source", x->from->db, e)
				: ERR_OK;
}

static int copy_run(struct subset *x, struct err *e)
{
	if (prepare(x, e) != ERR_OK || attach_source(x, e) != ERR_OK ||
	    store_write(x->to, e, "begin", "BEGIN", "") != ERR_OK ||
	    take_runs(x, e) != ERR_OK || copy_rows(x, e) != ERR_OK)
		return e->code;
	return store_commit(x->to, e);
}

/* ---- the result ---------------------------------------------------------- */

static int count_rows(struct subset *x, struct err *e)
{
	struct rows r =
		store_rows(x->to, e, "counts",
			   "SELECT (SELECT count(*) FROM main.run), "
			   "(SELECT count(DISTINCT form) FROM temp.known), "
			   "(SELECT count(*) FROM main.kernel), "
			   "(SELECT count(*) FROM main.sample), "
			   "(SELECT count(*) FROM main.fault), "
			   "(SELECT count(*) FROM source.claim "
			   "WHERE run IN (SELECT id FROM main.run))",
			   "");

	if (rows_next(&r))
		*x->counts = (struct store_subset_counts){
			.n_runs = row_u64(&r, 0),
			.n_forms = row_u64(&r, 1),
			.n_kernels = row_u64(&r, 2),
			.n_samples = row_u64(&r, 3),
			.n_faults = row_u64(&r, 4),
			.n_claims = row_u64(&r, 5),
		};
	return rows_end(&r);
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
	buffer_free(&x.steps);
	arena_free(&x.a);
	return e->code;
}
