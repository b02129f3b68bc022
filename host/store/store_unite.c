/* Makes one run of several parts; see store_merge.h.
 *
 * A kernel has its number in the undivided set (kernel.place, else its own
 * number).  A core of a parallel session is what its facts say: parts that
 * report the same facts share its number.  Samples of one kernel and visit that
 * differ are all kept: the j-th, in the order of their content, is visit number
 * j * STRIDE + visit.  So the union of unions is the union of all parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/store/store_merge.h"

#define STRIDE "65536"

/* ---- facts of cores ------------------------------------------------------ */

/* Keys that this program writes itself (a trailing "*" matches any suffix); all others
 * are facts of a core. */
static const char *const own_keys[] = {
	"console_bytes_dropped",
	"died_at",
	"id",
	"image_*",
	"log *",
	"option_*",
	"pack",
	"redo",
	"set",
	"settled_after",
	"settled_after_base",
	"shard",
	"shards",
	"silent_probe_*",
	"stopped_at",
};

struct fact {
	size_t part;
	uint32_t core;
	const char *key, *value;
};

/* The facts of one core of one part, as text. */
struct core_facts {
	size_t part;
	uint32_t core;
	const char *text; /* "key=value\n..." */
};

struct unite {
	struct merge *m;
	size_t part;
	struct buffer cores; /* struct core_facts */
	struct buffer own;   /* struct fact */
};

static bool is_own(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(own_keys); i++) {
		size_t n = strcspn(own_keys[i], "*");

		if (strncmp(key, own_keys[i], n) == 0 &&
		    (own_keys[i][n] == '*' || key[n] == '\0'))
			return true;
	}
	return false;
}

/* The entry of a core of the current part, which is added if it is new. */
static struct core_facts *facts_of(struct unite *u, uint32_t core)
{
	struct core_facts *list = (void *)u->cores.bytes;
	size_t n = u->cores.n / sizeof(*list), i = 0;
	const struct core_facts fresh = { u->part, core, "" };

	while (i < n && (list[i].part != u->part || list[i].core != core))
		i++;
	if (i == n)
		buffer_add(&u->cores, &fresh, sizeof(fresh));
	list = (void *)u->cores.bytes;
	return &list[i];
}

/* "coreN_key", or "key" of core 0.  False: not one line of `text`, which no board
 * can say. */
static bool add_fact(struct unite *u, const char *key, const char *value)
{
	struct core_facts *f;
	unsigned core = 0;
	int n = 0;

	if (strpbrk(key, "=\n") || strchr(value, '\n'))
		return false;
	if (sscanf(key, "core%u_%n", &core, &n) < 1 || n == 0)
		core = 0;
	f = facts_of(u, core);
	f->text = arena_printf(u->m->a, "%s%s=%s\n", f->text, key + n, value);
	return true;
}

/* A core may have samples and no facts. */
static int read_cores(struct unite *u, int64_t run, struct err *e)
{
	sqlite3_stmt *q = store_cursor(u->m->to, e,
				       "SELECT DISTINCT core FROM "
				       "source.sample WHERE run = ?",
				       "i", run);
	struct store_row row = { .q = q };
	int step;

	if (!q)
		return e->code;
	while ((step = store_step(u->m->to, q, e)) == 1) {
		uint32_t core = row_u32(&row, 0);

		if (row.bad) {
			step = store_bad_data(u->m->to, "sample", e);
			break;
		}
		(void)facts_of(u, core);
	}
	(void)sqlite3_finalize(q);
	return step;
}

static int read_facts(struct unite *u, int64_t run, struct err *e)
{
	sqlite3_stmt *q = store_cursor(u->m->to, e,
				       "SELECT key, value FROM source.env "
				       "WHERE run = ? ORDER BY key",
				       "i", run);
	struct store_row row = { .q = q };
	int step;

	if (!q)
		return e->code;
	while ((step = store_step(u->m->to, q, e)) == 1) {
		const char *key = arena_strdup(u->m->a, row_text(&row, 0));
		const char *value = arena_strdup(u->m->a, row_text(&row, 1));
		const struct fact own = { u->part, 0, key, value };

		if (is_own(key)) {
			buffer_add(&u->own, &own, sizeof(own));
		} else if (!add_fact(u, key, value)) {
			step = store_bad_data(u->m->to, "env", e);
			break;
		}
	}
	(void)sqlite3_finalize(q);
	return step;
}

