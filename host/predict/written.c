/* Instructions that are slower because another unit wrote one of their sources.
 * A core may delay all sources of such an instruction by the same cycles, in
 * every iteration until the register is overwritten. */
#include <math.h>
#include <string.h>

#include "host/predict/bind.h"

enum { NO_OP = -1 };

/* The op that wrote each register last; NO_OP: none of the loop. */
struct writers {
	int32_t of[BODY_UNITS];
};

/* An eliminated move passes the writer of its source on. */
static void note_writer(struct writers *w, const struct body *b, int32_t op)
{
	const struct op *o = &b->ops[op];
	int32_t writer = o->is_zero_idiom ? NO_OP : op;

	if (o->eliminated)
		writer = o->n_reads > 0 ? w->of[o->reads[0].unit] : NO_OP;
	for (size_t i = 0; i < o->n_writes; i++)
		for (unsigned k = 0; k < o->writes[i].span; k++)
			w->of[o->writes[i].unit + k] = writer;
}

/* The writers before the first instruction, in a late iteration.  Each pass
 * carries a value through one more move at least. */
static void find_writers(struct writers *w, const struct body *b)
{
	enum { MOST_PASSES = 16 };
	size_t n_passes = 1;

	memset(w->of, 0xff, sizeof(w->of));
	for (size_t i = 0; i < b->n; i++)
		n_passes += b->ops[i].eliminated;
	for (size_t k = 0; k < n_passes && k < MOST_PASSES; k++)
		for (size_t i = 0; i < b->n; i++)
			note_writer(w, b, (int32_t)i);
}

/* Most loops have no instruction whose form was measured so. */
static bool has_readers(const struct body *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->ops[i].costs && b->ops[i].costs->written != 0)
			return true;
	return false;
}

static double longest_wait(const struct writers *w, const struct body *b,
			   const struct op *o)
{
	double most = 0;

	for (size_t r = 0; r < o->n_reads; r++)
		for (unsigned k = 0; k < o->reads[r].span; k++) {
			int32_t writer = w->of[o->reads[r].unit + k];

			if (o->reads[r].address || writer == NO_OP ||
			    !b->ops[writer].costs)
				continue;
			most = fmax(most,
				    completed_written(b->completion, o->costs,
						      b->ops[writer].costs));
		}
	return most;
}

/* Of the registers that it computes with: an access does not wait for these. */
static void add_wait(struct body *b, struct op *o, double cycles)
{
	size_t columns = o->n_writes + 1;
	double *l = arena_copy(b->a, o->latency,
			       (o->n_reads + 2) * columns * sizeof(*l));

	for (size_t r = 0; r < o->n_reads; r++)
		for (size_t w = 0; w < columns && !o->reads[r].address; w++)
			if (l[r * columns + w] >= 0)
				l[r * columns + w] += cycles;
	o->latency = l;
}

void bind_written(struct body *b)
{
	struct writers w;

	if (b->model->n_written == 0 || !has_readers(b))
		return;
	find_writers(&w, b);
	for (size_t i = 0; i < b->n; i++) {
		struct op *o = &b->ops[i];
		double cycles = op_is_executed(o) ? longest_wait(&w, b, o) : 0;

		if (cycles > 0)
			add_wait(b, o, cycles);
		note_writer(&w, b, (int32_t)i);
	}
}
