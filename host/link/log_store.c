/* Stores what the reader of recorded logs found (log.c), with the intake of a
 * live session. */
#include <string.h>

#include "host/link/intake.h"
#include "host/link/lines.h"
#include "host/link/link.h"

static int store_line(void *context, const char *line, size_t n, struct err *e)
{
	struct intake *in = context;
	int ret = intake_line(in, line, n, NULL, NULL, e);

	return ret == ERR_OK ? intake_commit(in, false, e) : ret;
}

static void accept_kernels(struct arena *a, const struct link_log *log,
			   struct intake *in)
{
	size_t n = log->n_kernels
			   ? (size_t)log->kernels[log->n_kernels - 1].index + 1
			   : 0;
	struct intake_kernel *kernels = ARENA_ARRAY(a, struct intake_kernel, n);

	for (size_t i = 0; i < log->n_kernels; i++) {
		const struct link_log_kernel *from = &log->kernels[i];
		struct intake_kernel *to = &kernels[from->index];

		to->accept = true;
		to->id = from->id;
		to->label = from->label;
		memcpy(to->unroll, from->unroll, sizeof(to->unroll));
	}
	in->kernels = kernels;
	in->n_kernels = n;
}

static int store_lines(const struct link_log *log, struct intake *in,
		       struct err *e)
{
	const char *bytes = (const char *)log->bytes;
	struct lines l = { .n = 0 };

	in->is_known = true;
	if (lines_feed(&l, bytes, log->n_known, store_line, in, e) != ERR_OK)
		return e->code;
	in->is_known = false;
	if (lines_feed(&l, bytes + log->n_known, log->n_bytes - log->n_known,
		       store_line, in, e) != ERR_OK)
		return e->code;
	return lines_end(&l, store_line, in, e);
}

int link_log_store(struct store *s, int64_t run, uint32_t first,
		   const struct link_log *log,
		   struct link_log_counts *ret_counts, struct err *e)
{
	struct arena a = { 0 };
	struct intake *in = ARENA_NEW(&a, struct intake);
	struct intake_joint joint = { .in_transaction = false };

	in->store = s;
	in->joint = &joint;
	in->run = run;
	in->first_kernel = first;
	in->isa = log->isa;
	in->pack_id = log->pack_id;
	in->code = ERR_INPUT;
	accept_kernels(&a, log, in);

	int ret = store_lines(log, in, e);
	int kept = intake_commit(in, true, e);

	if (ret == ERR_OK)
		ret = kept;
	if (ret == ERR_OK)
		*ret_counts = (struct link_log_counts){
			.n_samples = in->counts.n_samples,
			.n_faults = in->counts.n_faults,
			.n_text = in->counts.n_text,
			.n_damaged = in->counts.n_damaged,
			.n_refused = in->counts.n_refused,
			.n_missing = in->counts.n_missing,
		};
	arena_free(&a);
	return ret;
}
