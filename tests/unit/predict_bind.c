/* Ports of uops that a core binds when it dispatches them, against a search. */
#include "host/base/random.h"
#include "host/predict/ooo.h"
#include "tests/unit/unit.h"

enum { N_PORTS = 12, CYCLES = 20000, MANY_MORE = 3 };

/* The port with the fewest waiting uops, of equal ones the one with the highest
 * number. */
static uint32_t fewest(const uint32_t *waiting, model_ports ports)
{
	uint32_t best = MODEL_MAX_PORTS;

	for (uint32_t p = 0; p < N_PORTS; p++)
		if ((ports >> p & 1) &&
		    (best == MODEL_MAX_PORTS || waiting[p] <= waiting[best]))
			best = p;
	return best;
}

/* Number n of the ports in the order of fewest(), or the last one before a step
 * of MANY_MORE. */
static uint32_t expected(const uint32_t *waiting, model_ports ports, uint32_t n)
{
	uint32_t at = fewest(waiting, ports);

	for (; n > 0; n--) {
		uint32_t next;

		ports &= ~((model_ports)1 << at);
		next = fewest(waiting, ports);
		if (waiting[next] >= waiting[at] + MANY_MORE)
			break;
		at = next;
	}
	return at;
}

static struct sim_uop random_uop(uint64_t *r)
{
	struct sim_uop u = { .unit = random_next(r) % 8 == 0 };

	memset(u.few, SIM_NO_PORT, sizeof(u.few));
	while (u.ports == 0)
		u.ports = random_next(r) & random_next(r) &
			  (((model_ports)1 << N_PORTS) - 1);
	for (uint32_t p = 0; p < N_PORTS; p++)
		if (u.ports >> p & 1) {
			if (u.n_ports < SIM_FEW_PORTS)
				u.few[u.n_ports] = (uint8_t)p;
			u.n_ports++;
		}
	return u;
}

TEST(ports)
{
	struct model model = { .n_ports = N_PORTS };
	struct body b = { .model = &model };
	struct sim m = { .b = &b, .binds_ports = true };
	struct sim_uop u;
	struct sim_op op = { .n_uops = 1, .uops = &u };
	struct rob_entry x = { .left = 1 };
	uint8_t to;
	struct ooo_core c = {
		.m = &m, .ops = &op, .ring = &x, .bound_to = &to, .most_uops = 1
	};
	uint32_t waiting[N_PORTS] = { 0 }, counted[N_PORTS], seen = 0;
	uint64_t r = 3;

	ooo_open_binding(&c);
	for (int cycle = 0; cycle < CYCLES; cycle++) {
		uint32_t n = 0;

		/* Some uops have started. */
		for (uint32_t p = 0; p < N_PORTS; p++)
			if (waiting[p] > 0 && random_next(&r) % 3 > 0) {
				waiting[p]--;
				c.bound[p] -= OOO_BOUND;
			}
		memcpy(counted, waiting, sizeof(counted));
		ooo_begin_binding(&c);
		for (int i = 0; i < 6; i++) {
			uint32_t p;

			u = random_uop(&r);
			ooo_bind(&c, &x);
			p = expected(counted, u.ports,
				     (u.unit ? 0 : n++) % u.n_ports);
			assert_int_equal(to, p);
			assert_true(x.wants == (model_ports)1 << p);
			waiting[p]++;
			seen |= 1u << u.n_ports;
		}
	}
	/* Both few ports and many. */
	assert_true((seen & 0x7e) == 0x7e);
}
