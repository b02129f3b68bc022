/* Kernels of a run, their code and register images. */
#include "host/store/store_kernel.h"

#include <string.h>

#include "host/store/store_db.h"

/* Is the code of this content id stored?  1 yes, 0 no, otherwise an error
 * code. */
static int have_code(struct store *s, const struct kernel_row *k, struct err *e)
{
	struct rows r =
		store_row(s, e, "code",
			  "SELECT code0, code1, code2 FROM code WHERE id = ?",
			  "i", (int64_t)k->id);
	bool have = rows_next(&r);

	for (int i = 0; have && i < PACK_LENGTHS; i++) {
		size_t n;
		const void *p = row_blob(&r, i, &n);

		if (n != k->code_bytes[i] ||
		    (n && memcmp(p, k->code[i], n) != 0))
			r.status = err_set(
				e, ERR_INPUT,
				"%s: kernel %016llx is stored with different "
				"code",
				s->path, (unsigned long long)k->id);
	}
	return rows_end(&r) == ERR_OK ? have : r.status;
}

static int put_code(struct store *s, const struct kernel_row *k, struct err *e)
{
	size_t image_bytes = k->image ? sizeof(*k->image) : 0;

	if (k->image &&
	    store_write(s, e, "register image",
			"INSERT OR IGNORE INTO image (bytes) VALUES (?)", "b",
			k->image, image_bytes) != ERR_OK)
		return e->code;
	return store_write(s, e, "code",
			   "INSERT INTO code VALUES (?, ?, ?, ?, "
			   "(SELECT id FROM image WHERE bytes = ?))",
			   "ibbbb", (int64_t)k->id, k->code[0],
			   (size_t)k->code_bytes[0], k->code[1],
			   (size_t)k->code_bytes[1], k->code[2],
			   (size_t)k->code_bytes[2], k->image, image_bytes);
}

int store_code(struct store *s, const struct kernel_row *k, struct err *e)
{
	int have = have_code(s, k, e);

	if (have == 0)
		(void)put_code(s, k, e);
	return e->code;
}

int store_has_code(struct store *s, uint64_t id, bool *ret, struct err *e)
{
	struct rows r =
		store_row(s, e, "code", "SELECT 1 FROM code WHERE id = ?", "i",
			  (int64_t)id);
	bool has = rows_next(&r);

	if (rows_end(&r) == ERR_OK)
		*ret = has;
	return e->code;
}

int store_kernel(struct store *s, int64_t run, uint32_t index,
		 const struct kernel_row *k, struct err *e)
{
	if (k->code[0] && k->code[1] && k->code[2] &&
	    store_code(s, k, e) != ERR_OK)
		return e->code;
	return store_write(
		s, e, "kernel",
		"INSERT INTO kernel VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		"NULL) "
		"ON CONFLICT DO UPDATE SET content = excluded.content, "
		"label = excluded.label, unroll0 = excluded.unroll0, "
		"unroll1 = excluded.unroll1, unroll2 = excluded.unroll2, "
		"ops_per_body = excluded.ops_per_body, "
		"calib = excluded.calib, chains = excluded.chains, "
		"instructions = excluded.instructions, "
		"class = excluded.class",
		"iuituuuuuuut", run, index, (int64_t)k->id, k->label,
		k->unroll[0], k->unroll[1], k->unroll[2], k->ops_per_body,
		(uint32_t)k->calib, k->chains, k->instructions,
		kernel_class_word(k->class));
}

int store_kernel_place(struct store *s, int64_t run, uint32_t index,
		       uint32_t place, struct err *e)
{
	return store_write(s, e, "kernel",
			   "UPDATE kernel SET place = ?3 WHERE run = ?1 AND "
			   "kernel = ?2",
			   "iuu", run, index, place);
}

int store_progress(struct store *s, int64_t run, uint32_t first, size_t n,
		   uint32_t *visits, struct err *e)
{
	struct rows r = store_rows(
		s, e, "sample",
		"SELECT kernel, visit, 0 FROM sample "
		"WHERE run = ?1 AND kernel >= ?2 AND kernel < ?2 + ?3 "
		"UNION ALL SELECT kernel, 0, 1 FROM fault "
		"WHERE run = ?1 AND kernel >= ?2 AND kernel < ?2 + ?3 "
		"ORDER BY 3, 1, 2",
		"iui", run, first, (int64_t)n);

	memset(visits, 0, n * sizeof(*visits));
	while (rows_next(&r)) {
		uint32_t kernel = row_u32(&r, 0) - first;
		uint32_t visit = row_u32(&r, 1);
		bool fault = row_u32(&r, 2) != 0;

		if (r.bad || kernel >= n)
			continue;
		/* Visits may have a gap: after the host was killed the board
		 * continues, and the visit in between was not stored. */
		if (fault)
			visits[kernel] = UINT32_MAX;
		else if (visit == visits[kernel])
			visits[kernel]++;
	}
	return rows_end(&r);
}

int store_count_kernels(struct store *s, int64_t run, size_t *ret,
			struct err *e)
{
	int64_t n;

	if (store_number(s, e, &n, "SELECT count(*) FROM kernel WHERE run = ?",
			 "i", run) == ERR_OK)
		*ret = (size_t)n;
	return e->code;
}

int store_form(struct store *s, const struct form_row *f, struct err *e)
{
	return store_write(s, e, "form",
			   "INSERT INTO form VALUES (?, ?, ?, ?, ?) "
			   "ON CONFLICT DO UPDATE SET "
			   "mnemonic = excluded.mnemonic, "
			   "assembly = excluded.assembly, "
			   "operands = excluded.operands",
			   "ttttt", f->isa, f->form, f->mnemonic, f->assembly,
			   f->operands);
}
