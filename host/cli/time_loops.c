/* anechoic time --loops: what was measured and predicted, as `anechoic site --loops`
 * reads it (docs/site.md). */
#include <string.h>

#include "host/base/csv.h"
#include "host/cli/time_blocks.h"

/* The input that has the core's model, without folders; "": LLVM's tables. */
static const char *model_file(const struct timing_job *j)
{
	const char *path = j->o->model ? j->o->model : j->o->r.q.db;
	const char *slash;

	if (!path || j->o->cpu || strcmp(path, j->model_name) != 0)
		return "";
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void put_loop(const struct corpus *w, const struct block *b,
		     struct buffer *out)
{
	csv_add(out, model_file(w->j));
	buffer_printf(out, ",");
	csv_add(out, completed_model(w->j->model)->cpu);
	buffer_printf(out, ",");
	csv_add(out, b->name);
	buffer_printf(out, ",%.6g,%.6g,", time_block_value(b),
		      b->scored->predicted);
	csv_add(out, b->limit ? b->limit : "");
	for (size_t i = 0; i < w->scored.n_against; i++)
		buffer_printf(out, b->scored->against[i] > 0 ? ",%.6g" : ",",
			      b->scored->against[i]);
	buffer_printf(out, "\n");
}

int time_write_loops(const struct corpus *w, struct err *e)
{
	struct buffer out = { 0 };

	if (!w->j->o->loops)
		return ERR_OK;
	buffer_printf(&out, "file,cpu,loop,measured,predicted,limit");
	for (size_t i = 0; i < w->scored.n_against; i++) {
		buffer_printf(&out, ",");
		csv_add(&out, w->scored.against[i]);
	}
	buffer_printf(&out, "\n");
	for (size_t i = 0; i < w->n; i++)
		if (w->j->model && w->blocks[i].scored->predicted > 0 &&
		    time_block_value(&w->blocks[i]) > 0)
			put_loop(w, &w->blocks[i], &out);
	(void)file_write(w->j->o->loops, out.bytes, out.n, e);
	buffer_free(&out);
	return e->code;
}
