/* The state of the simulation relative to the front end, as a hash. */
#include "host/fake/sim.h"

static int64_t relative(const struct fake_simulator *s, int64_t at)
{
	int64_t ago = at - s->cycle;

	return ago < -s->reach ? -s->reach : ago;
}

/* Entries come free in order, too. */
static uint64_t mix_buffer(uint64_t h, const struct fake_simulator *s,
			   const struct fake_buffer *b, uint32_t size)
{
	for (uint32_t n = 0, at = b->next; n < size; n++) {
		at = at == 0 ? size - 1 : at - 1;
		if (b->free_at[at] <= s->cycle)
			break;
		h = fake_mix(h, b->free_at[at] - s->cycle);
	}
	return h;
}

uint64_t fake_state(const struct fake_simulator *s)
{
	uint64_t h = fake_mix(0xcbf29ce484222325ull, s->slot), general = 0;

	h = fake_mix(h, relative(s, s->retired));
	for (size_t i = 0; i < s->n_used; i++) {
		h = fake_mix(h, relative(s, s->ready[s->used[i]]));
		h = fake_mix(h, s->class_id[s->used[i]]);
	}
	/* Retirement is in order: behind the first instruction that has
	 * retired, all have. */
	for (uint32_t u = 0, place = s->next; u < s->core->window; u++) {
		place = fake_before(s, place);
		if (s->window[place] <= s->cycle)
			break;
		h = fake_mix(h, s->window[place] - s->cycle);
	}
	for (enum fake_entries k = 0; k < FAKE_N_ENTRIES; k++)
		h = mix_buffer(h, s, &s->entries[k],
			       fake_n_entries(s->core, k));
	/* In any order. */
	for (uint32_t i = 0; i < s->core->general_queue; i++)
		general += fake_mix(1, fake_later(s->general[i] - s->cycle, 0));
	h = fake_mix(h, general);
	h = fake_mix(h, s->group.n_uops);
	h = fake_mix(h, fake_later(s->redirected - s->cycle, 0));
	for (size_t p = 0; s->core->in_order && p < s->core->n_ports; p++)
		h = fake_mix(h, relative(s, s->free_at[p]));
	for (uint32_t u = 0; u < s->core->queue; u++) {
		uint32_t place = (s->next_queued + u) % s->core->queue;

		h = fake_mix(h, fake_later(s->room_at[place] - s->cycle, 0));
	}
	h = fake_mix(h, fake_later(s->unit_at - s->cycle, 0));
	if (s->has_width || s->has_identity)
		h = fake_values_state(s, h);
	for (size_t p = 0; s->busy && p < s->core->n_ports; p++)
		for (int64_t c = s->cycle; c < s->horizon; c++)
			if (s->busy[p][c % PORT_RING] == c)
				h = fake_mix(h,
					     (int64_t)p << 32 | (c - s->cycle));
	return h;
}
