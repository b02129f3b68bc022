/* Writes samples and faults, and reads all results of a run. */
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

	int ret = store_write(s, e, "sample",
			      "INSERT OR REPLACE INTO sample "
			      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			      "iiiiiiiiibbi", run, (int64_t)m->kernel,
			      (int64_t)m->visit, (int64_t)m->n_iterations,
			      (int64_t)m->calib_iterations[0],
			      (int64_t)m->calib_iterations[1],
			      (int64_t)m->calib_iterations[2],
			      (int64_t)m->n_rows, (int64_t)m->row, bytes,
			      n_bytes, retired, n_retired, (int64_t)m->core);

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
			   "iitiii", run, (int64_t)f->kernel, f->cause,
			   (int64_t)f->code, (int64_t)f->pc,
			   (int64_t)f->address);
}

int store_fault_remove(struct store *s, int64_t run, uint32_t kernel,
		       struct err *e)
{
	return store_write(s, e, "fault",
			   "DELETE FROM fault WHERE run = ? AND kernel = ?",
			   "ii", run, (int64_t)kernel);
}

/* Three cursors in kernel order, merged: each row is read once. */
/* Size of images in old packs, whose layout differs: such an image counts as
 * unknown. */
enum { IMAGE_OF_VERSION_1 = 1112 };

struct run_walk {
	struct store *s;
	sqlite3_stmt *kernels, *samples, *faults;
	bool more_samples, more_faults;
	bool with_code;
	struct store_part part;
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

static int open_walk(struct run_walk *w, int64_t run, struct err *e)
{
	int64_t first = w->part.first;
	int64_t end = w->part.end > 0 ? w->part.end : INT64_MAX;
	static const char bare[] = KERNEL_COLUMNS " FROM kernel " KERNEL_ORDER;
	static const char whole[] = KERNEL_COLUMNS CODE_COLUMNS
		"FROM kernel LEFT JOIN code ON code.id = content "
		"LEFT JOIN image ON image.id = code.image " KERNEL_ORDER;

	w->kernels = store_cursor(w->s, e, w->with_code ? whole : bare, "iii",
				  run, first, end);
	w->samples = store_cursor(
		w->s, e,
		"SELECT kernel, visit, iterations, iterations_a, "
		"iterations_b, iterations_probe, n_rows, row, \"values\", "
		"retired, core "
		"FROM sample " IN_PART "ORDER BY kernel, visit",
		"iii", run, first, end);
	w->faults = store_cursor(w->s, e,
				 "SELECT kernel, cause, code, pc, address "
				 "FROM fault " IN_PART "ORDER BY kernel",
				 "iii", run, first, end);
	return e->code;
}

static void close_walk(struct run_walk *w)
{
	(void)sqlite3_finalize(w->kernels);
	(void)sqlite3_finalize(w->samples);
	(void)sqlite3_finalize(w->faults);
	buffer_free(&w->sample_rows);
	buffer_free(&w->values);
}

/* Advance a cursor; *ret_more says whether it is on a row. */
static int next_row(struct run_walk *w, sqlite3_stmt *q, bool *ret_more,
		    struct err *e)
{
	int step = store_step(w->s, q, e);

	*ret_more = step == 1;
	return step == 1 ? 0 : step;
}

static void read_code(struct run_walk *w, struct store_row *row,
		      struct kernel_row *k)
{
	enum { CODE = 11, IMAGE = CODE + PACK_LENGTHS };
	size_t n;

	for (int i = 0; i < PACK_LENGTHS; i++) {
		k->code[i] = row_blob(row, CODE + i, &n);
		k->code_bytes[i] = (uint32_t)n;
	}

	const void *image = row_blob(row, IMAGE, &n);

	if (image && n == sizeof(w->image)) {
		memcpy(&w->image, image, n);
		k->image = &w->image;
	} else if (image && n != IMAGE_OF_VERSION_1) {
		row_refuse(row, IMAGE);
	}
}

static int read_kernel(struct run_walk *w, struct kernel_result *r,
		       struct err *e)
{
	struct store_row row = { .q = w->kernels };

