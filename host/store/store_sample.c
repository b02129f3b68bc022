/* Writes samples and faults, and reads all results of a run. */
#include "host/store/store_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/store/store_db.h"
#include "host/store/store_varint.h"

enum { MAX_ROWS = 1 << 20 };

static bool shape_ok(uint32_t n_rows, uint32_t row)
{
	return (row_is_core(row) || row_is_ref(row)) && n_rows <= MAX_ROWS;
}

int store_sample(struct store *s, int64_t run, const struct sample *m,
		 struct err *e)
{
	size_t n = (size_t)m->n_rows * m->row;

	if (!shape_ok(m->n_rows, m->row))
		return err_set(e, ERR_INPUT,
			       "sample of kernel %u: rows must have %d, %d or "
			       "%d numbers, and there may be %d rows",
			       m->kernel, ROW_CORE, ROW_REF, ROW_REF_WIDE,
			       MAX_ROWS);

	unsigned char *bytes = xrealloc(NULL, n + 1, VARINT_MAX_BYTES);
	size_t n_bytes = varint_encode(m->values, n, bytes);
	unsigned char *retired = NULL;
	size_t n_retired = 0;

	if (m->retired) {
		retired = xrealloc(NULL, n + 1, VARINT_MAX_BYTES);
		n_retired = varint_encode(m->retired, n, retired);
	}

	int ret = store_write(
		s, e, "sample",
		"INSERT OR REPLACE INTO sample "
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"iuuiiiiuubbu", run, m->kernel, m->visit,
		(int64_t)m->n_iterations, (int64_t)m->calib_iterations[0],
		(int64_t)m->calib_iterations[1],
		(int64_t)m->calib_iterations[2], m->n_rows, m->row, bytes,
		n_bytes, retired, n_retired, m->core);

	free(retired);
	free(bytes);
	return ret;
}

int store_fault(struct store *s, int64_t run, const struct fault_row *f,
		struct err *e)
{
	return store_write(s, e, "fault",
			   "INSERT OR REPLACE INTO fault "
			   "VALUES (?, ?, ?, ?, ?, ?)",
			   "iutiii", run, f->kernel, f->cause, (int64_t)f->code,
			   (int64_t)f->pc, (int64_t)f->address);
}

int store_fault_remove(struct store *s, int64_t run, uint32_t kernel,
		       struct err *e)
{
	return store_write(s, e, "fault",
			   "DELETE FROM fault WHERE run = ? AND kernel = ?",
			   "iu", run, kernel);
}

/* Size of images in old packs, whose layout differs: such an image counts as
 * unknown. */
enum { IMAGE_OF_VERSION_1 = 1112 };

/* Three queries in the order of kernels, read side by side: each row is read
 * once. */
struct run_walk {
	struct rows kernels, samples, faults;
	const struct store_part *part;
	/* Buffers of the current kernel, reused for the next. */
	struct buffer sample_rows; /* struct sample */
	struct buffer values;      /* uint64_t, all rows of all samples */
	struct pack_image image;
	struct fault_row fault;
};

/* Code is most of a database's size, and few callers need it. */
#define KERNEL_COLUMNS                                               \
	"SELECT kernel, content, label, unroll0, unroll1, unroll2, " \
	"ops_per_body, calib, chains, instructions, class"
#define CODE_COLUMNS ", code0, code1, code2, image.bytes "
#define IN_PART      "WHERE run = ? AND kernel >= ? AND kernel < ? "
#define KERNEL_ORDER IN_PART "ORDER BY kernel"

static void open_walk(struct run_walk *w, struct store *s, int64_t run,
		      struct err *e)
{
	int64_t first = w->part->first;
	int64_t end = w->part->end > 0 ? w->part->end : INT64_MAX;
	static const char bare[] = KERNEL_COLUMNS " FROM kernel " KERNEL_ORDER;
	static const char whole[] = KERNEL_COLUMNS CODE_COLUMNS
		"FROM kernel LEFT JOIN code ON code.id = content "
		"LEFT JOIN image ON image.id = code.image " KERNEL_ORDER;

