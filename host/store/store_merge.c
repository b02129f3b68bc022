/* Merges stores into a new one; see store_merge.h.
 *
 * The runs of the result are in the order of their dates and keys, and all
 * rows are inserted in the order of their keys, so that the same runs give the
 * same database whatever the order of the sources. */
#include "host/store/store_merge.h"

#include <string.h>

#include "host/base/order.h"
#include "host/store/store_merging.h"

/* X(table, its column of the run, the other columns, order).  Referenced rows
 * come before those that refer to them. */
#define TABLES(X)                                                             \
	X("run", "id",                                                        \
	  "board, isa, cpu, clock, what, forms, tool, date, ref_hz, "         \
	  "kernel_cycles, finished",                                          \
	  "id")                                                               \
	X("env", "run", "key, value", "key")                                  \
	X("text", "run", "line", "id")                                        \
	X("kernel", "run", "kernel, place, " MERGE_KERNEL, "kernel")          \
	X("sample", "run", "kernel, visit, core, " MERGE_SAMPLE,              \
	  "kernel, visit")                                                    \
	X("fault", "run", "kernel, cause, code, pc, address", "kernel")       \
	X("claim", "run",                                                     \
	  "form, kind, source, destination, low_cycles, high_cycles, "        \
	  "residual, visits, verdict, label, kernel, solver_version, detail", \
	  "form, kind, source, destination")

/* ---- hashes -------------------------------------------------------------- */

static void hash_bytes(uint64_t *hash, const void *p, size_t n)
{
	const unsigned char *at = p;

	for (size_t i = 0; i < n; i++)
		*hash = (*hash ^ at[i]) * UINT64_C(0x100000001b3);
}

static void hash_row(uint64_t *hash, sqlite3_stmt *q)
{
	for (int i = 0; i < sqlite3_column_count(q); i++) {
		int type = sqlite3_column_type(q, i);
		const void *p = sqlite3_column_blob(q, i);
		int n = sqlite3_column_bytes(q, i);

		hash_bytes(hash, &type, sizeof(type));
		hash_bytes(hash, &n, sizeof(n));
		if (n > 0)
			hash_bytes(hash, p, (size_t)n);
	}
}

/* Hash all rows of a part: FNV-1a of 64 bits. */
static int merge_hash(struct merge *m, struct merge_part *p, struct err *e)
{
#define HASHED(table, run, columns, order)                    \
	"SELECT " columns " FROM source." table " WHERE " run \
	" = ? ORDER BY " order,
	static const char *const sql[] = { TABLES(HASHED) };

	p->hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < ARRAY_LEN(sql); i++) {
		struct rows r = store_rows(m->to, e, "", sql[i], "i", p->run);

		while (rows_next(&r))
			hash_row(&p->hash, r.q);
		if (rows_end(&r) != ERR_OK)
			return e->code;
		hash_bytes(&p->hash, &i, sizeof(i));
	}
	return ERR_OK;
}

/* ---- parts --------------------------------------------------------------- */

/* Shards of one set on one kind of core are one run, whenever and on whichever
 * machine each was measured, but not those of several cores that were asked
 * for. */
static const char keys[] =
	"WITH fact AS (SELECT run, max(value) FILTER (WHERE key = 'id') AS id, "
	"max(value) FILTER (WHERE key = 'set') AS of_set, "
	"max(value) FILTER (WHERE key = 'core') AS number, "
	"max(key IN ('first_core', 'option_core')) AS asked "
	"FROM env GROUP BY run) "
	"SELECT r.id, date, what = 'ports', "
	"printf('%s\n%s\n%s\n%s\n%s\n%s\n%s\n%lld\n%s', r.board, r.isa, cpu, "
	"clock, what, forms, core, kernel_cycles, "
	"CASE WHEN of_set <> '' "
	"THEN printf('set %s\n%s', of_set, iif(asked, number, '')) "
	"ELSE printf('%s\n%s\n%s\n%s', date, tool, fact.id, machine) END) "
	"FROM run AS r JOIN identity ON identity.run = r.id "
	"LEFT JOIN fact ON fact.run = r.id ORDER BY r.id";

