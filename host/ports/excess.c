/* Excess uops.
 *
 * Without a filler, a form may add more time to a kernel that saturates a set
 * of ports than its uops need: the front end groups the instructions otherwise,
 * or the scheduler gives a uop a port that it should have left to others.  Such
 * a form seems to have one uop more.  With it, the form alone would often keep
 * all ports of the set busy.  Then any instance of the set's class needs more
 * time.  If it does not, the form has one uop less.
 *
 * Seen on a Zen 5: four loads of a general register take a cycle; a load of a
 * vector, which has two of their ports, adds 0.43.  But two loads of vectors
 * and one of a general register take no longer than the two alone. */
#include <math.h>

#include "host/ports/infer.h"

/* Chosen.  busy: a set is saturated from this share of its port time on.
 * apart: two times differ if their ratio is larger. */
static const double busy = 0.9, apart = 1.15;

/* `times` instances of the form with `others` of the class: cycles with the
 * uops of the claim, and with one less. */
struct excess_test {
	uint32_t form;
	size_t class_id;
	uint32_t times, others;
	double with, without;
};

static double cycles_within(const struct form_state *f, model_ports set)
{
	double sum = 0;

	for (size_t u = 0; u < f->n_uses; u++)
		if ((f->uses[u].ports & ~set) == 0)
			sum += f->uses[u].n_uops * f->uses[u].cycles;
	return sum;
}

/* The use that may have one uop too many: of the uses within the set the one
 * with the most ports; n_uses: none. */
static size_t excess_use(const struct form_state *f, model_ports set)
{
	size_t ret = f->n_uses;
	unsigned most = 0;

	for (size_t u = 0; u < f->n_uses; u++) {
		const struct model_use *x = &f->uses[u];
		unsigned n = model_ports_count(x->ports);

		if ((x->ports & ~set) != 0 || n <= most || x->n_uops < 1 ||
		    x->cycles != 1)
			continue;
		most = n;
		ret = u;
	}
	return ret;
}

static bool excess_choose(const struct infer *in, uint32_t form, size_t c,
			  struct excess_test *ret)
{
	enum { TIMES = 2 };
	const struct form_state *f = &in->f[form];
	model_ports set = in->solution.row[c];
	double q = model_ports_count(set), within = cycles_within(f, set);
	double alone = f->alone.cycles;
	double room;

	if (in->classes[c].out || set == 0 || within < 2 ||
	    within < busy * q * alone || excess_use(f, set) == f->n_uses ||
	    !infer_may_mix(in, form, in->classes[c].form))
		return false;
	room = TIMES * (q * alone - within + 1);
	*ret = (struct excess_test){
		.form = form,
		.class_id = c,
		.times = TIMES,
		.others = (uint32_t)fmax(1, floor(room / 2)),
		.without = TIMES * alone,
	};
	ret->with = (TIMES * within + ret->others) / q;
	return ret->with > apart * ret->without &&
	       (TIMES + ret->others) * (1 + infer_uneven) <
		       in->width * ret->without;
}

static void excess_take_off(struct infer *in, const struct excess_test *t)
{
	struct form_state *f = &in->f[t->form];
	size_t u = excess_use(f, in->solution.row[t->class_id]);

	if (u == f->n_uses)
		return;
	f->uses[u].n_uops -= 1;
	if (f->uses[u].n_uops < 1e-9)
		f->uses[u] = f->uses[--f->n_uses];
	f->verdict = PORTS_OPEN;
	f->how = "from saturation kernels of classes, minus one uop: instances "
		 "of a class run with the form at no cost";
}

int infer_excess(struct infer *in)
{
	size_t most = in->q->n_forms * in->n_classes, n = 0;
	struct excess_test *tests =
		ARENA_ARRAY(in->a, struct excess_test, most + 1);
	struct ports_mix *mixes;
	struct ports_value *values;

	for (uint32_t i = 0; in->filler == PORTS_NONE && i < in->q->n_forms;
	     i++) {
		const struct form_state *f = &in->f[i];

		if (!infer_in_batch(in, i) || f->class_id != PORTS_NONE ||
		    !f->alone.has_value ||
		    (f->verdict != PORTS_OK && f->verdict != PORTS_OPEN))
			continue;
		for (size_t c = 0; c < in->n_classes; c++)
			n += excess_choose(in, i, c, &tests[n]);
	}
	mixes = ARENA_ARRAY(in->a, struct ports_mix, n + 1);
	values = ARENA_ARRAY(in->a, struct ports_value, n + 1);
	for (size_t i = 0; i < n; i++) {
		infer_add(&mixes[i], tests[i].form, tests[i].times);
		infer_add(&mixes[i], in->classes[tests[i].class_id].form,
			  tests[i].others);
	}
	if (infer_measure(in, PORTS_SATURATION, mixes, n, values) != ERR_OK)
		return in->e->code;
	/* One uop may saturate several sets. */
	for (size_t i = 0, last = in->q->n_forms; i < n; i++)
		if (values[i].has_value && tests[i].form != last &&
		    values[i].cycles < (tests[i].with + tests[i].without) / 2) {
			excess_take_off(in, &tests[i]);
			last = tests[i].form;
		}
	return ERR_OK;
}