	w->kernels = store_rows(s, e, "kernel", w->part->code ? whole : bare,
				"iii", run, first, end);
	w->samples = store_rows(
		s, e, "sample",
		"SELECT kernel, visit, iterations, iterations_a, "
		"iterations_b, iterations_probe, n_rows, row, \"values\", "
		"retired, core "
		"FROM sample " IN_PART "ORDER BY kernel, visit",
		"iii", run, first, end);
	w->samples.n_keys = 2;
	w->faults = store_rows(s, e, "fault",
			       "SELECT kernel, cause, code, pc, address "
			       "FROM fault " IN_PART "ORDER BY kernel",
			       "iii", run, first, end);
}

static void read_code(struct run_walk *w, struct kernel_row *k)
{
	enum { CODE = 11, IMAGE = CODE + PACK_LENGTHS };
	size_t n;

	for (int i = 0; i < PACK_LENGTHS; i++) {
		k->code[i] = row_blob(&w->kernels, CODE + i, &n);
		k->code_bytes[i] = (uint32_t)n;
	}

	const void *image = row_blob(&w->kernels, IMAGE, &n);

	if (image && n == sizeof(w->image)) {
		memcpy(&w->image, image, n);
		k->image = &w->image;
	} else if (image && n != IMAGE_OF_VERSION_1) {
		row_refuse(&w->kernels, IMAGE);
	}
}

static bool read_kernel(struct run_walk *w, struct kernel_result *r)
{
	struct rows *row = &w->kernels;

	*r = (struct kernel_result){
		.index = row_u32(row, 0),
		.kernel = {
			.id = row_u64(row, 1),
			.label = row_text(row, 2),
			.ops_per_body = row_u32(row, 6),
			.calib = row_u32(row, 7) != 0,
			.chains = row_u32(row, 8),
			.instructions = row_u32(row, 9),
			.class = kernel_class_of(row_text(row, 10)),
		},
	};
	for (int i = 0; i < PACK_LENGTHS; i++)
		r->kernel.unroll[i] = row_u32(row, 3 + i);
	if (w->part->code)
		read_code(w, &r->kernel);
	if (strlen(r->kernel.label) >= PACK_MAX_LABEL)
		row_refuse(row, 2);
	return rows_good(row);
}

/* Decode a blob of exactly n numbers; false if it has not n. */
static bool read_values(struct run_walk *w, const unsigned char *bytes,
			size_t n_bytes, size_t n)
{
	/* Each value takes at least a byte, so a small blob cannot cause a
	 * large allocation. */
	if (n > n_bytes)
		return false;

	uint64_t *values = xrealloc(NULL, n, sizeof(*values));
	bool good = varint_decode(bytes, n_bytes, values, n);

	if (good)
		buffer_add(&w->values, values, n * sizeof(*values));
	free(values);
	return good;
}

/* Append a sample.  Its pointers are only NULL or not NULL until
 * collect_samples() sets them, because the buffer of numbers may move. */
static bool read_sample(struct run_walk *w)
{
	static const uint64_t something;
	struct rows *row = &w->samples;
	struct sample m = {
		.kernel = row_u32(row, 0),
		.visit = row_u32(row, 1),
		.n_iterations = row_u64(row, 2),
		.calib_iterations = { row_u64(row, 3), row_u64(row, 4),
				      row_u64(row, 5) },
		.n_rows = row_u32(row, 6),
		.row = row_u32(row, 7),
		.core = row_u32(row, 10),
	};
	size_t n_bytes, n_retired;
	const unsigned char *bytes = row_blob(row, 8, &n_bytes);
	const unsigned char *retired = row_blob(row, 9, &n_retired);
	size_t n = (size_t)m.n_rows * m.row;

	if (!shape_ok(m.n_rows, m.row))
		row_refuse(row, 6);
	else if (!read_values(w, bytes, n_bytes, n))
		row_refuse(row, 8);
	else if (retired && !read_values(w, retired, n_retired, n))
		row_refuse(row, 9);
	if (retired)
		m.retired = &something;
	buffer_add(&w->sample_rows, &m, sizeof(m));
	return rows_good(row);
}

