/* Merges stores into a new one; see store.h.
 *
 * The runs of the result are in the order of their dates and keys, and all
 * rows are inserted in the order of their keys, so that the same runs give the
 * same database whatever the order of the sources. */
#include "host/store/store_merge.h"

#include <stdlib.h>
#include <string.h>

#include "host/store/store.h"

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
	static const char *const rows[] = {
		"SELECT board, isa, cpu, clock, what, forms, tool, date, "
		"ref_hz, kernel_cycles, finished FROM source.run WHERE id = ?",
		"SELECT key, value FROM source.env WHERE run = ? ORDER BY key",
		"SELECT line FROM source.text WHERE run = ? ORDER BY id",
		"SELECT kernel, place, " MERGE_KERNEL
		" FROM source.kernel WHERE run = ? ORDER BY kernel",
		"SELECT kernel, visit, core, " MERGE_SAMPLE
		" FROM source.sample WHERE run = ? ORDER BY kernel, visit",
		"SELECT kernel, cause, code, pc, address FROM source.fault "
		"WHERE run = ? ORDER BY kernel",
		"SELECT form, kind, source, destination, low_cycles, "
		"high_cycles, residual, visits, verdict, label, kernel, "
		"solver_version, detail FROM source.claim WHERE run = ? "
		"ORDER BY form, kind, source, destination",
	};

	p->hash = UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		sqlite3_stmt *q = store_cursor(m->to, e, rows[i], "i", p->run);
		int step;

		if (!q)
			return e->code;
		while ((step = store_step(m->to, q, e)) == 1)
			hash_row(&p->hash, q);
		(void)sqlite3_finalize(q);
		if (step != 0)
			return step;
		hash_bytes(&p->hash, &i, sizeof(i));
	}
	return ERR_OK;
}

/* ---- parts --------------------------------------------------------------- */

struct merge_facts {
	struct arena *a;
	const char *id, *set, *shard, *shards, *core;
	bool is_asked; /* for a core of that number */
};

static int take_fact(void *context, const char *key, const char *value,
		     struct err *e)
{
	struct merge_facts *f = context;
	const struct {
		const char *key, **to;
	} wanted[] = { { "id", &f->id },
		       { "set", &f->set },
		       { "shard", &f->shard },
		       { "shards", &f->shards },
		       { "core", &f->core } };

	(void)e;
	f->is_asked |= strcmp(key, "first_core") == 0 ||
		       strcmp(key, "option_core") == 0;
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		if (strcmp(key, wanted[i].key) == 0)
			*wanted[i].to = arena_strdup(f->a, value);
	return 0;
}

/* Shards of one set on one kind of core are one run, whenever and on whichever
 * machine each was measured, but not those of several cores that were asked for. */
static int describe_part(struct merge *m, struct store *s, size_t source,
			 int64_t id, struct merge_part *ret, struct err *e)
{
	struct merge_facts f = {
		.a = m->a,
		.id = "",
		.set = "",
		.shard = "",
		.shards = "",
		.core = "",
	};
	struct core_id core;
	struct run r;
	const char *alike;

	if (store_run_get(s, m->a, id, &r, e) != ERR_OK ||
	    store_run_core(s, m->a, id, &core, e) != ERR_OK ||
	    store_envs(s, id, take_fact, &f, e) != ERR_OK)
		return e->code;
	alike = arena_printf(m->a, "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%llu", r.board,
			     r.isa, r.cpu, r.clock, r.what, r.forms, core.core,
			     (unsigned long long)r.kernel_cycles);
	*ret = (struct merge_part){
		.source = source,
		.run = id,
		.date = r.date,
		.finished = r.finished,
		.shard = *f.shards ? f.shards : f.shard,
		.key = *f.set ? arena_printf(m->a, "%s\nset %s\n%s", alike,
					     f.set, f.is_asked ? f.core : "")
			      : arena_printf(m->a, "%s\n%s\n%s\n%s\n%s", alike,
					     r.date, r.tool, f.id,
					     core.machine),
	};
	if (strcmp(r.what, "ports") != 0)
		return ERR_OK;
	/* The kernels of a port search depend on its answers: only copies of
	 * one state are the same. */
	if (merge_attach(m, source, e) != ERR_OK ||
	    merge_hash(m, ret, e) != ERR_OK)
		return e->code;
	ret->key = arena_printf(m->a, "%s\n%016llx", ret->key,
				(unsigned long long)ret->hash);
	return ERR_OK;
}

static int list_parts(struct merge *m, size_t source, struct buffer *parts,
		      struct err *e)
{
	struct store *s;
	int64_t *ids = NULL;
	size_t n = 0;

	if (store_open_to_read(m->paths[source], &s, e) != ERR_OK)
		return e->code;
	(void)store_runs(s, m->a, &ids, &n, e);
	for (size_t i = 0; e->code == ERR_OK && i < n; i++) {
		struct merge_part p;

		if (describe_part(m, s, source, ids[i], &p, e) == ERR_OK)
			buffer_add(parts, &p, sizeof(p));
	}
	store_close(s);
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
	int order = strcmp(x->date, y->date);

	if (order == 0)
		order = strcmp(x->key, y->key);
	if (order == 0)
		order = (x->hash > y->hash) - (x->hash < y->hash);
	if (order == 0)
		order = (x->source > y->source) - (x->source < y->source);
	return order ? order : (x->run > y->run) - (x->run < y->run);
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
	qsort(list, n, sizeof(*list), by_key);
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
	qsort(list, n, sizeof(*list), by_date);
	return ERR_OK;
}

/* ---- copying ------------------------------------------------------------- */

#define RUN_CONTENT "(SELECT content FROM source.kernel WHERE run = ?1)"

