/* Cores that choose the port of a uop when it is dispatched. */
#include "host/predict/core.h"

/* Orders ports by the uops that waited for each when the cycle began; of equal ones
 * the last comes first. */
static uint32_t bound_key(const struct ooo_core *c, uint32_t p)
{
	return c->n_bound[p] * MODEL_MAX_PORTS + (MODEL_MAX_PORTS - 1 - p);
}

static uint32_t bound_port(uint32_t key)
{
	return MODEL_MAX_PORTS - 1 - key % MODEL_MAX_PORTS;
}

static uint32_t least_key(const struct ooo_core *c, model_ports ports)
{
	uint32_t best = UINT32_MAX;

	for (; ports != 0; ports &= ports - 1) {
		uint32_t key = c->bound_keys[__builtin_ctzll(ports)];

		best = key < best ? key : best;
	}
	return best;
}

/* The port of the next uop.  The cores count the uops that wait for each port once a
 * cycle.  The first uop of the cycle takes the port with the fewest of its ports, the
 * second the one with the second fewest, and so on; behind the last it begins again.
 * If a port has three more than the one before it, that one is taken instead.  Source:
 * A. Abel and J. Reineke, "uiCA", ICS 2022, for cores of four slots, where the third uop
 * takes the port with the fewest again. */
static uint32_t choose_port(struct ooo_core *c, const struct sim_uop *u)
{
	enum { MANY_MORE = 3 };
	model_ports ports = u->ports;
	uint32_t n = u->unit ? 0 : c->n_bound_now++;
	uint32_t key = least_key(c, ports);

	while (n >= u->n_ports)
		n -= u->n_ports;
	for (; n > 0; n--) {
		uint32_t next;

		ports &= ~((model_ports)1 << bound_port(key));
		next = least_key(c, ports);
		if (next / MODEL_MAX_PORTS >= key / MODEL_MAX_PORTS + MANY_MORE)
			break;
		key = next;
	}
	return bound_port(key);
}

void core_begin_binding(struct ooo_core *c)
{
	if (!c->m->binds_ports)
		return;
	for (uint32_t p = 0; p < c->m->b->model->n_ports; p++)
		c->bound_keys[p] = bound_key(c, p);
	c->n_bound_now = 0;
}

void core_bind(struct ooo_core *c, struct rob_entry *x)
{
	const struct sim_step *s = &c->steps[x->op];
	model_ports *ports = core_ports_of(c, x);

	for (uint32_t i = 0; i < s->n_uops; i++) {
		ports[i] = s->uops[i].ports;
		if (c->m->binds_ports && ports[i] != 0) {
			uint32_t p = choose_port(c, &s->uops[i]);

			ports[i] = (model_ports)1 << p;
			c->n_bound[p]++;
		}
	}
}
