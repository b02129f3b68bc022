/* Instructions that are slower because another unit has written one of their sources:
 * a core may make all their sources wait as long as this one would, and does so as long
 * as the register keeps its value. */
#include <math.h>
#include <string.h>

#include "host/predict/body.h"

enum { NO_OP = -1 };

/* The op that wrote each register last; NO_OP: none of the loop. */
struct writers {
	int32_t of[BODY_UNITS];
};

/* An eliminated move hands its source on. */
static void note_writer(struct writers *w, const struct body *b, int32_t op)
{
	const struct op *o = &b->ops[op];
	int32_t writer = op;

	if (o->eliminated)
		writer = o->n_reads > 0 ? w->of[o->reads[0].unit] : NO_OP;
	for (size_t i = 0; i < o->n_writes; i++)
		for (unsigned k = 0; k < o->writes[i].span; k++)
			w->of[o->writes[i].unit + k] = writer;
}

static double longest_wait(const struct writers *w, const struct body *b,
			   const struct op *o)
{
	double most = 0;

	for (size_t r = 0; r < o->n_reads; r++) {
		int32_t writer = w->of[o->reads[r].unit];

		if (o->reads[r].address || writer == NO_OP ||
		    !b->ops[writer].costs)
			continue;
		most = fmax(most, completed_written(b->completion, o->costs,
						    b->ops[writer].costs));
	}
	return most;
}

static void add_wait(struct body *b, struct op *o, double cycles)
{
	size_t n = (o->n_reads + 2) * (o->n_writes + 1);
	double *l = arena_copy(b->a, o->latency, n * sizeof(*l));

	for (size_t i = 0; i < n; i++)
		if (l[i] >= 0)
			l[i] += cycles;
	o->latency = l;
}

/* Twice, since the first instructions read what the last ones wrote. */
void body_wait_written(struct body *b)
{
	struct writers w;

	if (b->model->n_written == 0)
		return;
	memset(w.of, 0xff, sizeof(w.of));
	for (size_t i = 0; i < b->n; i++)
		note_writer(&w, b, (int32_t)i);
	for (size_t i = 0; i < b->n; i++) {
		struct op *o = &b->ops[i];
		double cycles = o->costs && !o->eliminated && !o->is_zero_idiom
					? longest_wait(&w, b, o)
					: 0;

		if (cycles > 0)
			add_wait(b, o, cycles);
		note_writer(&w, b, (int32_t)i);
	}
}
