/* The bound is exact and comes from model_port_bound(). The shares come from
 * water-filling: each set of ports in turn distributes the cycles of its uses
 * so that the ports' sums become as equal as possible. The sums converge to
 * those of the best sharing. Uses of one set divide its shares in proportion to
 * their cycles. */
#include "host/predict/pressure.h"

#include <math.h>

/* The uses of one set of ports. */
struct pour {
	model_ports ports;
	double cycles; /* of all uses */
	double *share; /* cycles on each port */
};

static double pressure_cycles_of(const struct model_use *u)
{
	return u->n_uops * u->cycles;
}

/* Distribute the cycles of a set over its ports; height: sums without them. */
static void pressure_level(struct pour *p, const double *height, size_t n_ports)
{
	double left = p->cycles, water = 0;
	model_ports in = 0;

	/* Fill the lowest ports to a common level until all cycles are
	 * placed. */
	for (;;) {
		size_t lowest = n_ports;
		double sum = 0;
		unsigned n = 0;

		for (size_t k = 0; k < n_ports; k++)
			if ((p->ports >> k & 1) && !(in >> k & 1) &&
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
	unsigned n = model_ports_count(p->ports);

	for (size_t k = 0; k < n_ports; k++)
		p->share[k] = p->ports >> k & 1 ? p->cycles / n : 0;
}

/* Uses have no share of other ports than their own. */
static void pressure_settle(struct pour *pours, size_t n, double *sum,
			    size_t n_ports)
{
	enum { MAX_ROUNDS = 100 };
	double moved = 1;

	for (int round = 0; round < MAX_ROUNDS && moved > 1e-4; round++) {
		moved = 0;
		for (size_t i = 0; i < n; i++) {
			double before[MODEL_MAX_PORTS];

			model_ports ports = pours[i].ports;

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

static struct pour *pour_of(struct pour *pours, size_t n, model_ports ports)
{
	size_t i = 0;

	while (i < n && pours[i].ports != ports)
		i++;
	return &pours[i];
}

static size_t count_uses(const struct body *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->ops[i].n_uses;
	return n;
}

/* Returns how many sets of ports there are; *ret_uses are all uses, in
 * order. */
static size_t pressure_collect(struct arena *a, const struct body *b,
			       struct pour **ret_pours,
			       struct model_use **ret_uses)
{
	size_t most = count_uses(b) + 1, n = 0, n_uses = 0;
	struct pour *pours = ARENA_ARRAY(a, struct pour, most);
	struct model_use *uses = ARENA_ARRAY(a, struct model_use, most);

	for (size_t i = 0; i < b->n; i++)
		for (size_t u = 0; u < b->ops[i].n_uses; u++) {
			const struct model_use *use = &b->ops[i].uses[u];
			struct pour *p = pour_of(pours, n, use->ports);

			if (!p->share) {
				p->share = ARENA_ARRAY(a, double,
						       b->model->n_ports);
				p->ports = use->ports;
				n++;
			}
			p->cycles += pressure_cycles_of(use);
			uses[n_uses++] = *use;
		}
	*ret_pours = pours;
	*ret_uses = uses;
	return n;
}

/* Give each use its part of the shares of its set. */
static void pressure_divide(const struct body *b, struct pour *pours, size_t n,
			    struct pressure *p)
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t u = 0; u < b->ops[i].n_uses; u++) {
			const struct model_use *use = &b->ops[i].uses[u];
			const struct pour *from = pour_of(pours, n, use->ports);
			double part =
				from->cycles > 0
					? pressure_cycles_of(use) / from->cycles
					: 0;

			for (size_t k = 0; k < p->n_ports; k++)
				p->share[i * p->n_ports + k] +=
					part * from->share[k];
		}
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
	pressure_divide(b, pours, n, &p);
	if (equal)
		pressure_busiest(&p);
	else
		p.bound = model_port_bound(uses, count_uses(b), &p.ports);
	*ret = p;
}