/* List in temp.lacking the code of a part that the result lacks or has
 * different.  The source may have code that the part does not use.  Only rows
 * that would be listed are looked up in the part's kernels: mostly there are
 * none. */
static int list_lacking(struct merge *m, const struct merge_part *p,
			bool *ret_lacks, struct err *e)
{
	static const char find[] =
		"INSERT INTO temp.lacking SELECT s.id, m.id IS NOT NULL FROM "
		"source.code AS s LEFT JOIN main.code AS m USING (id) "
		"WHERE CASE WHEN m.id IS NULL OR s.code0 <> m.code0 OR "
		"s.code1 <> m.code1 OR s.code2 <> m.code2 "
		"THEN s.id IN " RUN_CONTENT " END";
	sqlite3_stmt *q;
	int step;

	if (store_write(m->to, e, "copy", "DELETE FROM temp.lacking", "") !=
		    ERR_OK ||
	    store_write(m->to, e, "copy", find, "i", p->run) != ERR_OK)
		return e->code;
	q = store_query(m->to, e,
			"SELECT id, differs FROM temp.lacking "
			"ORDER BY differs DESC, id LIMIT 1",
			"");
	if (!q)
		return e->code;
	step = store_step(m->to, q, e);
	*ret_lacks = step == 1;
	if (step == 1 && sqlite3_column_int(q, 1))
		(void)err_set(e, ERR_INPUT,
			      "%s: kernel %016llx has other code than in "
			      "another of these databases",
			      m->paths[p->source],
			      (unsigned long long)sqlite3_column_int64(q, 0));
	store_done(q);
	return e->code;
}

int merge_code(struct merge *m, const struct merge_part *p, struct err *e)
{
	static const char *const of_code[] = {
		"INSERT OR IGNORE INTO main.image (bytes) "
		"SELECT bytes FROM source.image WHERE id IN (SELECT image "
		"FROM temp.lacking JOIN source.code USING (id)) ORDER BY bytes",
		"DELETE FROM temp.image_map",
		"INSERT INTO temp.image_map SELECT s.id, m.id FROM "
		"source.image AS s JOIN main.image AS m USING (bytes)",
		"INSERT INTO main.code SELECT id, code0, code1, code2, "
		"(SELECT to_id FROM temp.image_map WHERE from_id = image) "
		"FROM temp.lacking JOIN source.code USING (id) ORDER BY id",
	};
	/* Versions of LLVM may differ in a text: the order of the parts must
	 * not matter. */
	static const char of_forms[] =
		"INSERT INTO main.form SELECT * FROM source.form WHERE isa = "
		"(SELECT isa FROM source.run WHERE id = ?1) ORDER BY form "
		"ON CONFLICT DO UPDATE SET "
		"mnemonic = max(mnemonic, excluded.mnemonic), "
		"assembly = max(assembly, excluded.assembly), "
		"operands = max(operands, excluded.operands) "
		"WHERE excluded.mnemonic > mnemonic OR "
		"excluded.assembly > assembly OR "
		"excluded.operands > operands";
	bool lacks = false;

	if (list_lacking(m, p, &lacks, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; lacks && i < ARRAY_LEN(of_code); i++)
		if (store_write(m->to, e, "copy", of_code[i], "") != ERR_OK)
			return e->code;
	return store_write(m->to, e, "copy", of_forms, "i", p->run);
}

static int copy_part(struct merge *m, const struct merge_part *p, int64_t run,
		     struct err *e)
{
	static const char *const rows[] = {
		"INSERT INTO main.run SELECT ?2, board, isa, cpu, clock, what, "
		"forms, tool, date, ref_hz, kernel_cycles, finished "
		"FROM source.run WHERE id = ?1",
		"INSERT INTO main.env SELECT ?2, key, value FROM source.env "
		"WHERE run = ?1 ORDER BY key",
		"INSERT INTO main.text (run, line) SELECT ?2, line "
		"FROM source.text WHERE run = ?1 ORDER BY id",
		"INSERT INTO main.kernel (run, kernel, place, " MERGE_KERNEL
		") SELECT ?2, kernel, place, " MERGE_KERNEL
		" FROM source.kernel WHERE run = ?1 ORDER BY kernel",
		"INSERT INTO main.sample (run, kernel, visit, core, " //
		MERGE_SAMPLE ") SELECT ?2, kernel, visit, core, " MERGE_SAMPLE
		" FROM source.sample WHERE run = ?1 ORDER BY kernel, visit",
		"INSERT INTO main.fault SELECT ?2, kernel, cause, code, pc, "
		"address FROM source.fault WHERE run = ?1 ORDER BY kernel",
		"INSERT INTO main.claim SELECT ?2, form, kind, source, "
		"destination, low_cycles, high_cycles, residual, visits, "
		"verdict, label, kernel, solver_version, detail "
		"FROM source.claim WHERE run = ?1 "
		"ORDER BY form, kind, source, destination",
	};

	if (merge_attach(m, p->source, e) != ERR_OK ||
	    store_begin(m->to, e) != ERR_OK || merge_code(m, p, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (store_write(m->to, e, "copy", rows[i], "ii", p->run, run) !=
		    ERR_OK)
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
	if (e->code == ERR_OK && n_parts > 0 &&
	    sort_parts(&m, list, n_parts, e) == ERR_OK)
		(void)merge_parts(&m, list, n_parts, ret, e);
	name_source(&m, e);
	ret->n_united = m.united.n / sizeof(int64_t);
	ret->united = arena_copy(a, m.united.bytes, m.united.n);
	store_close(m.to);
	buffer_free(&parts);
	buffer_free(&m.united);
	return e->code;
}
