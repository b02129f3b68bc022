/* Makes one run of several parts; see store_merging.h.
 *
 * A kernel has its number in the undivided set (kernel.place, else its own
 * number).  A core of a parallel session is what its facts say: parts that
 * report the same facts share its number.  Samples of one kernel and visit that
 * differ are all kept: the j-th, in the order of their content, is visit number
 * j * STRIDE + visit.  So the union of unions is the union of all parts. */
#include "host/store/store_merging.h"

#define STRIDE "65536"

static int prepare_tables(struct merge *m, struct err *e)
{
	static const char tables[] =
		"DROP TABLE IF EXISTS temp.fact;"
		"DROP TABLE IF EXISTS temp.core;"
		"DROP TABLE IF EXISTS temp.shard;"
		"DROP TABLE IF EXISTS temp.clash;"
		"DROP TABLE IF EXISTS temp.lines;"
		/* The environments of the parts.  `own`: of the part; else of
		 * one of its cores, as `name`.  A core that only has samples
		 * has a row without a name. */
		"CREATE TEMP TABLE fact (part INTEGER, own INTEGER, "
		"core INTEGER, key TEXT, name TEXT, value TEXT);"
		/* The cores of the parts, and their numbers in the union. */
		"CREATE TEMP TABLE core (part INTEGER, core INTEGER, "
		"number INTEGER, PRIMARY KEY (part, core)) WITHOUT ROWID;"
		"CREATE TEMP TABLE shard (word TEXT PRIMARY KEY) WITHOUT ROWID;"
		"CREATE TEMP TABLE lines (line BLOB);"
		"CREATE TEMP TABLE clash AS SELECT kernel, visit, "
		"core, " MERGE_SAMPLE " FROM main.sample WHERE 0;";

	if (sqlite3_exec(m->to->db, tables, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(m->to, "union", e);
	return ERR_OK;
}

/* ---- facts --------------------------------------------------------------- */

/* Keys that this program writes itself, as patterns; all others are facts of a
 * core. */
#define OWN_KEYS                                                        \
	"('console_bytes_dropped'), ('died_at'), ('id'), ('image_*'), " \
	"('log *'), ('option_*'), ('pack'), ('redo'), ('set'), "        \
	"('settled_after'), ('settled_after_base'), ('shard'), "        \
	"('shards'), ('silent_probe_*'), ('stopped_at')"

/* The row of the run: what is equal in all parts comes from the first.  A shard
 * alone is not the finished run. */
static int add_run(struct merge *m, const struct merge_part *p, int64_t run,
		   struct err *e)
{
	return store_write(
		m->to, e, "run",
		"INSERT INTO main.run SELECT ?1, board, isa, cpu, clock, what, "
		"forms, tool, date, ref_hz, kernel_cycles, finished AND NOT "
		"EXISTS (SELECT 1 FROM source.env WHERE run = ?2 AND value <> "
		"'' AND key IN ('shard', 'shards')) "
		"FROM source.run WHERE id = ?2 ON CONFLICT DO UPDATE SET "
		"date = min(date, excluded.date), "
		"tool = min(tool, excluded.tool), "
		"ref_hz = min(ref_hz, excluded.ref_hz), "
		"finished = max(finished, excluded.finished)",
		"ii", run, p->run);
}

/* "coreN_key" is a fact of core N, "key" of core 0.  A core may have samples
 * and no facts. */
static int read_facts(struct merge *m, size_t part, const struct merge_part *p,
		      struct err *e)
{
	static const char *const read[] = {
		"INSERT INTO temp.fact SELECT ?2, own, CASE WHEN of_core THEN "
		"CAST(substr(key, 5) AS INTEGER) ELSE 0 END, key, CASE WHEN "
		"of_core THEN substr(rest, 2) ELSE key END, value FROM "
		"(SELECT *, key GLOB 'core[0-9]*' AND rest GLOB '_*' AS of_core "
		"FROM (SELECT key, value, "
		"ltrim(substr(key, 5), '0123456789') AS rest, "
		"EXISTS (SELECT 1 FROM (VALUES " OWN_KEYS
		") WHERE key GLOB column1) AS own "
		"FROM source.env WHERE run = ?1))",
		"INSERT INTO temp.fact SELECT DISTINCT ?2, 0, core, '', NULL, "
		"NULL FROM source.sample WHERE run = ?1",
		NULL,
	};
	/* What no board can say: a fact is one line of text. */
	static const char damaged[] =
		"SELECT min(CASE WHEN name IS NULL THEN 'sample' ELSE 'env' END) "
		"FROM temp.fact WHERE part = ?1 AND NOT own AND (name IS NULL "
		"AND core NOT BETWEEN 0 AND 4294967295 "
		"OR instr(key, '=') OR instr(key, char(10)) "
		"OR instr(value, char(10)))";
	struct rows r;
	const char *table;

	if (store_write_all(m->to, e, "union", read, "ii", p->run,
			    (int64_t)part) != ERR_OK)
		return e->code;
	r = store_row(m->to, e, "env", damaged, "i", (int64_t)part);
	table = rows_next(&r) ? row_text(&r, 0) : "";
	if (*table)
		r.status = store_bad_data(m->to, table, e);
	return rows_end(&r);
}

/* The number of each core is the place of its facts among the different ones in
 * order.  Of what differs between parts the least text is kept.  The kernels
 * are those of the undivided set, and have its numbers. */
static int write_facts(struct merge *m, int64_t run, struct err *e)
{
	static const char *const write[] = {
		"INSERT INTO temp.core SELECT part, core, "
		"dense_rank() OVER (ORDER BY facts) - 1 FROM "
		"(SELECT DISTINCT part, core, ifnull(group_concat(name || '=' "
		"|| value || char(10), '') OVER (PARTITION BY part, core "
		"ORDER BY key ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED "
		"FOLLOWING), '') AS facts FROM temp.fact WHERE NOT own) "
		"WHERE ?1 = ?1",
		"INSERT OR REPLACE INTO main.env SELECT ?1, CASE number WHEN 0 "
		"THEN name ELSE 'core' || number || '_' || name END, value "
		"FROM temp.fact JOIN temp.core USING (part, core) "
		"WHERE name IS NOT NULL AND NOT own ORDER BY number, key",
		"INSERT INTO main.env SELECT ?1, key, min(value) FROM temp.fact "
		"WHERE own AND key <> 'shard' GROUP BY key ON CONFLICT DO "
		"UPDATE SET value = min(value, excluded.value)",
		"UPDATE main.env SET value = s.value FROM main.env AS s "
		"WHERE env.run = ?1 AND env.key = 'pack' AND s.run = ?1 AND "
		"s.key = 'set'",
		/* The shards of all parts, each once. */
		"INSERT OR IGNORE INTO temp.shard "
		"WITH RECURSIVE list(word, rest) AS (SELECT '', coalesce("
		"max(nullif(value, '')) FILTER (WHERE key = 'shards'), "
		"max(value) FILTER (WHERE key = 'shard')) || ',' "
		"FROM temp.fact WHERE key IN ('shard', 'shards') AND ?1 = ?1 "
		"GROUP BY part UNION ALL "
		"SELECT substr(rest, 1, instr(rest, ',') - 1), "
		"substr(rest, instr(rest, ',') + 1) FROM list WHERE rest <> '') "
		"SELECT word FROM list WHERE word <> ''",
		"INSERT OR REPLACE INTO main.env SELECT ?1, 'shards', "
		"group_concat(word, ',') FROM (SELECT word FROM temp.shard "
		"ORDER BY word) HAVING count(*) > 0",
		/* All shards of some number of shards. */
		"UPDATE main.run SET finished = 1 WHERE id = ?1 AND EXISTS "
		"(SELECT CAST(substr(word, instr(word, '/') + 1) AS INTEGER) "
		"AS n FROM temp.shard WHERE word GLOB '[0-9]*/[0-9]*' "
		"GROUP BY n HAVING count(*) = n)",
		NULL,
	};

	return store_write_all(m->to, e, "union", write, "i", run);
}

/* ---- rows ---------------------------------------------------------------- */

#define NUMBERED                                                      \
	"SELECT kernel AS own, ifnull(place, kernel) AS of_set FROM " \
	"source.kernel WHERE run = ?3"
#define SAME_SAMPLE                                                        \
	"s.iterations = m.iterations AND s.iterations_a = "                \
	"m.iterations_a AND s.iterations_b = m.iterations_b AND "          \
	"s.iterations_probe = m.iterations_probe AND s.n_rows = m.n_rows " \
	"AND s.row = m.row AND s.\"values\" = m.\"values\" AND "           \
	"s.retired IS m.retired AND c.number = m.core"

/* The kernels of a part that contradict those of another. */
static int check_kernels(struct merge *m, const struct merge_part *p,
			 int64_t run, struct err *e)
{
	struct rows r = store_row(
		m->to, e, "kernel",
		"SELECT s.label FROM source.kernel AS s JOIN main.kernel AS m "
		"ON m.run = ?2 AND m.kernel = ifnull(s.place, s.kernel) "
		"WHERE s.run = ?1 AND (s.content <> m.content OR "
		"s.label <> m.label)",
		"ii", p->run, run);

	if (rows_next(&r))
		r.status = err_set(
			e, ERR_INPUT,
			"%s: kernel %s of run %lld is another one in another "
			"part of the run",
			m->paths[p->source], row_text(&r, 0),
			(long long)p->run);
	return rows_end(&r);
}

/* Add the rows of a part.  Samples of a kernel and visit that has another one
 * wait in temp.clash. */
static int add_rows(struct merge *m, size_t part, const struct merge_part *p,
		    int64_t run, struct err *e)
{
#define OF_PART                                                          \
	"FROM source.sample AS s JOIN (" NUMBERED ") ON own = s.kernel " \
	"JOIN temp.core AS c ON c.part = ?2 AND c.core = s.core "
	static const char *const rows[] = {
		"INSERT OR IGNORE INTO main.kernel (run, kernel, " //
		MERGE_KERNEL ") SELECT ?1, ifnull(place, kernel), " MERGE_KERNEL
		" FROM source.kernel WHERE run = ?3 ORDER BY 2",
		"INSERT OR IGNORE INTO main.sample (run, kernel, visit, core, " //
		MERGE_SAMPLE ") SELECT ?1, of_set, visit, number, " MERGE_SAMPLE
		" " OF_PART "WHERE s.run = ?3 AND visit < " STRIDE
		" ORDER BY 2, 3",
		"INSERT INTO temp.clash SELECT of_set, s.visit % " STRIDE
		", number, s.iterations, s.iterations_a, s.iterations_b, "
		"s.iterations_probe, s.n_rows, s.row, s.\"values\", s.retired " OF_PART
		"LEFT JOIN main.sample AS m ON m.run = ?1 AND "
		"m.kernel = of_set AND m.visit = s.visit "
		"WHERE s.run = ?3 AND (m.visit IS NULL OR NOT (" SAME_SAMPLE
		"))",
		"INSERT INTO main.fault SELECT ?1, of_set, cause, code, pc, "
		"address FROM source.fault AS s JOIN (" NUMBERED
		") ON own = s.kernel WHERE s.run = ?3 ORDER BY 2 "
		"ON CONFLICT DO UPDATE SET cause = excluded.cause, "
		"code = excluded.code, pc = excluded.pc, "
		"address = excluded.address WHERE (excluded.cause, "
		"excluded.code, excluded.pc, excluded.address) < "
		"(cause, code, pc, address)",
		"INSERT INTO temp.lines SELECT line FROM source.text "
		"WHERE run = ?3",
		NULL,
	};
#undef OF_PART

	if (store_begin(m->to, e) != ERR_OK ||
	    check_kernels(m, p, run, e) != ERR_OK ||
	    merge_code(m, p, e) != ERR_OK ||
	    store_write_all(m->to, e, "union", rows, "iii", run, (int64_t)part,
			    p->run) != ERR_OK)
		return e->code;
	return store_commit(m->to, e);
}

/* Number the samples that clash, and write the lines of text. */
static int finish_rows(struct merge *m, int64_t run, struct err *e)
{
	static const char *const rows[] = {
		"INSERT INTO temp.clash SELECT kernel, visit, core, " //
		MERGE_SAMPLE " FROM main.sample WHERE run = ?1 AND "
		"(kernel, visit) IN (SELECT kernel, visit FROM temp.clash)",
		"DELETE FROM main.sample WHERE run = ?1 AND (kernel, visit) "
		"IN (SELECT kernel, visit FROM temp.clash)",
		"INSERT INTO main.sample (run, kernel, visit, core, " //
		MERGE_SAMPLE ") SELECT ?1, kernel, visit + " STRIDE
		" * (row_number() OVER (PARTITION BY kernel, visit ORDER BY "
		"core, " MERGE_SAMPLE ") - 1), core, " MERGE_SAMPLE
		" FROM (SELECT DISTINCT * FROM temp.clash)",
		"INSERT INTO main.text (run, line) SELECT DISTINCT ?1, line "
		"FROM temp.lines ORDER BY line",
		NULL,
	};

	if (store_begin(m->to, e) != ERR_OK ||
	    store_write_all(m->to, e, "union", rows, "i", run) != ERR_OK)
		return e->code;
	return store_commit(m->to, e);
}

int merge_unite(struct merge *m, const struct merge_part *parts, size_t n,
		int64_t run, struct err *e)
{
	if (prepare_tables(m, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		if (merge_attach(m, parts[i].source, e) != ERR_OK ||
		    add_run(m, &parts[i], run, e) != ERR_OK ||
		    read_facts(m, i, &parts[i], e) != ERR_OK)
			return e->code;
	if (write_facts(m, run, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		if (merge_attach(m, parts[i].source, e) != ERR_OK ||
		    add_rows(m, i, &parts[i], run, e) != ERR_OK)
			return e->code;
	return finish_rows(m, run, e);
}
