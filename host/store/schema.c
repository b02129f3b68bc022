/* See schema.h.
 *
 * What a table has to be is taken from an empty database in memory that the
 * migrations made. */
#include "host/store/schema.h"

#include <ctype.h>
#include <string.h>

#include "host/base/file.h"

const char *const schema_migrations[SCHEMA_VERSION] = {
	store_schema,
	/* 0: results are not read. */
	"ALTER TABLE kernel ADD COLUMN chains INTEGER NOT NULL DEFAULT 0;",
	/* kernel.instructions: retired per body, 0 if unknown. sample.retired:
	 * encoded as "values", NULL if the core has no counter. */
	"ALTER TABLE kernel ADD COLUMN instructions INTEGER NOT NULL "
	"DEFAULT 0;"
	"ALTER TABLE sample ADD COLUMN retired BLOB;",
	/* The view chooses the newest run for each kind of each form. */
	"DROP VIEW latest;"
	"CREATE VIEW latest AS SELECT * FROM ("
	"SELECT run.board, run.isa, claim.form, claim.kind, claim.source,"
	" claim.destination, claim.low_cycles, claim.high_cycles,"
	" claim.residual, claim.visits, claim.verdict, claim.label,"
	" claim.kernel, claim.solver_version, claim.detail, claim.run,"
	" rank() OVER (PARTITION BY run.board, run.isa, claim.form,"
	" claim.kind ORDER BY run.finished DESC, run.id DESC) AS age"
	" FROM claim JOIN run ON run.id = claim.run) WHERE age = 1;",
	/* kernel.class: '' if unknown. sample.core: number of the core in a
	 * parallel session.  Since this version sample.row may be 10. */
	"ALTER TABLE kernel ADD COLUMN class TEXT NOT NULL DEFAULT '';"
	"ALTER TABLE sample ADD COLUMN core INTEGER NOT NULL DEFAULT 0;",
	/* The cores of the runs; the newest run of each core is chosen. */
	"CREATE VIEW identity AS SELECT run, board, isa,"
	" isa || '/' || coalesce(vendor, mvendorid, '-') || '/' ||"
	" coalesce(family || '.' || model || '.' || stepping, midr,"
	" marchid || '.' || mimpid, '-') || '/' || ifnull(cpu, '-') || '/' ||"
	" ifnull(core_type, '-') || '/' || ifnull(microcode, '-') AS core,"
	" coalesce(serial, machine_id, '-') AS machine FROM ("
	"SELECT run.id AS run, board, isa,"
	" max(value) FILTER (WHERE key = 'vendor') AS vendor,"
	" max(value) FILTER (WHERE key = 'mvendorid') AS mvendorid,"
	" max(value) FILTER (WHERE key = 'family') AS family,"
	" max(value) FILTER (WHERE key = 'model') AS model,"
	" max(value) FILTER (WHERE key = 'stepping') AS stepping,"
	" max(value) FILTER (WHERE key = 'midr') AS midr,"
	" max(value) FILTER (WHERE key = 'marchid') AS marchid,"
	" max(value) FILTER (WHERE key = 'mimpid') AS mimpid,"
	" max(value) FILTER (WHERE key = 'cpu') AS cpu,"
	" max(value) FILTER (WHERE key = 'core_type') AS core_type,"
	" max(value) FILTER (WHERE key = 'microcode') AS microcode,"
	" max(value) FILTER (WHERE key = 'serial') AS serial,"
	" max(value) FILTER (WHERE key = 'machine_id') AS machine_id"
	" FROM run LEFT JOIN env ON env.run = run.id AND value <> ''"
	" GROUP BY run.id);"
	"DROP VIEW latest;"
	"CREATE VIEW latest AS WITH core AS MATERIALIZED"
	" (SELECT run, core FROM identity) SELECT * FROM ("
	"SELECT run.board, run.isa, core.core, claim.form, claim.kind,"
	" claim.source, claim.destination, claim.low_cycles,"
	" claim.high_cycles, claim.residual, claim.visits, claim.verdict,"
	" claim.label, claim.kernel, claim.solver_version, claim.detail,"
	" claim.run, rank() OVER (PARTITION BY run.board, run.isa, core.core,"
	" claim.form, claim.kind ORDER BY run.finished DESC, run.id DESC)"
	" AS age FROM claim JOIN run ON run.id = claim.run"
	" JOIN core ON core.run = claim.run) WHERE age = 1;"
	"DROP VIEW latest_latency;"
	"CREATE VIEW latest_latency AS SELECT board, isa, core, form, source,"
	" destination, low_cycles, high_cycles, verdict, visits, residual, run"
	" FROM latest WHERE kind = 'latency'"
	" ORDER BY board, isa, core, form, source, destination;"
	"DROP VIEW latest_throughput;"
	"CREATE VIEW latest_throughput AS SELECT board, isa, core, form,"
	" low_cycles, high_cycles, verdict, visits, residual, run"
	" FROM latest WHERE kind = 'throughput'"
	" ORDER BY board, isa, core, form;",
	/* kernel.place: its number in the undivided set; NULL: its own. */
	"ALTER TABLE kernel ADD COLUMN place INTEGER;",
	/* What forms are, and one row for each core and form. */
	"CREATE TABLE form (isa TEXT NOT NULL, form TEXT NOT NULL,"
	" mnemonic TEXT NOT NULL, assembly TEXT NOT NULL,"
	" operands TEXT NOT NULL, PRIMARY KEY (isa, form))"
	" STRICT, WITHOUT ROWID;"
	"CREATE VIEW instruction AS SELECT board, isa, core, form,"
	" max(form.mnemonic) AS mnemonic, max(form.assembly) AS assembly,"
	" max(form.operands) AS operands,"
	" min(low_cycles) FILTER (WHERE kind = 'latency') AS latency_low,"
	" max(high_cycles) FILTER (WHERE kind = 'latency') AS latency_high,"
	" max(low_cycles) FILTER (WHERE kind = 'throughput')"
	" AS throughput_low,"
	" max(high_cycles) FILTER (WHERE kind = 'throughput')"
	" AS throughput_high,"
	" max(verdict) FILTER (WHERE kind = 'throughput')"
	" AS throughput_verdict,"
	" max(high_cycles) FILTER (WHERE kind = 'uops') AS uops,"
	" group_concat(printf('%g*%s', high_cycles, source), ' + ')"
	" FILTER (WHERE kind = 'ports' AND source <> '') AS ports"
	" FROM latest LEFT JOIN form USING (isa, form)"
	" WHERE form <> '' AND instr(form, '+') = 0"
	" AND kind IN ('latency', 'throughput', 'uops', 'ports')"
	" GROUP BY board, isa, core, form;",
};

