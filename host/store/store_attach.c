/* The sources of a merge, one at a time, and the code of their kernels; see
 * store_merging.h. */
#include "host/store/store_merging.h"

#include <fcntl.h>
#include <unistd.h>

enum {
	/* One call of posix_fadvise() reads no more than the device's
	 * read-ahead, some MB. */
	ADVICE_BYTES = 1 << 20,
};

/* Give the system advice on a whole file.  No connection may have it open:
 * closing any descriptor of it ends this process's locks on it.  Errors are
 * left to SQLite. */
static void advise(const char *path, int advice)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t end;

	if (fd < 0)
		return;
	end = lseek(fd, 0, SEEK_END);
	for (off_t at = 0; at < end; at += ADVICE_BYTES)
		(void)posix_fadvise(fd, at, ADVICE_BYTES, advice);
	(void)close(fd);
}

/* The code of a measured database is in the order of its hashes, so a copy in
 * that order reads pages all over the file.  The system reads the file in its
 * own order before they are needed, the next one while this one is copied. */
static void read_ahead(struct merge *m, size_t source)
{
	if (!m->was_read[source])
		advise(m->paths[source], POSIX_FADV_WILLNEED);
	m->was_read[source] = true;
}

static int detach(struct merge *m, struct err *e)
{
	size_t source = m->attached - 1;

	if (store_write(m->to, e, "closing", "DETACH source", "") != ERR_OK)
		return e->code;
	m->attached = 0;
	/* All databases together may be larger than the memory. */
	if (m->n_left && m->n_left[source] == 0)
		advise(m->paths[source], POSIX_FADV_DONTNEED);
	return ERR_OK;
}

int merge_attach(struct merge *m, size_t source, struct err *e)
{
	if (m->attached == source + 1)
		return ERR_OK;
	if (m->attached && detach(m, e) != ERR_OK)
		return e->code;
	read_ahead(m, source);
	if (m->next)
		read_ahead(m, m->next - 1);
	if (store_write(m->to, e, "opening", "ATTACH ? AS source", "t",
			m->paths[source]) != ERR_OK)
		return e->code;
	m->attached = source + 1;
	return ERR_OK;
}

/* ---- code ---------------------------------------------------------------- */

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
	struct rows r;

	if (store_write(m->to, e, "copy", "DELETE FROM temp.lacking", "") !=
		    ERR_OK ||
	    store_write(m->to, e, "copy", find, "i", p->run) != ERR_OK)
		return e->code;
	r = store_row(m->to, e, "code",
		      "SELECT id, differs FROM temp.lacking "
		      "ORDER BY differs DESC, id LIMIT 1",
		      "");
	*ret_lacks = rows_next(&r);
	if (*ret_lacks && row_u32(&r, 1))
		r.status = err_set(
			e, ERR_INPUT,
			"%s: kernel %016llx has other code than in another of "
			"these databases",
			m->paths[p->source],
			(unsigned long long)row_u64(&r, 0));
	return rows_end(&r);
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
		NULL,
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

	if (list_lacking(m, p, &lacks, e) != ERR_OK ||
	    (lacks && store_write_all(m->to, e, "copy", of_code, "") != ERR_OK))
		return e->code;
	return store_write(m->to, e, "copy", of_forms, "i", p->run);
}
