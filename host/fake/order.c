/* Issue in order; see sim.h.
 *
 * An instruction starts in the same cycle as the previous one if a slot, its
 * sources, its ports and the rules of the file allow it.  The ports of the
 * uops of a cycle are assigned when the cycle is over, so the first
 * instruction never takes the only port of the second while it has another
 * one.
 *
 * An instruction of a unit with a queue goes there in this way, and starts when
 * the registers of the unit that it reads are ready. */
#include <string.h>

#include "host/fake/sim.h"
#include "host/isa/catalogue.h"

/* Move the front end to a later cycle, on an in-order core. */
static void fake_next_group(struct fake_simulator *s, int64_t cycle)
{
	struct fake_group *g = &s->group;

	for (size_t p = 0; p < s->core->n_ports; p++)
		if (g->taken_by[p])
			s->free_at[p] =
				s->cycle + g->busy_cycles[g->taken_by[p] - 1];
	memset(g->taken_by, 0, sizeof(g->taken_by));
	g->n_uops = 0;
	g->last = NULL;
	s->cycle = cycle;
	s->slot = 0;
}

/* Find a port for a uop of this cycle.  Other uops may move to other ports
 * of theirs: augmenting paths (Kuhn).  `tried`: ports visited so far. */
static bool find_port(struct fake_simulator *s, uint32_t uop, uint32_t *tried)
{
	struct fake_group *g = &s->group;

	for (size_t p = 0; p < s->core->n_ports; p++) {
		if (!(g->ports[uop] >> p & 1) || (*tried >> p & 1) ||
		    s->free_at[p] > s->cycle)
			continue;
		*tried |= 1u << p;
		if (g->taken_by[p] == 0 ||
		    find_port(s, g->taken_by[p] - 1u, tried)) {
			g->taken_by[p] = (uint8_t)(uop + 1);
			return true;
		}
	}
	return false;
}

/* Add a uop to this cycle, if its slot and port are free. */
static bool add_uop(struct fake_simulator *s, const struct fake_op *op,
		    uint32_t u)
{
	struct fake_group *g = &s->group;
	uint32_t tried = 0;

	if (s->slot == s->width)
		return false;
	if (!op->no_wait && u < op->core->n_port_uops) {
		if (g->n_uops == CORE_MAX_PORTS)
			return false;
		g->ports[g->n_uops] = op->core->ports[u];
		g->busy_cycles[g->n_uops] =
			u == 0 && s->held ? s->held
					  : fake_held(op->core, u, s->slow);
		if (!find_port(s, g->n_uops, &tried))
			return false;
		g->n_uops++;
	}
	s->slot++;
	return true;
}

/* Do two instructions write the same register?  Flags and other state do not
 * count, because even in-order cores rename them.  Memory does not count
 * either: it accepts one store after the other. */
static bool writes_meet(const struct fake_op *a, const struct fake_op *b)
{
	for (size_t i = 0; i < a->n_dst; i++) {
		const struct fake_reg *x = &a->dst[i];
		uint16_t bank = x->slot / FAKE_BANK_SLOTS;

		if (bank == BANK_FLAGS || bank >= BANK_STATE)
			continue;
		for (size_t k = 0; k < b->n_dst; k++) {
			const struct fake_reg *y = &b->dst[k];

			if (x->slot < y->slot + y->span &&
			    y->slot < x->slot + x->span)
				return true;
		}
	}
	return false;
}

static bool may_join(const struct fake_simulator *s, const struct fake_op *op)
{
	const struct fake_op *last = s->group.last;

	return !s->core->has_pairs ||
	       s->core->pair[last->core->pairing_id][op->core->pairing_id];
}

/* Start in the current cycle, with all uops or none. */
static bool join(struct fake_simulator *s, const struct fake_op *op)
{
	const struct fake_group before = s->group;
	uint32_t slot = s->slot;

	if (!may_join(s, op) || writes_meet(s->group.last, op))
		return false;
	for (uint32_t u = 0; u < op->core->n_uops; u++) {
		if (!add_uop(s, op, u)) {
			s->group = before;
			s->slot = slot;
			return false;
		}
	}
	s->group.last = op;
	return true;
}

int64_t fake_start_in_order(struct fake_simulator *s, const struct fake_op *op,
			    int64_t from)
{
	int64_t start = 0;

	if (from > s->cycle)
		fake_next_group(s, from);
	if (s->group.last) {
		if (join(s, op))
			return s->cycle;
		fake_next_group(s, s->cycle + 1);
	}
	for (uint32_t u = 0; u < op->core->n_uops; u++) {
		while (!add_uop(s, op, u))
			fake_next_group(s, s->cycle + 1);
		if (u == 0)
			start = s->cycle;
	}
	s->group.last = op;
	return start;
}

/* ---- a unit with a queue ------------------------------------------------ */

static bool is_queued(const struct core *core, const struct fake_op *op)
{
	return core->queue > 0 && op->core->queued && !op->no_wait;
}

bool fake_queue_waits(const struct core *core, const struct fake_op *op,
		      const struct fake_reg *r)
{
	uint16_t bank = r->slot / FAKE_BANK_SLOTS;

	return is_queued(core, op) &&
	       (core->queue_general ? bank == BANK_GPR
				    : bank == BANK_FP || bank == BANK_VECTOR);
}

int64_t fake_queue_room(const struct fake_simulator *s,
			const struct fake_op *op)
{
	return is_queued(s->core, op) ? s->room_at[s->next_queued] : 0;
}

int64_t fake_queue_start(struct fake_simulator *s, const struct fake_op *op,
			 int64_t came, int64_t sources)
{
	int64_t at = fake_later(came, sources);

	if (!is_queued(s->core, op))
		return came;
	/* One after the other. */
	if (s->unit_at > came)
		at = fake_later(at, s->unit_at + 1);
	s->unit_at = at;
	s->room_at[s->next_queued] = at > came ? at + 1 : at;
	s->next_queued =
		s->next_queued + 1 == s->core->queue ? 0 : s->next_queued + 1;
	return at;
}