/* Two statements are the same but for comments and white space. */
static const char *pass_space(const char *at)
{
	for (;;) {
		if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
			at++;
		else if (at[0] == '-' && at[1] == '-')
			at += strcspn(at, "\n");
		else
			return at;
	}
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool same_statement(const char *a, const char *b)
{
	char last = '\0';

	for (;;) {
		const char *x = pass_space(a), *y = pass_space(b);

		/* "a b" is not "ab". */
		if (*x != *y ||
		    ((x == a) != (y == b) && is_word(last) && is_word(*x)))
			return false;
		if (*x == '\0')
			return true;
		last = *x;
		a = x + 1;
		b = y + 1;
	}
}

static int check_table(struct store *s, const char *name, const char *sql,
		       struct err *e)
{
	struct rows r =
		store_rows(s, e, "sqlite_schema",
			   "SELECT type, sql FROM main.sqlite_schema "
			   "WHERE type <> 'index' AND type <> 'trigger' "
			   "AND name = ? COLLATE NOCASE",
			   "t", name);
	int n = 0;

	while (rows_next(&r)) {
		const char *type = row_text(&r, 0), *has = row_text(&r, 1);

		if (++n == 1 && strcmp(type, "table") == 0 &&
		    same_statement(has, sql))
			continue;
		r.status = err_set(
			e, ERR_INPUT,
			"%s: %s is not the table of this program: '%.100s'",
			s->path, name, has);
	}
	if (n == 0 && r.status == ERR_OK)
		r.status = err_set(e, ERR_INPUT, "%s: the table %s is missing",
				   s->path, name);
	return rows_end(&r);
}

static void release_reference(void *object)
{
	sqlite3_stmt *q;

	while ((q = sqlite3_next_stmt(object, NULL)) != NULL)
		(void)sqlite3_finalize(q);
	(void)sqlite3_close(object);
}

/* Call `each` for each object of this type in an empty database of a
 * version. */
static int walk_reference(struct store *s, int64_t version, const char *type,
			  int (*each)(struct store *s, const char *name,
				      const char *sql, struct err *e),
			  struct err *e)
{
	struct store reference = { .path = s->path };
	int status = sqlite3_open(":memory:", &reference.db);
	struct rows r;
	struct hold h;

	guard_hold(&h, release_reference, reference.db);
	for (int64_t v = 0; status == SQLITE_OK && v < version; v++)
		status = sqlite3_exec(reference.db, schema_migrations[v], NULL,
				      NULL, NULL);
	if (status != SQLITE_OK) {
		(void)store_fail(&reference, "opening", e);
	} else {
		r = store_rows(&reference, e, "sqlite_schema",
			       "SELECT name, sql FROM sqlite_schema "
			       "WHERE type = ? AND sql IS NOT NULL",
			       "t", type);
		while (rows_next(&r))
			r.status = each(s, row_text(&r, 0), row_text(&r, 1), e);
		(void)rows_end(&r);
	}
	guard_drop(&h);
	(void)sqlite3_close(reference.db);
	return e->code;
}

int schema_check(struct store *s, int64_t version, struct err *e)
{
	return walk_reference(s, version, "table", check_table, e);
}

static int make_view(struct store *s, const char *name, const char *sql,
		     struct err *e)
{
	static const char create[] = "CREATE VIEW ";
	struct buffer b = { 0 };

	(void)name;
	buffer_printf(&b, "CREATE TEMP VIEW %s", sql + strlen(create));
	if (sqlite3_exec(s->db, buffer_text(&b), NULL, NULL, NULL) != SQLITE_OK)
		(void)store_fail(s, "views", e);
	buffer_free(&b);
	return e->code;
}

int schema_views(struct store *s, int64_t version, struct err *e)
{
	return walk_reference(s, version, "view", make_view, e);
}