static int by_text(const void *a, const void *b)
{
	const struct core_facts *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* The number of each core in the united run: its place among the different
 * texts in order. */
static uint32_t core_number(const struct unite *u, size_t i)
{
	const struct core_facts *list = (const void *)u->cores.bytes;
	uint32_t number = 0;

	for (size_t k = 1; k <= i; k++)
		number += strcmp(list[k].text, list[k - 1].text) != 0;
	return number;
}

static int write_core(struct unite *u, int64_t run, uint32_t core,
		      const char *text, struct err *e)
{
	char *line = arena_strdup(u->m->a, text);

	for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		char *value = strchr(line, '=');
		const char *key = line;

		*end = '\0';
		*value++ = '\0';
		if (core > 0)
			key = arena_printf(u->m->a, "core%u_%s", (unsigned)core,
					   line);
		if (store_env(u->m->to, run, key, value, e) != ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

static int write_cores(struct unite *u, int64_t run, struct err *e)
{
	struct core_facts *list = (void *)u->cores.bytes;
	size_t n = u->cores.n / sizeof(*list);

	if (n == 0)
		return ERR_OK;
	qsort(list, n, sizeof(*list), by_text);
	for (size_t i = 0; i < n; i++)
		if ((i == 0 || strcmp(list[i].text, list[i - 1].text) != 0) &&
		    write_core(u, run, core_number(u, i), list[i].text, e) !=
			    ERR_OK)
			return e->code;
	return ERR_OK;
}

static int map_cores(struct unite *u, struct err *e)
{
	const struct core_facts *list = (const void *)u->cores.bytes;
	size_t n = u->cores.n / sizeof(*list);

	if (store_write(u->m->to, e, "cores", "DELETE FROM temp.core_map",
			"") != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n; i++)
		if (list[i].part == u->part &&
		    store_write(u->m->to, e, "cores",
				"INSERT INTO temp.core_map VALUES (?, ?)", "ii",
				(int64_t)list[i].core,
				(int64_t)core_number(u, i)) != ERR_OK)
			return e->code;
	return ERR_OK;
}

/* ---- the other facts ----------------------------------------------------- */

static int by_word(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The shards of all parts, each once, in order. */
static void list_shards(struct merge *m, const struct merge_part *parts,
			size_t n, struct buffer *ret)
{
	struct buffer words = { 0 };
	const char **list;
	size_t n_words;

	for (size_t i = 0; i < n; i++) {
		char *at = arena_strdup(m->a, parts[i].shard), *save = NULL;

		for (char *word = strtok_r(at, ",", &save); word;
		     word = strtok_r(NULL, ",", &save))
			buffer_add(&words, &word, sizeof(word));
	}
	list = (void *)words.bytes;
	n_words = words.n / sizeof(*list);
	if (n_words > 0)
		qsort(list, n_words, sizeof(*list), by_word);
	for (size_t i = 0; i < n_words; i++)
		if (i == 0 || strcmp(list[i], list[i - 1]) != 0)
			buffer_add(ret, &list[i], sizeof(*list));
	buffer_free(&words);
}

/* Are there all shards of some number of shards? */
static bool is_complete(const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned shard, of, other;
		size_t same = 0;

		if (sscanf(list[i], "%u/%u", &shard, &of) != 2)
			continue;
		for (size_t k = 0; k < n; k++)
			same += sscanf(list[k], "%u/%u", &shard, &other) == 2 &&
				other == of;
		if (same == of)
			return true;
	}
	return false;
}

/* Of what differs between parts the least text is kept. */
static int write_own(struct unite *u, const struct merge_part *parts, size_t n,
		     int64_t run, struct err *e)
{
	const struct fact *list = (const void *)u->own.bytes;
	struct merge *m = u->m;
	struct buffer shards = { 0 }, text = { 0 };
	const char *const *words;
	size_t n_words;
	bool finished = false;

	for (size_t i = 0; i < u->own.n / sizeof(*list); i++)
		if (strcmp(list[i].key, "shard") != 0 &&
		    store_write(m->to, e, "environment",
				"INSERT INTO main.env VALUES (?, ?, ?) ON "
				"CONFLICT DO UPDATE SET value = "
				"min(value, excluded.value)",
				"itt", run, list[i].key,
				list[i].value) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < n; i++)
		finished |= parts[i].finished && *parts[i].shard == '\0';
	/* The kernels are those of the undivided set, and have its numbers. */
	if (store_write(m->to, e, "environment",
			"UPDATE main.env SET value = s.value FROM main.env AS "
			"s WHERE env.run = ?1 AND env.key = 'pack' AND "
			"s.run = ?1 AND s.key = 'set'",
			"i", run) != ERR_OK)
		return e->code;
	list_shards(m, parts, n, &shards);
	words = (const void *)shards.bytes;
	n_words = shards.n / sizeof(*words);
	for (size_t i = 0; i < n_words; i++)
		buffer_printf(&text, "%s%s", i ? "," : "", words[i]);
	buffer_add(&text, "", 1);
	if (n_words > 0)
		(void)store_env(m->to, run, "shards", (const char *)text.bytes,
				e);
	if (e->code == ERR_OK && (finished || is_complete(words, n_words)))
		(void)store_run_finish(m->to, run, e);
	buffer_free(&text);
	buffer_free(&shards);
	return e->code;
}

/* ---- rows ---------------------------------------------------------------- */

#define NUMBERED                                                      \
	"SELECT kernel AS own, ifnull(place, kernel) AS number FROM " \
	"source.kernel WHERE run = ?1"
#define SAME_SAMPLE                                                        \
	"s.iterations = m.iterations AND s.iterations_a = "                \
	"m.iterations_a AND s.iterations_b = m.iterations_b AND "          \
	"s.iterations_probe = m.iterations_probe AND s.n_rows = m.n_rows " \
	"AND s.row = m.row AND s.\"values\" = m.\"values\" AND "           \
	"s.retired IS m.retired AND c.to_core = m.core"

/* The kernels of a part that contradict those of another. */
static int check_kernels(struct merge *m, const struct merge_part *p,
			 int64_t run, struct err *e)
{
	sqlite3_stmt *q = store_query(
		m->to, e,
		"SELECT s.label FROM source.kernel AS s JOIN main.kernel AS m "
		"ON m.run = ?2 AND m.kernel = ifnull(s.place, s.kernel) "
		"WHERE s.run = ?1 AND (s.content <> m.content OR "
		"s.label <> m.label)",
		"ii", p->run, run);
	struct store_row row = { .q = q };
	int step;

	if (!q)
		return e->code;
	step = store_step(m->to, q, e);
	if (step == 1)
		(void)err_set(e, ERR_INPUT,
			      "%s: kernel %s of run %lld is another one in "
			      "another part of the run",
			      m->paths[p->source], row_text(&row, 0),
			      (long long)p->run);
	store_done(q);
	return e->code;
}

/* Add the rows of a part.  Samples of a kernel and visit that has another one
 * wait in temp.clash. */
static int add_rows(struct unite *u, const struct merge_part *p, int64_t run,
		    struct err *e)
{
	static const char *const rows[] = {
		"INSERT OR IGNORE INTO main.kernel (run, kernel, " //
		MERGE_KERNEL ") SELECT ?2, ifnull(place, kernel), " MERGE_KERNEL
		" FROM source.kernel WHERE run = ?1 ORDER BY 2",
		"INSERT OR IGNORE INTO main.sample (run, kernel, visit, core, " MERGE_SAMPLE
		") SELECT ?2, number, visit, to_core, " //
		MERGE_SAMPLE " FROM source.sample AS s JOIN (" NUMBERED
		") ON own = s.kernel JOIN temp.core_map AS c ON c.core = "
		"s.core WHERE s.run = ?1 AND visit < " STRIDE " ORDER BY 2, 3",
		"INSERT INTO temp.clash SELECT number, s.visit % " STRIDE
		", c.to_core, s.iterations, s.iterations_a, s.iterations_b, "
		"s.iterations_probe, s.n_rows, s.row, s.\"values\", s.retired "
		"FROM source.sample AS s JOIN (" NUMBERED
		") ON own = s.kernel JOIN temp.core_map AS c ON c.core = "
		"s.core LEFT JOIN main.sample AS m ON m.run = ?2 AND "
		"m.kernel = number AND m.visit = s.visit "
		"WHERE s.run = ?1 AND (m.visit IS NULL OR NOT (" SAME_SAMPLE
		"))",
		"INSERT INTO main.fault SELECT ?2, number, cause, code, pc, "
		"address FROM source.fault AS s JOIN (" NUMBERED
		") ON own = s.kernel WHERE s.run = ?1 ORDER BY 2 "
		"ON CONFLICT DO UPDATE SET cause = excluded.cause, "
		"code = excluded.code, pc = excluded.pc, "
		"address = excluded.address WHERE (excluded.cause, "
		"excluded.code, excluded.pc, excluded.address) < "
		"(cause, code, pc, address)",
		("INSERT INTO temp.lines SELECT line FROM source.text "
		 "WHERE run = ?1 AND ?2 = ?2"),
	};

	if (merge_attach(u->m, p->source, e) != ERR_OK ||
	    store_begin(u->m->to, e) != ERR_OK || map_cores(u, e) != ERR_OK ||
	    check_kernels(u->m, p, run, e) != ERR_OK ||
	    merge_code(u->m, p, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (store_write(u->m->to, e, "union", rows[i], "ii", p->run,
				run) != ERR_OK)
			return e->code;
	return store_commit(u->m->to, e);
}

/* Number the samples that clash, and write the lines of text. */
static int finish_rows(struct unite *u, int64_t run, struct err *e)
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
	};

	if (store_begin(u->m->to, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (store_write(u->m->to, e, "union", rows[i], "i", run) !=
		    ERR_OK)
			return e->code;
	return store_commit(u->m->to, e);
}

static int prepare_tables(struct merge *m, struct err *e)
{
	if (sqlite3_exec(m->to->db,
			 "DROP TABLE IF EXISTS temp.core_map;"
			 "DROP TABLE IF EXISTS temp.clash;"
			 "DROP TABLE IF EXISTS temp.lines;"
			 "CREATE TEMP TABLE core_map "
			 "(core INTEGER PRIMARY KEY, to_core INTEGER);"
			 "CREATE TEMP TABLE lines (line BLOB);"
			 "CREATE TEMP TABLE clash AS SELECT kernel, visit, "
			 "core, " MERGE_SAMPLE " FROM main.sample WHERE 0;",
			 NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(m->to, "union", e);
	return ERR_OK;
}

/* The row of the run: what is equal in all parts comes from the first. */
static int new_run(struct merge *m, const struct merge_part *parts, size_t n,
		   int64_t run, struct err *e)
{
	static const char first[] =
		"INSERT INTO main.run SELECT ?2, board, isa, cpu, clock, what, "
		"forms, tool, date, ref_hz, kernel_cycles, 0 "
		"FROM source.run WHERE id = ?1 ON CONFLICT DO UPDATE SET "
		"date = min(date, excluded.date), "
		"tool = min(tool, excluded.tool), "
		"ref_hz = min(ref_hz, excluded.ref_hz)";

	for (size_t i = 0; i < n; i++)
		if (merge_attach(m, parts[i].source, e) != ERR_OK ||
		    store_write(m->to, e, "run", first, "ii", parts[i].run,
				run) != ERR_OK)
			return e->code;
	return ERR_OK;
}

static int unite_all(struct unite *u, const struct merge_part *parts, size_t n,
		     int64_t run, struct err *e)
{
	if (new_run(u->m, parts, n, run, e) != ERR_OK)
		return e->code;
	for (u->part = 0; u->part < n; u->part++)
		if (merge_attach(u->m, parts[u->part].source, e) != ERR_OK ||
		    read_facts(u, parts[u->part].run, e) != ERR_OK ||
		    read_cores(u, parts[u->part].run, e) != ERR_OK)
			return e->code;
	if (write_cores(u, run, e) != ERR_OK ||
	    write_own(u, parts, n, run, e) != ERR_OK ||
	    prepare_tables(u->m, e) != ERR_OK)
		return e->code;
	for (u->part = 0; u->part < n; u->part++)
		if (add_rows(u, &parts[u->part], run, e) != ERR_OK)
			return e->code;
	return finish_rows(u, run, e);
}

int merge_unite(struct merge *m, const struct merge_part *parts, size_t n,
		int64_t run, struct err *e)
{
	struct unite u = { .m = m };

	(void)unite_all(&u, parts, n, run, e);
	buffer_free(&u.cores);
	buffer_free(&u.own);
	return e->code;
}
