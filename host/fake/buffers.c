/* Places that instructions hold out of order: entries of loads, stores and vector
 * registers until they retire, and those of the scheduler of general registers
 * until some cycles after they start. */
#include "host/fake/sim.h"

/* Does it compute, with general registers alone? */
static bool is_general(const struct fake_op *op)
{
	return !op->core->eliminated && !op->takes[FAKE_LOAD] &&
	       !op->takes[FAKE_STORE] && !op->takes[FAKE_VECTOR];
}

/* The place of the scheduler that comes free first. */
static int64_t *first_place(struct fake_simulator *s)
{
	int64_t *first = &s->general[0];

	for (uint32_t i = 1; i < s->core->general_queue; i++)
		if (s->general[i] < *first)
			first = &s->general[i];
	return first;
}

static void wait_until(struct fake_simulator *s, int64_t at)
{
	if (at <= s->cycle)
		return;
	s->slot = 0;
	s->cycle = at;
}

void fake_wait_for_entries(struct fake_simulator *s, const struct fake_op *op)
{
	for (enum fake_entries k = 0; k < FAKE_N_ENTRIES; k++) {
		const struct fake_buffer *b = &s->entries[k];

		if (op->takes[k] && fake_n_entries(s->core, k) > 0)
			wait_until(s, b->free_at[b->next]);
	}
	if (s->core->general_queue > 0 && is_general(op))
		wait_until(s, *first_place(s));
}

void fake_keep_entries(struct fake_simulator *s, const struct fake_op *op,
		       int64_t start)
{
	if (s->core->general_queue > 0 && !s->core->in_order && is_general(op))
		*first_place(s) = start + s->core->general_release;
	for (enum fake_entries k = 0; k < FAKE_N_ENTRIES; k++) {
		struct fake_buffer *b = &s->entries[k];
		uint32_t size = fake_n_entries(s->core, k);

		if (!op->takes[k] || size == 0)
			continue;
		b->free_at[b->next] = s->retired + s->core->refill;
		b->next = b->next + 1 == size ? 0 : b->next + 1;
	}
}
