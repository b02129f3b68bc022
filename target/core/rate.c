/* See rate.h.
 *
 * The environment's clock is read between two reads of the counter.  The closer
 * these are, the better known is the time of the read; if the process is
 * preempted in between, they are milliseconds apart.  So the closest of several
 * counts, at the start and at the end. */
#include "target/core/rate.h"

#include "target/arch.h"
#include "target/boot.h"

enum {
	NS_PER_S = 1000 * 1000 * 1000,
	/* A half microsecond of it is 0.03 %. */
	SPAN_NS = 2 * 1000 * 1000,
	/* Limit for further reads at the end. */
	LONGEST_NS = 20 * 1000 * 1000,
	READS = 16, /* one of them is undisturbed */
};

struct reading {
	uint64_t ns, ticks, width;
};

/* What a clock tells is true when its read returns: firmware that can only
 * wait tells what it has waited. */
static struct reading read_both(void)
{
	uint64_t before = arch_ref_now();
	uint64_t ns = boot_time_ns();
	uint64_t after = arch_ref_now();

	return (struct reading){ ns, after, after - before };
}

static struct reading closest(struct reading best, uint64_t give_up_ns)
{
	struct reading r = best;

	for (int i = 1; i < READS && r.ns < give_up_ns; i++) {
		r = read_both();
		if (r.width < best.width)
			best = r;
	}
	return best;
}

uint64_t rate_measure(void)
{
	struct reading first = read_both(), from, to;

	from = closest(first, first.ns + SPAN_NS / READS);
	do
		to = read_both();
	while (to.ns - from.ns < SPAN_NS);
	to = closest(to, from.ns + LONGEST_NS);

	uint64_t ns = to.ns - from.ns, ticks = to.ticks - from.ticks;

	/* In two steps, so that neither product reaches 2^64 while both are
	 * less than eighteen seconds. */
	return ticks / ns * NS_PER_S + ticks % ns * NS_PER_S / ns;
}
