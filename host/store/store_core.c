/* The cores of a database, and the choice of one; see store_core.h.
 *
 * The chosen runs are in a temporary table of the connection, which the queries
 * of the newest claims use. */
#include "host/store/store_core.h"

#include <string.h>

#include "host/base/file.h"
#include "host/store/store_db.h"

enum { SHOWN = 6 }; /* cores that a message lists */

int store_run_core(struct store *s, struct arena *a, int64_t run,
		   struct core_id *ret, struct err *e)
{
	struct rows r = store_row(
		s, e, "identity",
		"SELECT core, machine FROM identity WHERE run = ?", "i", run);

	if (rows_next(&r))
		*ret = (struct core_id){
			.core = arena_strdup(a, row_text(&r, 0)),
			.machine = arena_strdup(a, row_text(&r, 1)),
		};
	else if (r.status == ERR_OK)
		r.status = store_bad_data(s, "identity", e);
	return rows_end(&r);
}

bool core_agrees(const char *a, const char *b)
{
	for (;;) {
		size_t n = strcspn(a, "/"), m = strcspn(b, "/");
		bool unknown = (n == 1 && *a == '-') || (m == 1 && *b == '-');

		if (!unknown && (n != m || memcmp(a, b, n) != 0))
			return false;
		a += n;
		b += m;
		if (*a == '\0' || *b == '\0')
			return *a == *b;
		a++;
		b++;
	}
}

/* ---- the choice ---------------------------------------------------------- */

/* Runs with claims, which alone are read.  ?1 board, ?2 ISA, ?3 prefix of the
 * identity, ?4 core; NULL: any. */
#define WITH_CLAIMS \
	"EXISTS (SELECT 1 FROM claim WHERE claim.run = identity.run) "
#define WANTED                                                     \
	"(?1 IS NULL OR board = ?1) AND (?2 IS NULL OR isa = ?2) " \
	"AND (?3 IS NULL OR substr(core || '/' || machine, 1, "    \
	"length(?3)) = ?3) AND (?4 IS NULL OR core = ?4) "
#define CORES "SELECT core, count(*) FROM identity WHERE " WITH_CLAIMS

/* Append a line for each core that a query finds. *ret_n: how many. */
static int list_cores(struct rows r, struct buffer *b, size_t *ret_n)
{
	size_t n = 0;

	while (rows_next(&r))
		if (n++ < SHOWN)
			buffer_printf(b, "\n  %s  (%lld %s)", row_text(&r, 0),
				      (long long)row_u64(&r, 1),
				      row_u64(&r, 1) == 1 ? "run" : "runs");
	if (n > SHOWN)
		buffer_printf(b, "\n  and %zu more", n - SHOWN);
	*ret_n = n;
	return rows_end(&r);
}

static int fill_chosen(struct store *s, const struct core_query *q,
		       const char *core, struct err *e)
{
	if (sqlite3_exec(s->db,
			 "CREATE TEMP TABLE IF NOT EXISTS chosen "
			 "(run INTEGER PRIMARY KEY); DELETE FROM temp.chosen",
			 NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(s, "choice of the core", e);
	return store_write(s, e, "choice of the core",
			   "INSERT INTO temp.chosen SELECT run FROM identity "
			   "WHERE " WANTED,
			   "tttt", q->board, q->isa, q->core_of, core);
}

/* Append the cores that match. */
static int find_cores(struct store *s, const struct core_query *q,
		      const char *core, struct buffer *b, size_t *ret_n,
		      struct err *e)
{
	return list_cores(
		store_rows(s, e, "identity",
			   CORES "AND " WANTED "GROUP BY core ORDER BY core",
			   "tttt", q->board, q->isa, q->core_of, core),
		b, ret_n);
}

static int complain(struct store *s, const struct core_query *q,
		    struct buffer *found, size_t n, struct err *e)
{
	const char *option = q->option ? q->option : "--core-of";
	struct buffer all = { 0 };
	size_t n_all;

	if (n > 1)
		return err_set(e, ERR_INPUT,
			       "%s has values of %zu cores; choose one with %s "
			       "PREFIX:%s",
			       s->path, n, option, buffer_text(found));
	if (list_cores(store_rows(s, e, "identity",
				  CORES "GROUP BY core ORDER BY core", ""),
		       &all, &n_all) == ERR_OK)
		(void)err_set(e, ERR_INPUT,
			      "%s has no values of a core '%s' (%s)%s%s",
			      s->path, q->core_of, option,
			      n_all > 0 ? "; its cores:" : "",
			      buffer_text(&all));
	buffer_free(&all);
	return e->code;
}

int store_choose_core(struct store *s, const struct core_query *q,
		      struct err *e)
{
	struct buffer found = { 0 };
	const char *core = q->if_there;
	size_t n = 0;

	s->chosen = true;

	if (core && find_cores(s, q, core, &found, &n, e) != ERR_OK)
		goto out;
	if (n == 0) {
		core = NULL;
		found.n = 0;
		if (find_cores(s, q, core, &found, &n, e) != ERR_OK)
			goto out;
	}
	if (n > 1 || (n == 0 && q->core_of))
		(void)complain(s, q, &found, n, e);
	else
		(void)fill_chosen(s, q, core, e);
out:
	buffer_free(&found);
	return e->code;
}

int store_need_core(struct store *s, struct err *e)
{
	const struct core_query any = { .board = NULL };

	if (s->chosen)
		return ERR_OK;
	/* Again at each call: runs may be new since the last. */
	(void)store_choose_core(s, &any, e);
	s->chosen = false;
	return e->code;
}

int store_chosen_runs(struct store *s, struct arena *a, int64_t **ret_ids,
		      size_t *ret_n, struct err *e)
{
	if (store_need_core(s, e) != ERR_OK)
		return e->code;
	return store_run_ids(s, a,
			     "SELECT id FROM run WHERE id IN "
			     "(SELECT run FROM temp.chosen) ORDER BY id",
			     ret_ids, ret_n, e);
}

int store_chosen_core(struct store *s, struct arena *a, const char **ret,
		      struct err *e)
{
	struct rows r = store_rows(
		s, e, "identity",
		"SELECT core FROM temp.chosen JOIN identity USING (run)", "");

	*ret = rows_next(&r) ? arena_strdup(a, row_text(&r, 0)) : "";
	return rows_end(&r);
}

int store_other_cores(struct store *s, int64_t run, struct buffer *ret,
		      struct err *e)
{
	size_t n;

	return list_cores(
		store_rows(s, e, "identity",
			   CORES "AND core <> (SELECT core FROM identity "
				 "WHERE run = ?) GROUP BY core ORDER BY core",
			   "i", run),
		ret, &n);
}
