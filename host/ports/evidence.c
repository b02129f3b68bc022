/* Evidence for the matrix; see evidence.h. */
#include "host/ports/evidence.h"

#include <math.h>

/* A real scheduler is up to a tenth slower than the best one where ports are
 * scarce. The best time lies at most this far below the measured one, or above
 * it. One port of seven more or less is an eighth. */
static const double below = 0.11, above = 0.03;
const double evidence_far_below = 0.25;

struct matrix_experiment evidence_within(const struct infer *in,
					 const struct ports_mix *mix,
					 const struct ports_value *v,
					 double less)
{
	double t = infer_tolerance(v), front;
	struct matrix_experiment x = {
		.n = mix->n,
		.low = v->cycles * (1 - fmax(t, less)),
		.high = v->cycles * (1 + fmax(t, above)),
	};

	front = infer_instances(mix) / in->width;
	/* The front end may be the limit. */
	if (in->filler == PORTS_NONE && v->cycles < front * (1 + infer_uneven))
		x.low = fmin(x.low, front);
	for (size_t i = 0; i < mix->n; i++) {
		x.part[i].row = (uint32_t)in->f[mix->part[i].form].class_id;
		x.part[i].count = mix->part[i].count;
	}
	return x;
}

struct matrix_experiment evidence_bounds(const struct infer *in,
					 const struct ports_mix *mix,
					 const struct ports_value *v)
{
	return evidence_within(in, mix, v, below);
}

void evidence_keep(struct infer *in, const struct ports_mix *mix,
		   const struct ports_value *v, struct matrix_experiment x,
		   bool weak)
{
	struct mix_evidence e = { *mix, *v, weak };
	bool dropped = !v->has_value;

	buffer_add(&in->evidence, &e, sizeof(e));
	buffer_add(&in->experiments, &x, sizeof(x));
	buffer_add(&in->dropped, &dropped, sizeof(dropped));
}

struct matrix_problem *evidence_problem(struct infer *in)
{
	struct matrix_problem *p = &in->problem;

	p->n_rows = in->n_classes;
	for (size_t i = 0; i < in->n_classes; i++)
		p->size[i] = in->classes[i].out ? 0 : in->classes[i].size;
	p->width = in->width;
	p->cap = in->cap;
	p->experiments = (const void *)in->experiments.bytes;
	p->n_experiments = in->experiments.n / sizeof(*p->experiments);
	p->dropped = (const void *)in->dropped.bytes;
	p->steps = NULL;
	return p;
}

struct matrix_problem *evidence_question(struct infer *in)
{
	struct matrix_problem *p = evidence_problem(in);

	p->steps = &in->steps;
	return p;
}

static bool is_about(const struct infer *in, const struct ports_mix *mix,
		     size_t c)
{
	for (size_t k = 0; k < mix->n; k++)
		if (mix->part[k].form == in->classes[c].form)
			return true;
	return false;
}

struct matrix_problem evidence_problem_without(struct infer *in, size_t c)
{
	const struct mix_evidence *e = (const void *)in->evidence.bytes;
	struct matrix_problem p = *evidence_question(in);
	bool *dropped = ARENA_ARRAY(in->a, bool, p.n_experiments + 1);

	for (size_t i = 0; i < p.n_experiments; i++)
		dropped[i] = p.dropped[i] || is_about(in, &e[i].mix, c);
	p.dropped = dropped;
	p.size[c] = 0;
	return p;
}

/* Exclude a class whose mixes no matrix explains. The class and its members are
 * left to the saturation kernels. */
void evidence_exclude_class(struct infer *in, size_t c)
{
	const struct mix_evidence *e = (const void *)in->evidence.bytes;
	bool *dropped = (void *)in->dropped.bytes;

	in->classes[c].out = true;
	in->n_ports = 0;
	for (size_t i = 0; i < in->evidence.n / sizeof(*e); i++)
		for (size_t k = 0; k < e[i].mix.n; k++)
			if (e[i].mix.part[k].form == in->classes[c].form)
				dropped[i] = true;
}

void evidence_add(struct infer *in, const struct ports_mix *mix,
		  const struct ports_value *v, bool weak)
{
	evidence_keep(in, mix, v, evidence_bounds(in, mix, v), weak);
}

bool evidence_loosen(struct infer *in, const bool *core)
{
	const struct mix_evidence *e = (const void *)in->evidence.bytes;
	struct matrix_experiment *x = (void *)in->experiments.bytes;
	bool any = false;

	for (size_t i = 0; i < in->evidence.n / sizeof(*e); i++) {
		struct matrix_experiment loose;

		if (!core[i])
			continue;
		loose = evidence_within(in, &e[i].mix, &e[i].value,
					evidence_far_below);
		any |= loose.low < x[i].low;
		x[i].low = fmin(x[i].low, loose.low);
	}
	return any;
}

unsigned evidence_n_members(const struct infer *in, size_t c)
{
	unsigned n = 0;

	for (size_t i = 0; i < in->q->n_forms; i++)
		n += in->f[i].class_id == (int32_t)c;
	return n;
}

/* Is class a a better choice to exclude than b? It is if it has more conflicts,
 * then fewer members, then fewer ports: a uop that is not pipelined looks like
 * a pipelined uop on fewer ports. */
static bool is_worse(const struct infer *in, const unsigned *complaints,
		     size_t x, size_t y)
{
	unsigned nx = evidence_n_members(in, x), ny = evidence_n_members(in, y);

	if (complaints[x] != complaints[y])
		return complaints[x] > complaints[y];
	if (nx != ny)
		return nx < ny;
	return in->classes[x].size < in->classes[y].size;
}

size_t evidence_worst(const struct infer *in, const unsigned *complaints)
{
	size_t worst = 0;

	for (size_t c = 1; c < in->n_classes; c++)
		if (is_worse(in, complaints, c, worst))
			worst = c;
	return worst;
}
