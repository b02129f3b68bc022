/* The counts of a Linux process, with a kernel that grants both events, cycles
 * alone, or none. */
#include "target/boot/linux/linux.h"
#include "tests/unit/unit.h"

enum {
	NO_EVENT = -2, /* ENOENT */
	CYCLES = 0,
	INSTRUCTIONS = 1,
	N_EVENTS = 2,
	LEADER = 7, /* descriptors: LEADER + event */
	KERNEL_CYCLES = 500,
	KERNEL_INSTRUCTIONS = 800,
};

const uint16_t linux_numbers[LINUX_N_CALLS] = {
	[LINUX_READ] = LINUX_READ,
	[LINUX_CLOSE] = LINUX_CLOSE,
	[LINUX_PERF_EVENT_OPEN] = LINUX_PERF_EVENT_OPEN,
	[LINUX_IOCTL] = LINUX_IOCTL,
};

static struct {
	bool has[N_EVENTS]; /* what this kernel counts */
	bool open[N_EVENTS];
	bool enabled, in_error;
	uint64_t counts[N_EVENTS];
} kernel;

static long open_event(const void *attributes, long group)
{
	uint64_t config;

	/* struct perf_event_attr: type, size, config. */
	memcpy(&config, (const char *)attributes + 8, sizeof(config));
	assert_in_range(config, 0, N_EVENTS - 1);
	if (!kernel.has[config])
		return NO_EVENT;
	assert_int_equal(group, config == CYCLES ? -1 : LEADER);
	kernel.open[config] = true;
	return LEADER + (long)config;
}

/* PERF_FORMAT_GROUP: the number of events, and their counts. */
static long read_group(void *to, size_t room)
{
	uint64_t out[1 + N_EVENTS] = { 0 };

	if (kernel.in_error || !kernel.enabled)
		return 0;
	for (int i = 0; i < N_EVENTS; i++)
		if (kernel.open[i])
			out[1 + out[0]++] = kernel.counts[i];
	assert_true(room >= (1 + out[0]) * sizeof(*out));
	memcpy(to, out, (1 + out[0]) * sizeof(*out));
	return (long)((1 + out[0]) * sizeof(*out));
}

long linux_raw(long number, long a, long b, long c, long d, long e, long f)
{
	(void)e;
	(void)f;
	switch (number) {
	case LINUX_PERF_EVENT_OPEN:
		return open_event((const void *)(uintptr_t)a, d);
	case LINUX_IOCTL:
		kernel.enabled = a == LEADER;
		return 0;
	case LINUX_READ:
		assert_int_equal(a, LEADER);
		return read_group((void *)(uintptr_t)b, (size_t)c);
	case LINUX_CLOSE:
		kernel.open[a - LEADER] = false;
		return 0;
	default:
		return -38; /* ENOSYS */
	}
}

int arch_measure_ref(struct arch_run *run)
{
	(void)run;
	kernel.counts[CYCLES] += KERNEL_CYCLES;
	kernel.counts[INSTRUCTIONS] += KERNEL_INSTRUCTIONS;
	return 0;
}

static bool start(bool cycles, bool instructions)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.has[CYCLES] = cycles;
	kernel.has[INSTRUCTIONS] = instructions;
	kernel.counts[CYCLES] = kernel.counts[INSTRUCTIONS] = 12345;
	return linux_perf_open();
}

TEST(both_are_counted)
{
	struct arch_run r = { .code = NULL };

	assert_true(start(true, true));
	assert_int_equal(linux_perf_measure(&r), 0);
	assert_int_equal(r.end - r.begin, KERNEL_CYCLES);
	assert_int_equal(r.aux_end - r.aux_begin, KERNEL_INSTRUCTIONS);
}

/* Samples then have no instructions: silence is not provable. */
TEST(cycles_alone_are_a_clock)
{
	struct arch_run r = { .aux_begin = 1, .aux_end = 2 };

	assert_true(start(true, false));
	assert_int_equal(linux_perf_measure(&r), 0);
	assert_int_equal(r.end - r.begin, KERNEL_CYCLES);
	assert_int_equal(r.aux_begin, 0);
	assert_int_equal(r.aux_end, 0);
}

TEST(without_cycles_there_is_no_clock)
{
	assert_false(start(false, true));
	assert_false(start(false, false));
}

/* A group that is not on its counters gives no time. */
TEST(an_event_in_error_gives_nothing)
{
	struct arch_run r = { .code = NULL };

	for (int instructions = 0; instructions < 2; instructions++) {
		assert_true(start(true, instructions));
		kernel.in_error = true;
		assert_int_equal(linux_perf_measure(&r), 0);
		assert_int_equal(r.end - r.begin, 0);
		assert_int_equal(r.aux_end - r.aux_begin, 0);
	}
}