	*r = (struct kernel_result){
		.index = row_u32(&row, 0),
		.kernel = {
			.id = row_u64(&row, 1),
			.label = row_text(&row, 2),
			.ops_per_body = row_u32(&row, 6),
			.calib = row_u32(&row, 7) != 0,
			.chains = row_u32(&row, 8),
			.instructions = row_u32(&row, 9),
			.class = kernel_class_of(row_text(&row, 10)),
		},
	};
	for (int i = 0; i < PACK_LENGTHS; i++)
		r->kernel.unroll[i] = row_u32(&row, 3 + i);
	if (w->with_code)
		read_code(w, &row, &r->kernel);
	if (strlen(r->kernel.label) >= PACK_MAX_LABEL)
		row_refuse(&row, 2);
	return row.bad ? store_bad_row(w->s, &row, "kernel", e) : ERR_OK;
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

/* Append the sample under the cursor.  Its pointers are only NULL or not NULL
 * until collect_samples() sets them, because the buffer of numbers may move. */
static int read_sample(struct run_walk *w, struct err *e)
{
	static const uint64_t something;
	struct store_row row = { .q = w->samples, .n_keys = 2 };
	struct sample m = {
		.kernel = row_u32(&row, 0),
		.visit = row_u32(&row, 1),
		.n_iterations = row_u64(&row, 2),
		.calib_iterations = { row_u64(&row, 3), row_u64(&row, 4),
				      row_u64(&row, 5) },
		.n_rows = row_u32(&row, 6),
		.row = row_u32(&row, 7),
		.core = row_u32(&row, 10),
	};
	size_t n_bytes, n_retired;
	const unsigned char *bytes = row_blob(&row, 8, &n_bytes);
	const unsigned char *retired = row_blob(&row, 9, &n_retired);
	size_t n = (size_t)m.n_rows * m.row;

	if (!shape_ok(m.n_rows, m.row))
		row_refuse(&row, 6);
	else if (!read_values(w, bytes, n_bytes, n))
		row_refuse(&row, 8);
	else if (retired && !read_values(w, retired, n_retired, n))
		row_refuse(&row, 9);
	if (row.bad)
		return store_bad_row(w->s, &row, "sample", e);
	if (retired)
		m.retired = &something;
	buffer_add(&w->sample_rows, &m, sizeof(m));
	return ERR_OK;
}

/* Read all samples of kernel r->index. */
static int collect_samples(struct run_walk *w, struct kernel_result *r,
			   struct err *e)
{
	w->sample_rows.n = 0;
	w->values.n = 0;
	while (w->more_samples &&
	       sqlite3_column_int64(w->samples, 0) <= r->index) {
		if (sqlite3_column_int64(w->samples, 0) == r->index &&
		    read_sample(w, e) != ERR_OK)
			return e->code;
		if (next_row(w, w->samples, &w->more_samples, e) != ERR_OK)
			return e->code;
	}

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

static int collect_fault(struct run_walk *w, struct kernel_result *r,
			 struct err *e)
{
	struct store_row row = { .q = w->faults };

	while (w->more_faults && sqlite3_column_int64(w->faults, 0) < r->index)
		if (next_row(w, w->faults, &w->more_faults, e) != ERR_OK)
			return e->code;
	if (!w->more_faults || sqlite3_column_int64(w->faults, 0) != r->index)
		return ERR_OK;
	w->fault = (struct fault_row){
		.kernel = r->index,
		.cause = row_text(&row, 1),
		.code = row_u64(&row, 2),
		.pc = row_u64(&row, 3),
		.address = row_u64(&row, 4),
	};
	r->fault = &w->fault;
	return row.bad ? store_bad_row(w->s, &row, "fault", e) : ERR_OK;
}

static bool is_skipped(const struct run_walk *w, int64_t kernel)
{
	const struct store_part *p = &w->part;

	return kernel >= 0 && (uint64_t)kernel < p->n_skip && p->skip[kernel];
}

/* Begin a cursor again at `kernel`. */
static int seek(struct run_walk *w, sqlite3_stmt *q, int64_t kernel,
		bool *ret_more, struct err *e)
{
	enum { FIRST = 2 }; /* parameter of IN_PART */

	(void)sqlite3_reset(q);
	if (sqlite3_bind_int64(q, FIRST, kernel) != SQLITE_OK)
		return store_fail(w->s, "kernel", e);
	return next_row(w, q, ret_more, e);
}

/* The cursor is on a kernel that is left out.  Where many follow, go on behind
 * them. */
static int pass_skipped(struct run_walk *w, bool *ret_more, struct err *e)
{
	enum { MANY = 64 };
	int64_t first = sqlite3_column_int64(w->kernels, 0), next = first;

	while (is_skipped(w, next))
		next++;
	if (next - first < MANY)
		return next_row(w, w->kernels, ret_more, e);
	if (!w->part.labels_only &&
	    seek(w, w->samples, next, &w->more_samples, e) != ERR_OK)
		return e->code;
	return seek(w, w->kernels, next, ret_more, e);
}

static int walk_all(struct run_walk *w, store_each_kernel *each, void *context,
		    struct err *e)
{
	struct kernel_result r;
	bool more;
	int ret;

	if ((!w->part.labels_only &&
	     next_row(w, w->samples, &w->more_samples, e) != ERR_OK) ||
	    next_row(w, w->faults, &w->more_faults, e) != ERR_OK)
		return e->code;
	ret = next_row(w, w->kernels, &more, e);
	while (ret == ERR_OK && more) {
		if (is_skipped(w, sqlite3_column_int64(w->kernels, 0))) {
			ret = pass_skipped(w, &more, e);
			continue;
		}
		if (read_kernel(w, &r, e) != ERR_OK ||
		    collect_samples(w, &r, e) != ERR_OK ||
		    collect_fault(w, &r, e) != ERR_OK)
			return e->code;
		ret = each(context, &r, e);
		if (ret == 0)
			ret = next_row(w, w->kernels, &more, e);
	}
	return ret;
}

static int walk_run(struct run_walk *w, int64_t run, store_each_kernel *each,
		    void *context, struct err *e)
{
	int ret = open_walk(w, run, e);

	if (ret == ERR_OK)
		ret = walk_all(w, each, context, e);
	close_walk(w);
	return ret;
}

int store_kernels(struct store *s, int64_t run, store_each_kernel *each,
		  void *context, struct err *e)
{
	struct run_walk w = { .s = s, .with_code = true };

	return walk_run(&w, run, each, context, e);
}

int store_kernels_of(struct store *s, int64_t run,
		     const struct store_part *part, store_each_kernel *each,
		     void *context, struct err *e)
{
	struct run_walk w = { .s = s, .part = *part, .with_code = part->code };

	return walk_run(&w, run, each, context, e);
}
