/* Ports of an invented out-of-order core; see sim.h.
 *
 * `least-loaded` binds each uop when it is issued.  The optimal scheduler
 * needs no schedule: in the long run, the time is that of the busiest union
 * of port sets. */
#include "host/fake/sim.h"

enum { MAX_MASKS = 16 }; /* different sets of ports in one kernel */

/* ---- least-loaded ----------------------------------------------------- */

/* The last cycle of from..from+n-1 in which the port is busy, or -1. */
static int64_t last_taken(const struct fake_simulator *s, size_t port,
			  int64_t from, uint32_t n)
{
	for (int64_t c = from + n - 1; c >= from; c--)
		if (s->busy[port][c % PORT_RING] == c)
			return c;
	return -1;
}

/* Count the reservations that the front end has passed. */
static void pass_time(struct fake_simulator *s)
{
	for (; s->passed_until < s->cycle; s->passed_until++)
		for (size_t p = 0; p < s->core->n_ports; p++)
			s->passed[p] +=
				s->busy[p][s->passed_until % PORT_RING] ==
				s->passed_until;
}

static size_t least_loaded(const struct fake_simulator *s, uint32_t ports)
{
	size_t best = 0;
	int64_t least = INT64_MAX;

	for (size_t p = 0; p < s->core->n_ports; p++) {
		int64_t load = s->reserved[p] - s->passed[p];

		if ((ports >> p & 1) && load < least) {
			best = p;
			least = load;
		}
	}
	return best;
}

/* Bind a uop to a port when it is issued; returns the cycle in which it
 * starts.  If that cycle is beyond the ring, the front end waits. */
static int64_t reserve(struct fake_simulator *s, uint32_t ports, int64_t from,
		       uint32_t n)
{
	int64_t taken;
	size_t p;

	pass_time(s);
	/* An earlier uop may have stalled the front end. */
	from = fake_later(from, s->cycle);
	p = least_loaded(s, ports);
	while ((taken = last_taken(s, p, from, n)) >= 0)
		from = taken + 1;
	if (from + n - s->cycle > PORT_RING) {
		s->cycle = from + n - PORT_RING;
		s->slot = 0;
		pass_time(s);
	}
	for (int64_t c = from; c < from + n; c++)
		s->busy[p][c % PORT_RING] = c;
	s->reserved[p] += n;
	s->horizon = fake_later(s->horizon, from + n);
	return from;
}

int64_t fake_reserve(struct fake_simulator *s, const struct core_form *f,
		     int64_t from)
{
	int64_t start = from;

	s->started = from;
	for (uint32_t u = 0; u < f->n_port_uops; u++) {
		int64_t at =
			reserve(s, f->ports[u], from, fake_held(f, u, s->slow));

		s->started = fake_later(s->started, at);
		if (u == 0)
			start = at;
	}
	return start;
}

/* ---- ports without a schedule ----------------------------------------- */

/* Port cycles wanted of one set of ports. */
struct demand {
	uint32_t ports;
	uint64_t cycles;
};

static size_t add_demand(struct demand *d, size_t n, uint32_t ports,
			 uint64_t cycles)
{
	for (size_t i = 0; i < n; i++) {
		if (d[i].ports == ports) {
			d[i].cycles += cycles;
			return n;
		}
	}
	if (n == MAX_MASKS)
		return n;
	d[n] = (struct demand){ ports, cycles };
	return n + 1;
}

static size_t collect_demand(const struct fake_kernel *k, int length, bool slow,
			     struct demand *d)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n[length]; i++) {
		const struct fake_op *op = &k->ops[k->sequence[length][i]];

		for (uint32_t u = 0;
		     op->core && !op->no_wait && u < op->core->n_port_uops; u++)
			n = add_demand(d, n, op->core->ports[u],
				       fake_held(op->core, u, slow));
	}
	return n;
}

/* The busiest union of port sets, by Hall's theorem. */
void fake_port_bound(const struct fake_kernel *k, int length, bool slow,
		     struct fake_timing *t)
{
	struct demand d[MAX_MASKS];
	size_t n = collect_demand(k, length, slow, d);

	t->bound_cycles = 0;
	t->bound_ports = 1;
	for (uint32_t set = 1; set < 1u << n; set++) {
		uint32_t ports = 0;
		uint64_t cycles = 0;

		for (size_t i = 0; i < n; i++)
			ports |= set >> i & 1 ? d[i].ports : 0;
		for (size_t i = 0; i < n; i++)
			cycles += d[i].ports & ~ports ? 0 : d[i].cycles;

		uint32_t n_ports = (uint32_t)__builtin_popcount(ports);

		if (cycles * t->bound_ports > t->bound_cycles * n_ports) {
			t->bound_cycles = cycles;
			t->bound_ports = n_ports;
		}
	}
}

void fake_taken_bound(const struct core *core, const struct fake_kernel *k,
		      int length, struct fake_timing *t)
{
	uint64_t cycles = 0;

	for (size_t i = 0; i < k->n[length]; i++)
		if (k->ops[k->sequence[length][i]].taken)
			cycles += core->taken;
	if (cycles * t->bound_ports > t->bound_cycles) {
		t->bound_cycles = cycles;
		t->bound_ports = 1;
	}
}