/* The kernels of a port search depend on its answers: only copies of one state
 * are the same. */
static int add_hash(struct merge *m, struct merge_part *p, struct err *e)
{
	if (merge_attach(m, p->source, e) == ERR_OK &&
	    merge_hash(m, p, e) == ERR_OK)
		p->key = arena_printf(m->a, "%s\n%016llx", p->key,
				      (unsigned long long)p->hash);
	return e->code;
}

static int list_parts(struct merge *m, size_t source, struct buffer *parts,
		      struct err *e)
{
	size_t first = parts->n / sizeof(struct merge_part), n;
	struct merge_part *list;
	struct store *s;
	struct rows r;

	/* Checks what the file is. */
	if (store_open_to_read(m->paths[source], &s, e) != ERR_OK)
		return e->code;
	r = store_rows(s, e, "run", keys, "");
	while (rows_next(&r)) {
		struct merge_part p = {
			.source = source,
			.run = (int64_t)row_u64(&r, 0),
			.date = arena_strdup(m->a, row_text(&r, 1)),
			.is_search = row_u32(&r, 2) != 0,
			.key = arena_strdup(m->a, row_text(&r, 3)),
		};

		buffer_add(parts, &p, sizeof(p));
	}
	(void)rows_end(&r);
	store_close(s);
	list = (void *)parts->bytes;
	n = parts->n / sizeof(*list);
	for (size_t i = first; i < n && e->code == ERR_OK; i++)
		if (list[i].is_search)
			(void)add_hash(m, &list[i], e);
	return e->code;
}

/* ---- order --------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
	const struct merge_part *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : strcmp(x->date, y->date);
}

static int by_date(const void *a, const void *b)
{
	const struct merge_part *x = a, *y = b;
	const char *const pairs[][2] = { { x->date, y->date },
					 { x->key, y->key } };
	int order = order_texts(pairs, ARRAY_LEN(pairs));

	if (order == 0)
		order = ORDER(x->hash, y->hash);
	if (order == 0)
		order = ORDER(x->source, y->source);
	return order ? order : ORDER(x->run, y->run);
}

static size_t same_key(const struct merge_part *list, size_t n)
{
	size_t same = 1;

	while (same < n && strcmp(list[same].key, list->key) == 0)
		same++;
	return same;
}

/* Hash the parts that have others of their key, and sort all. */
static int sort_parts(struct merge *m, struct merge_part *list, size_t n,
		      struct err *e)
{
	order_sort(list, n, sizeof(*list), by_key);
	for (size_t i = 0, same; i < n; i += same) {
		same = same_key(list + i, n - i);
		for (size_t k = i; same > 1 && k < i + same; k++) {
			list[k].date = list[i].date;
			m->next = k + 1 < i + same ? list[k + 1].source + 1 : 0;
			if (merge_attach(m, list[k].source, e) != ERR_OK ||
			    merge_hash(m, &list[k], e) != ERR_OK)
				return e->code;
		}
	}
	order_sort(list, n, sizeof(*list), by_date);
	return ERR_OK;
}

/* ---- copying ------------------------------------------------------------- */

static int copy_part(struct merge *m, const struct merge_part *p, int64_t run,
		     struct err *e)
{
#define COPIED(table, run, columns, order)                         \
	"INSERT INTO main." table " (" run ", " columns ")"        \
	" SELECT ?2, " columns " FROM source." table " WHERE " run \
	" = ?1 ORDER BY " order,
	static const char *const sql[] = { TABLES(COPIED) NULL };

	if (merge_attach(m, p->source, e) != ERR_OK ||
	    store_begin(m->to, e) != ERR_OK || merge_code(m, p, e) != ERR_OK ||
	    store_write_all(m->to, e, "copy", sql, "ii", p->run, run) != ERR_OK)
		return e->code;
	return store_commit(m->to, e);
}

