/* When forms may share an entry of OSACA's file; see cost.h. */
#include "host/codec/osaca/cost.h"

#include <math.h>

bool osaca_near(double x, double y)
{
	static const double doubt = 0.02;

	return fabs(x - y) <= doubt * fmax(fabs(x), fabs(y));
}

double osaca_middle(const struct model_span *s)
{
	return (s->low + s->high) / 2;
}

/* Uses of ports, without units that only bound a rate. */
static bool has_use(const struct model *m, const struct model_form *f,
		    const struct model_use *u)
{
	for (size_t p = 0; p < m->n_ports; p++)
		if ((u->ports >> p & 1) != 0 && m->ports[p].pseudo)
			return true;
	for (size_t i = 0; i < f->n_uses; i++)
		if (f->uses[i].ports == u->ports &&
		    osaca_near(f->uses[i].n_uops * f->uses[i].cycles,
			       u->n_uops * u->cycles))
			return true;
	return false;
}

bool osaca_has_same_ports(const struct model *m, const struct model_form *x,
			  const struct model_form *y)
{
	for (size_t i = 0; i < x->n_uses; i++)
		if (!has_use(m, y, &x->uses[i]))
			return false;
	for (size_t i = 0; i < y->n_uses; i++)
		if (!has_use(m, x, &y->uses[i]))
			return false;
	return true;
}

/* Does nothing that is known of both distinguish them? */
bool osaca_costs_same(const struct model *m, const struct osaca_form *x,
		      const struct osaca_form *y)
{
	struct model_span lx, ly;
	double tx, ty;

	if (osaca_throughput(x->f, &tx) && osaca_throughput(y->f, &ty) &&
	    !osaca_near(tx, ty))
		return false;
	if (osaca_latency(x->form, x->f, &lx) &&
	    osaca_latency(y->form, y->f, &ly) &&
	    !osaca_near(osaca_middle(&lx), osaca_middle(&ly)))
		return false;
	return !x->f->has_ports || !y->f->has_ports ||
	       osaca_has_same_ports(m, x->f, y->f);
}
