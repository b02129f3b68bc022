/* Kernels of a run, their code and register images. */
#include <string.h>

#include "host/store/store_db.h"

static int image_id(struct store *s, const struct pack_image *image,
		    int64_t *ret_id, struct err *e)
{
	sqlite3_stmt *q;
	int step;

	if (store_write(s, e, "register image",
			"INSERT OR IGNORE INTO image (bytes) VALUES (?)", "b",
			image, sizeof(*image)) != ERR_OK)
		return e->code;
	q = store_query(s, e, "SELECT id FROM image WHERE bytes = ?", "b",
			image, sizeof(*image));
	if (!q)
		return e->code;
	step = store_step(s, q, e);
	if (step == 1)
		*ret_id = sqlite3_column_int64(q, 0);
	store_done(q);
	if (step == 0)
		return store_bad_data(s, "register image", e);
	return step == 1 ? ERR_OK : step;
}

static bool same_code(sqlite3_stmt *q, const struct kernel_row *k)
{
	struct store_row row = { .q = q };

	for (int i = 0; i < PACK_LENGTHS; i++) {
		size_t n;
		const void *p = row_blob(&row, i, &n);

		if (n != k->code_bytes[i] ||
		    (n && memcmp(p, k->code[i], n) != 0))
			return false;
	}
	return true;
}

/* Is the code of this content id stored?  1 yes, 0 no, otherwise an error
 * code. */
static int have_code(struct store *s, const struct kernel_row *k, struct err *e)
{
	sqlite3_stmt *q = store_query(
		s, e, "SELECT code0, code1, code2 FROM code WHERE id = ?", "i",
		(int64_t)k->id);

	if (!q)
		return e->code;

	int step = store_step(s, q, e);

	if (step == 1 && !same_code(q, k))
		step = err_set(e, ERR_INPUT,
			       "%s: kernel %016llx is stored with different "
			       "code",
			       s->path, (unsigned long long)k->id);
	store_done(q);
	return step;
}

static int put_code(struct store *s, const struct kernel_row *k, struct err *e)
{
	int64_t image = 0;

	if (!k->image)
		return store_write(s, e, "code",
				   "INSERT INTO code VALUES (?, ?, ?, ?, NULL)",
				   "ibbb", (int64_t)k->id, k->code[0],
				   (size_t)k->code_bytes[0], k->code[1],
				   (size_t)k->code_bytes[1], k->code[2],
				   (size_t)k->code_bytes[2]);
	if (image_id(s, k->image, &image, e) != ERR_OK)
		return e->code;
	return store_write(s, e, "code",
			   "INSERT INTO code VALUES (?, ?, ?, ?, ?)", "ibbbi",
			   (int64_t)k->id, k->code[0], (size_t)k->code_bytes[0],
			   k->code[1], (size_t)k->code_bytes[1], k->code[2],
			   (size_t)k->code_bytes[2], image);
}

int store_kernel(struct store *s, int64_t run, uint32_t index,
		 const struct kernel_row *k, struct err *e)
{
	if (k->code[0] && k->code[1] && k->code[2]) {
		int have = have_code(s, k, e);

		if (have < 0 || (have == 0 && put_code(s, k, e) != ERR_OK))
			return e->code;
	}
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
		"iiitiiiiiiit", run, (int64_t)index, (int64_t)k->id, k->label,
		(int64_t)k->unroll[0], (int64_t)k->unroll[1],
		(int64_t)k->unroll[2], (int64_t)k->ops_per_body,
		(int64_t)k->calib, (int64_t)k->chains, (int64_t)k->instructions,
		kernel_class_word(k->class));
}

int store_kernel_place(struct store *s, int64_t run, uint32_t index,
		       uint32_t place, struct err *e)
{
	return store_write(s, e, "kernel",
			   "UPDATE kernel SET place = ?3 WHERE run = ?1 AND "
			   "kernel = ?2",
			   "iii", run, (int64_t)index, (int64_t)place);
}

int store_progress(struct store *s, int64_t run, uint32_t first, size_t n,
		   uint32_t *visits, struct err *e)
{
	sqlite3_stmt *q = store_cursor(
		s, e,
		"SELECT kernel, visit, 0 FROM sample "
		"WHERE run = ?1 AND kernel >= ?2 AND kernel < ?2 + ?3 "
		"UNION ALL SELECT kernel, 0, 1 FROM fault "
		"WHERE run = ?1 AND kernel >= ?2 AND kernel < ?2 + ?3 "
		"ORDER BY 3, 1, 2",
		"iii", run, (int64_t)first, (int64_t)n);
	int step;

	if (!q)
		return e->code;
	memset(visits, 0, n * sizeof(*visits));
	while ((step = store_step(s, q, e)) == 1) {
		struct store_row row = { .q = q };
		uint32_t kernel = row_u32(&row, 0) - first;
		uint32_t visit = row_u32(&row, 1);
		bool fault = row_u32(&row, 2) != 0;

		if (row.bad) {
			step = store_bad_row(s, &row, "sample", e);
			break;
		}
		if (kernel >= n)
			continue;
		/* Visits may have a gap: after the host was killed the board
		 * continues, and the visit in between was not stored. */
		if (fault)
			visits[kernel] = UINT32_MAX;
		else if (visit == visits[kernel])
			visits[kernel]++;
	}
	(void)sqlite3_finalize(q);
	return step;
}

int store_count_kernels(struct store *s, int64_t run, size_t *ret,
			struct err *e)
{
	sqlite3_stmt *q = store_query(
		s, e, "SELECT count(*) FROM kernel WHERE run = ?", "i", run);
	int step;

	if (!q)
		return e->code;
	step = store_step(s, q, e);
	if (step == 1)
		*ret = (size_t)sqlite3_column_int64(q, 0);
	store_done(q);
	return step == 1 ? ERR_OK : step;
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
