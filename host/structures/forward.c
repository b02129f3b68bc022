/* Loads of what was just stored, and of what only seems so; probe_queues.c has the
 * methods. */
#include <math.h>

#include "host/structures/finder.h"

static const char *const keys[FORWARD_N] = {
	[FORWARD_SAME] = "forward.latency",
	[FORWARD_LOW] = "forward.low_half",
	[FORWARD_HIGH] = "forward.high_half",
	[FORWARD_SHIFTED] = "forward.shifted",
	[FORWARD_TWO] = "forward.two_stores",
};

static const char *const reasons[FORWARD_N] = {
	[FORWARD_SAME] = "a store of 8 bytes, a load of them, and a store of "
			 "the result",
	[FORWARD_LOW] = "the same, with a load of the lower 4 bytes",
	[FORWARD_HIGH] = "the same, with a load of the upper 4 bytes",
	[FORWARD_SHIFTED] = "the same, with a load of 8 bytes of which 4 were "
			    "stored",
	[FORWARD_TWO] = "the same, with a load of 8 bytes of two stores",
};

static void add_cycles(struct core_finder *f, const char *key,
		       const struct probe_value *v, const char *reason)
{
	const char *no = f->ret->levels.n > 0
				 ? NULL
				 : "no set took longer than another, "
				   "so the clock may be that of an "
				   "emulator";

	finder_add(f,
		   (struct core_finding){ .key = key,
					  .unit = FINDING_CYCLES,
					  .known = v->known && !no,
					  .value = v->cycles,
					  .low = v->low,
					  .high = v->high,
					  .reason = no         ? no
						    : v->known ? reason
							       : "no answer" });
}

bool forward_find(struct core_finder *f)
{
	enum { N = FORWARD_N + 2, OTHER = 1024 };
	static const struct chain one = { .places = 1, .step = 64 };
	struct core_probe list[N];
	struct probe_value v[N], more;
	const struct probe_value *near = &v[FORWARD_N], *other = near + 1;

	finder_say(f, "forwarded stores");
	for (uint32_t i = 0; i < FORWARD_N; i++)
		list[i] = (struct core_probe){ .kind = PROBE_FORWARD, .n = i };
	for (uint32_t i = 0; i < 2; i++)
		list[FORWARD_N + i] = (struct core_probe){ .kind = PROBE_ALIAS,
							   .chain = one,
							   .n = i * OTHER };
	if (!finder_ask(f, list, N, v))
		return false;
	for (size_t i = 0; i < FORWARD_N; i++)
		add_cycles(f, keys[i], &v[i], reasons[i]);
	more = (struct probe_value){
		.known = near->known && other->known,
		.cycles = fmax(0, near->cycles - other->cycles),
		.low = fmax(0, near->low - other->high),
		.high = fmax(0, near->high - other->low),
	};
	add_cycles(f, "alias.4096", &more,
		   "what a load takes longer if a store before it is 4,096 "
		   "bytes away");
	return true;
}
