/* Cores that choose the port of a uop when it is dispatched. */
#include <string.h>

#include "host/predict/ooo.h"

/* Keys order ports by the uops that wait for each; of ports with equally many
 * the one with the highest number is first. */
static uint32_t bind_port_of(uint32_t key)
{
	return MODEL_MAX_PORTS - 1 - key % MODEL_MAX_PORTS;
}

/* Put the lesser of two keys first, without a branch that a core would
 * mispredict. */
static void bind_order(uint32_t *a, uint32_t *b)
{
	uint32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;

	*a = low;
	*b = high;
}

/* May the choice pass on to the next port?  Not if three uops more, or even
 * more, wait for it than for this one. */
static bool bind_goes_on(uint32_t key, uint32_t next)
{
	enum { MANY_MORE = 3 };

	return next / OOO_BOUND < key / OOO_BOUND + MANY_MORE;
}

/* Sort the keys of a uop with few ports, without branches, and take number n,
 * from 0, or an earlier one where bind_goes_on() says no. */
static uint32_t choose_of_few(const uint32_t *keys, const struct sim_uop *u,
			      uint32_t n)
{
	uint32_t a = keys[u->few[0]], b = keys[u->few[1]];
	uint32_t c = keys[u->few[2]], d = keys[u->few[3]];
	bool to_b, to_c, to_d;

	bind_order(&a, &b);
	bind_order(&c, &d);
	bind_order(&a, &c);
	bind_order(&b, &d);
	bind_order(&b, &c);
	to_b = bind_goes_on(a, b) & (n > 0);
	to_c = to_b & bind_goes_on(b, c) & (n > 1);
	to_d = to_c & bind_goes_on(c, d) & (n > 2);
	return to_d ? d : to_c ? c : to_b ? b : a;
}

/* The same of any number of ports. */
static uint32_t choose_of_many(const uint32_t *keys, const struct sim_uop *u,
			       uint32_t n)
{
	uint32_t x[MODEL_MAX_PORTS], n_ports = 0, at = 0;

	for (model_ports left = u->ports; left != 0; left &= left - 1)
		x[n_ports++] = keys[__builtin_ctzll(left)];
	for (uint32_t end = n_ports; end > 1; end--)
		for (uint32_t i = 0; i + 1 < end; i++)
			bind_order(&x[i], &x[i + 1]);
	while (at < n && bind_goes_on(x[at], x[at + 1]))
		at++;
	return x[at];
}

/* The port of the next uop.  The cores count the uops that wait for each port
 * once a cycle.  The first uop of the cycle takes the port with the fewest of
 * its ports, the second the one with the second fewest, and so on; behind the
 * last it begins again. If a port has three more than the one before it, that
 * one is taken instead.  Two ports that loads use are taken in turn.  Source:
 * A. Abel and J. Reineke, "uiCA", ICS 2022, for cores of four slots, where the
 * third uop takes the port with the fewest again. */
static uint32_t choose_port(struct ooo_core *c, const struct sim_uop *u)
{
	uint32_t n = u->unit ? 0 : c->n_bound_now++;

	if (u->n_ports == 1)
		return u->few[0];
	if (u->alternates)
		return u->few[c->turn++ % 2];
	n %= u->n_ports;
	return bind_port_of(u->n_ports <= SIM_FEW_PORTS
				    ? choose_of_few(c->bound_keys, u, n)
				    : choose_of_many(c->bound_keys, u, n));
}

void ooo_open_binding(struct ooo_core *c)
{
	for (uint32_t p = 0; p < MODEL_MAX_PORTS; p++)
		c->bound[p] = MODEL_MAX_PORTS - 1 - p;
	c->bound_keys[SIM_NO_PORT] = UINT32_MAX;
}

void ooo_begin_binding(struct ooo_core *c)
{
	memcpy(c->bound_keys, c->bound,
	       c->m->b->model->n_ports * sizeof *c->bound);
	c->n_bound_now = 0;
}

void ooo_bind(struct ooo_core *c, struct rob_entry *x)
{
	const struct sim_op *s = &c->ops[x->op];
	uint8_t *to = ooo_bound_to(c, x);

	x->wants = 0;
	for (uint32_t i = 0; i < s->n_uops; i++) {
		uint32_t p = choose_port(c, &s->uops[i]);

		to[i] = (uint8_t)p;
		c->bound[p] += OOO_BOUND;
		x->wants |= (model_ports)(x->left >> i & 1) << p;
	}
}