/* Read all samples of kernel r->index. */
static int collect_samples(struct run_walk *w, struct kernel_result *r)
{
	w->sample_rows.n = 0;
	w->values.n = 0;
	while (w->samples.more &&
	       sqlite3_column_int64(w->samples.q, 0) <= r->index) {
		if (sqlite3_column_int64(w->samples.q, 0) == r->index &&
		    !read_sample(w))
			break;
		(void)rows_next(&w->samples);
	}
	if (w->samples.status != ERR_OK)
		return w->samples.status;

	struct sample *list = (void *)w->sample_rows.bytes;
	const uint64_t *values = (const void *)w->values.bytes;

	r->n_samples = w->sample_rows.n / sizeof(*list);
	for (size_t i = 0; i < r->n_samples; i++) {
		size_t n = (size_t)list[i].n_rows * list[i].row;

		list[i].values = values;
		values += n;
		if (!list[i].retired)
			continue;
		list[i].retired = values;
		values += n;
	}
	r->samples = list;
	return ERR_OK;
}

static int collect_fault(struct run_walk *w, struct kernel_result *r)
{
	struct rows *row = &w->faults;

	while (row->more && sqlite3_column_int64(row->q, 0) < r->index)
		(void)rows_next(row);
	if (!row->more || sqlite3_column_int64(row->q, 0) != r->index)
		return row->status;
	w->fault = (struct fault_row){
		.kernel = r->index,
		.cause = row_text(row, 1),
		.code = row_u64(row, 2),
		.pc = row_u64(row, 3),
		.address = row_u64(row, 4),
	};
	r->fault = &w->fault;
	return rows_good(row) ? ERR_OK : row->status;
}

static bool is_skipped(const struct run_walk *w, int64_t kernel)
{
	const struct store_part *p = w->part;

	return kernel >= 0 && (uint64_t)kernel < p->n_skip && p->skip[kernel];
}

/* Begin a query again at `kernel`. */
static void seek(struct rows *r, int64_t kernel)
{
	enum { FIRST = 2 }; /* parameter of IN_PART */

	if (!r->more)
		return;
	(void)sqlite3_reset(r->q);
	if (sqlite3_bind_int64(r->q, FIRST, kernel) != SQLITE_OK)
		r->status = store_fail(r->s, "kernel", r->e);
	(void)rows_next(r);
}

/* It is on a kernel that is left out.  Where many follow, go on behind
 * them. */
static void pass_skipped(struct run_walk *w)
{
	enum { MANY = 64 };
	int64_t first = sqlite3_column_int64(w->kernels.q, 0), next = first;

	while (is_skipped(w, next))
		next++;
	if (next - first < MANY) {
		(void)rows_next(&w->kernels);
		return;
	}
	seek(&w->samples, next);
	seek(&w->kernels, next);
}

static void walk_all(struct run_walk *w, store_each_kernel *each, void *context,
		     struct err *e)
{
	struct rows *k = &w->kernels;
	struct kernel_result r;

	if (!w->part->labels_only)
		(void)rows_next(&w->samples);
	(void)rows_next(&w->faults);
	(void)rows_next(k);
	while (k->more) {
		if (is_skipped(w, sqlite3_column_int64(k->q, 0))) {
			pass_skipped(w);
			continue;
		}
		if (!read_kernel(w, &r))
			return;
		k->status = collect_samples(w, &r);
		if (k->status == ERR_OK)
			k->status = collect_fault(w, &r);
		if (k->status == ERR_OK)
			k->status = each(context, &r, e);
		(void)rows_next(k);
	}
}

int store_kernels(struct store *s, int64_t run, store_each_kernel *each,
		  void *context, struct err *e)
{
	const struct store_part all = { .code = true };

	return store_kernels_of(s, run, &all, each, context, e);
}

int store_kernels_of(struct store *s, int64_t run,
		     const struct store_part *part, store_each_kernel *each,
		     void *context, struct err *e)
{
	struct run_walk w = { .part = part };
	int kernels, samples, faults;

	open_walk(&w, s, run, e);
	walk_all(&w, each, context, e);
	kernels = rows_end(&w.kernels);
	samples = rows_end(&w.samples);
	faults = rows_end(&w.faults);
	buffer_free(&w.sample_rows);
	buffer_free(&w.values);
	return kernels ? kernels : samples ? samples : faults;
}