/* Copy or unite parts of one key. */
static int merge_key(struct merge *m, const struct merge_part *list, size_t n,
		     int64_t run, struct err *e)
{
	size_t distinct = 1;

	for (size_t i = 1; i < n; i++)
		distinct += list[i].hash != list[i - 1].hash;
	if (distinct == 1)
		return copy_part(m, list, run, e);
	buffer_add(&m->united, &run, sizeof(run));
	return merge_unite(m, list, n, run, e);
}

static int merge_parts(struct merge *m, const struct merge_part *list, size_t n,
		       struct store_merged *ret, struct err *e)
{
	int64_t run = 0;

	m->n_left = ARENA_ARRAY(m->a, size_t, m->n_sources);
	for (size_t i = 0; i < n; i++)
		m->n_left[list[i].source]++;
	for (size_t i = 0, same; i < n; i += same) {
		same = same_key(list + i, n - i);
		m->next = i + same < n ? list[i + same].source + 1 : 0;
		if (merge_key(m, list + i, same, ++run, e) != ERR_OK)
			return e->code;
		for (size_t k = i; k < i + same; k++)
			m->n_left[list[k].source]--;
	}
	ret->n_parts = n;
	ret->n_runs = (size_t)run;
	return ERR_OK;
}

/* ---- all ----------------------------------------------------------------- */

enum {
	/* Pages of the result.  Its rows are written in order and mostly read
	 * so.  With 4 KiB a merge takes half as long again (measured: system
	 * calls, and searches from the root of a table). */
	PAGE_BYTES = 32 << 10,
	/* KiB.  Pages are written once: more only leaves the processor's
	 * caches. */
	CACHE_KIB = 8 << 10,
};

/* The result is a temporary file until it is complete: it needs no
 * journal on the disk, and is flushed once. */
static int prepare(struct merge *m, struct err *e)
{
	char pages[120];

	/* The size of pages takes effect with VACUUM. */
	(void)sqlite3_snprintf(sizeof(pages), pages,
			       "PRAGMA journal_mode = MEMORY;"
			       "PRAGMA page_size = %d; VACUUM;"
			       "PRAGMA cache_size = -%d;",
			       PAGE_BYTES, CACHE_KIB);
	if (sqlite3_exec(m->to->db, pages, NULL, NULL, NULL) != SQLITE_OK ||
	    sqlite3_exec(m->to->db,
			 "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;"
			 "CREATE TEMP TABLE image_map "
			 "(from_id INTEGER PRIMARY KEY, to_id INTEGER);"
			 "CREATE TEMP TABLE lacking "
			 "(id INTEGER PRIMARY KEY, differs INTEGER);",
			 NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(m->to, "opening", e);
	return ERR_OK;
}

/* SQLite's errors name the result, which is new: the source is at fault. */
static void name_source(const struct merge *m, struct err *e)
{
	const char *result = m->to->path;
	size_t n = strlen(result);
	struct err named = { .code = ERR_OK };

	if (e->code != ERR_INPUT || !m->attached ||
	    strncmp(e->message, result, n) != 0 || e->message[n] != ':')
		return;
	(void)err_set(&named, e->code, "%s%s", m->paths[m->attached - 1],
		      e->message + n);
	*e = named;
}

int store_merge(struct arena *a, const char *path, const char *const *sources,
		size_t n, struct store_merged *ret, struct err *e)
{
	struct merge m = { .a = a,
			   .paths = sources,
			   .was_read = ARENA_ARRAY(a, bool, n),
			   .n_sources = n };
	struct buffer parts = { 0 };
	struct merge_part *list;
	size_t n_parts;

	if (store_open(path, true, &m.to, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < n && (i > 0 || prepare(&m, e) == ERR_OK); i++)
		if (list_parts(&m, i, &parts, e) != ERR_OK)
			break;
	list = (void *)parts.bytes;
	n_parts = parts.n / sizeof(*list);
	if (e->code == ERR_OK && sort_parts(&m, list, n_parts, e) == ERR_OK)
		(void)merge_parts(&m, list, n_parts, ret, e);
	name_source(&m, e);
	ret->united =
		buffer_take_list(a, &m.united, sizeof(int64_t), &ret->n_united);
	store_close(m.to);
	buffer_free(&parts);
	return e->code;
}
