/* The bound is exact and comes from model_port_bound(). The shares come from
 * water-filling: each use in turn distributes its cycles over its ports so that
 * their sums become as equal as possible. The sums converge to those of the
 * best sharing. */
#include "host/predict/pressure.h"

#include <math.h>

struct pour {
	const struct model_use *use;
	uint32_t op;
	double *share; /* cycles on each port */
};

static double pressure_cycles_of(const struct model_use *u)
{
	return u->n_uops * u->cycles;
}

/* Distribute one use over its ports; height: sums without this use. */
static void pressure_level(struct pour *p, const double *height, size_t n_ports)
{
	double left = pressure_cycles_of(p->use), water = 0;
	model_ports in = 0;

	/* Fill the lowest ports to a common level until all cycles are
	 * placed. */
	for (;;) {
		size_t lowest = n_ports;
		double sum = 0;
		unsigned n = 0;

		for (size_t k = 0; k < n_ports; k++)
			if ((p->use->ports >> k & 1) && !(in >> k & 1) &&
			    (lowest == n_ports || height[k] < height[lowest]))
				lowest = k;
		if (lowest == n_ports || (in != 0 && height[lowest] >= water))
			break;
		in |= (model_ports)1 << lowest;
		for (size_t k = 0; k < n_ports; k++)
			if (in >> k & 1) {
				sum += height[k];
				n++;
			}
		water = (sum + left) / n;
	}
	for (size_t k = 0; k < n_ports; k++)
		p->share[k] = in >> k & 1 ? water - height[k] : 0;
}

static void spread_equally(struct pour *p, size_t n_ports)
{
	unsigned n = model_ports_count(p->use->ports);

	for (size_t k = 0; k < n_ports; k++)
		p->share[k] = p->use->ports >> k & 1
				      ? pressure_cycles_of(p->use) / n
				      : 0;
}

/* A uop has no share of other ports than its own. */
static void pressure_settle(struct pour *pours, size_t n, double *sum,
			    size_t n_ports)
{
	enum { MAX_ROUNDS = 100 };
	double moved = 1;

	for (int round = 0; round < MAX_ROUNDS && moved > 1e-4; round++) {
		moved = 0;
		for (size_t i = 0; i < n; i++) {
			double before[MODEL_MAX_PORTS];

			model_ports ports = pours[i].use->ports;

			for (size_t k = 0; k < n_ports; k++) {
				if (!(ports >> k & 1))
					continue;
				before[k] = pours[i].share[k];
				sum[k] -= before[k];
			}
			pressure_level(&pours[i], sum, n_ports);
			for (size_t k = 0; k < n_ports; k++) {
				if (!(ports >> k & 1))
					continue;
				sum[k] += pours[i].share[k];
				moved = fmax(moved, fabs(pours[i].share[k] -
							 before[k]));
			}
		}
	}
}

static size_t pressure_collect(struct arena *a, const struct body *b,
			       struct pour **ret_pours,
			       struct model_use **ret_uses)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->ops[i].n_uses;
	*ret_pours = ARENA_ARRAY(a, struct pour, n + 1);
	*ret_uses = ARENA_ARRAY(a, struct model_use, n + 1);
	n = 0;
	for (size_t i = 0; i < b->n; i++)
		for (size_t u = 0; u < b->ops[i].n_uses; u++) {
			(*ret_uses)[n] = b->ops[i].uses[u];
			(*ret_pours)[n] = (struct pour){
				.use = &b->ops[i].uses[u],
				.op = (uint32_t)i,
				.share = ARENA_ARRAY(a, double,
						     b->model->n_ports),
			};
			n++;
		}
	return n;
}

static void pressure_busiest(struct pressure *p)
{
	for (size_t k = 0; k < p->n_ports; k++) {
		if (p->sum[k] > p->bound * (1 + 1e-9)) {
			p->bound = p->sum[k];
			p->ports = (model_ports)1 << k;
		} else if (p->bound > 0 && p->sum[k] > p->bound * (1 - 1e-9)) {
			p->ports |= (model_ports)1 << k;
		}
	}
}

void pressure_find(struct arena *a, const struct body *b, bool equal,
		   struct pressure *ret)
{
	struct pressure p = { .n_ports = b->model->n_ports };
	struct model_use *uses;
	struct pour *pours;
	size_t n = pressure_collect(a, b, &pours, &uses);

	p.share = ARENA_ARRAY(a, double, b->n *p.n_ports + 1);
	for (size_t i = 0; i < n; i++) {
		spread_equally(&pours[i], p.n_ports);
		for (size_t k = 0; k < p.n_ports; k++)
			p.sum[k] += pours[i].share[k];
	}
	if (!equal)
		pressure_settle(pours, n, p.sum, p.n_ports);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < p.n_ports; k++)
			p.share[pours[i].op * p.n_ports + k] +=
				pours[i].share[k];
	if (equal)
		pressure_busiest(&p);
	else
		p.bound = model_port_bound(uses, n, &p.ports);
	*ret = p;
}
