/* The frequency of a counter, on a machine that interrupts the measurement at
 * the worst moments. */
#include "target/core/rate.h"
#include "target/arch.h"
#include "target/boot.h"
#include "tests/unit/unit.h"

enum {
	CALL_NS = 150, /* of a read of the environment's clock */
	TICK_NS = 10,  /* of a read of the counter */
	MS = 1000 * 1000,
	STOP_NS = 7 * MS,   /* another process runs */
	STALL_NS = 25 * MS, /* firmware that can only wait */
};

static const double hz = 2793.4e6;

static struct {
	uint64_t now;
	unsigned n_reads, stop_at; /* of the counter */
	bool stalls, asked;
} world;

uint64_t arch_ref_now(void)
{
	world.now += TICK_NS;
	if (world.n_reads++ == world.stop_at)
		world.now += STOP_NS;
	return (uint64_t)((double)world.now * hz / 1e9);
}

uint64_t boot_time_ns(void)
{
	if (world.stalls) {
		if (world.asked)
			world.now += STALL_NS;
		world.asked = true;
		return world.now;
	}
	world.now += CALL_NS / 2;

	uint64_t ns = world.now;

	world.now += CALL_NS - CALL_NS / 2;
	return ns;
}

static void assert_near(uint64_t found)
{
	double off = (double)found / hz - 1;

	assert_true(off < 3e-4 && off > -3e-4);
}

static void begin(unsigned stop_at)
{
	world.now = 123456789;
	world.n_reads = 0;
	world.stop_at = stop_at;
	world.stalls = world.asked = false;
}

TEST(two_milliseconds_suffice)
{
	uint64_t from;

	begin(UINT32_MAX);
	from = world.now;
	assert_near(rate_measure());
	assert_true(world.now - from < 3 * MS);
}

/* At any moment, also between the reads of the two clocks. */
TEST(a_stop_spoils_nothing)
{
	unsigned n;

	begin(UINT32_MAX);
	(void)rate_measure();
	n = world.n_reads;
	for (unsigned i = 0; i < n; i++) {
		begin(i);
		assert_near(rate_measure());
	}
}

TEST(a_clock_that_only_waits)
{
	begin(UINT32_MAX);
	world.stalls = true;
	assert_near(rate_measure());
}
