/* What wide code leaves behind, on cores that stop so long after it. */
#include "target/core/transition.h"
#include "target/core/probes.h"
#include "tests/unit/unit.h"

enum {
	CHAIN_NS = 550, /* a short chain; a long one takes three times that */
	PROBE_NS = 200,
	NEVER = 1 << 30,
};

static const struct pack_kernel narrow = { .flags = PACK_KERNEL_VECTOR };
static const struct pack_kernel wide = { .flags = PACK_KERNEL_WIDE };
static const struct pack_kernel widest = {
	.flags = PACK_KERNEL_WIDE | PACK_KERNEL_WIDEST,
};

static struct {
	uint64_t now, stop_at;
	uint64_t delay, length; /* of the stop, after the widest code */
	unsigned faster;        /* percent, after it */
	unsigned every;         /* the core stops after one probe in so many */
	unsigned n_probes, n_stopped;
	bool is_fast;
} core;

static void begin(uint64_t delay, uint64_t length, unsigned faster)
{
	core.now = 0;
	core.stop_at = NEVER;
	core.delay = delay;
	core.length = length;
	core.faster = faster;
	core.every = 1;
	core.n_probes = core.n_stopped = 0;
	core.is_fast = true;
}

bool slot_run(struct slot *s, int length, uint64_t *ret_ticks)
{
	uint64_t ns = length == SLOT_LONG ? 3 * CHAIN_NS : CHAIN_NS;

	(void)s;
	if (core.is_fast)
		ns -= ns * core.faster / 100;
	if (core.now + ns > core.stop_at) {
		ns += core.length;
		core.stop_at = NEVER;
		core.is_fast = true;
		core.n_stopped++;
	}
	core.now += ns;
	*ret_ticks = ns;
	return true;
}

void probes_run_wide(const struct pack_kernel *k, uint64_t ticks[N_PROBES])
{
	ticks[PROBE_WIDE] = PROBE_NS;
	core.now += PROBE_NS;
	if (!(k->flags & PACK_KERNEL_WIDEST) || core.length == 0)
		return;
	core.is_fast = false;
	core.stop_at = core.n_probes++ % core.every == 0 ? core.now + core.delay
							 : NEVER;
}

enum row_level probes_level(const struct pack_kernel *k)
{
	return k->flags & PACK_KERNEL_WIDEST ? ROW_64_BYTES
	       : k->flags & PACK_KERNEL_WIDE ? ROW_32_BYTES
					     : ROW_NARROW;
}

/* What the pack has kernels of. */
static bool has_widest = true;

bool probes_need(const struct pack_kernel *k)
{
	return has_widest || probes_level(k) != ROW_64_BYTES;
}

static enum transition learned(void)
{
	struct slot chain;

	assert_true(transition_open(&chain));
	assert_int_equal(transition_of(&narrow), TRANSITION_NONE);
	assert_int_equal(transition_of(&wide), TRANSITION_NONE);
	return transition_of(&widest);
}

TEST(core_without_a_stop)
{
	struct slot chain;
	uint64_t since;

	begin(0, 0, 0);
	assert_int_equal(learned(), TRANSITION_NONE);
	since = core.now;
	assert_true(transition_pass(&narrow, &chain));
	assert_true(core.now == since);
	assert_true(transition_pass(&widest, &chain));
	assert_true(core.now == since + 3 * CHAIN_NS);
}

/* As a Granite Rapids server. */
TEST(stop_later_than_a_long_chain)
{
	begin(2700, 1400, 8);
	assert_int_equal(learned(), TRANSITION_HOLD);
	begin(5500, 1400, 8);
	assert_int_equal(learned(), TRANSITION_HOLD);
}

TEST(early_stop_has_passed)
{
	static const uint64_t delays[] = { 100, 600, 1200, 1600 };
	struct slot chain;

	for (size_t i = 0; i < sizeof(delays) / sizeof(delays[0]); i++) {
		uint64_t ticks[N_PROBES];

		begin(delays[i], 700, 0);
		assert_int_equal(learned(), TRANSITION_PASS);
		core.n_stopped = 0;
		probes_run_wide(&widest, ticks);
		assert_true(transition_pass(&widest, &chain));
		assert_int_equal(core.n_stopped, 1);
		assert_true(core.stop_at == NEVER);
	}
}

/* A chain with a stop in every reading agrees with itself on a wrong rate. */
TEST(a_long_chain_never_contains_a_held_stop)
{
	struct slot chain;

	for (uint64_t delay = 100; delay < 8000; delay += 100) {
		uint64_t ticks[N_PROBES], ns;

		begin(delay, 1000, 10);
		if (learned() != TRANSITION_HOLD)
			continue;
		core.n_stopped = 0;
		probes_run_wide(&widest, ticks);
		assert_true(slot_run(&chain, SLOT_LONG, &ns));
		assert_int_equal(core.n_stopped, 0);
	}
}

/* A pack without such kernels does not pay for learning. */
TEST(a_width_without_kernels_is_not_tried)
{
	begin(2700, 1400, 8);
	has_widest = false;
	assert_int_equal(learned(), TRANSITION_NONE);
	assert_int_equal(core.n_probes, 0);
	has_widest = true;
}

/* A disturbance of other origin is no habit of the core. */
TEST(rare_stops_are_ignored)
{
	begin(1200, 1800, 0);
	core.every = 3;
	assert_int_equal(learned(), TRANSITION_NONE);
}

/* Nor is a change of frequency alone a stop. */
TEST(another_frequency_is_no_stop)
{
	begin(2000, 1, 15);
	assert_int_equal(learned(), TRANSITION_NONE);
}
