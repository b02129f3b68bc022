/* Cycles and instructions that the kernel counts for this process in user mode:
 * a group of two events, read by one system call before and one after a
 * measured kernel.  The user-mode cost of these calls is constant and cancels
 * in the slope over three lengths; kernel mode is not counted.  A kernel that
 * refuses instructions counts cycles alone.
 * perf_event_open(2); structures of linux/perf_event.h. */
#include "target/boot/linux/linux.h"

enum {
	TYPE_HARDWARE = 0,
	CYCLES = 0,
	INSTRUCTIONS = 1,
	FORMAT_GROUP = 1 << 3,
	DISABLED = 1 << 0,
	PINNED = 1 << 2, /* always on its counter, or in error */
	EXCLUDE_KERNEL = 1 << 5,
	EXCLUDE_HV = 1 << 6,
	SELF = 0,
	ANY_CPU = -1,
	CLOSE_ON_EXEC = 1 << 3,
	IOC_ENABLE = 0x2400,
	WHOLE_GROUP = 1,
};

/* The first version of struct perf_event_attr, which every kernel accepts. */
struct attributes {
	uint32_t type, bytes;
	uint64_t config, period, sample_type, read_format, flags;
	uint32_t wakeup, breakpoint;
	uint64_t config1;
};

_Static_assert(sizeof(struct attributes) == 64, "PERF_ATTR_SIZE_VER0");

struct counts {
	uint64_t n, cycles, instructions;
};

static struct {
	long fd;
	uint64_t n_events;
} perf = { .fd = -1 };

static long open_event(uint64_t config, uint64_t flags, long group)
{
	struct attributes a = {
		.type = TYPE_HARDWARE,
		.bytes = sizeof(a),
		.config = config,
		.read_format = FORMAT_GROUP,
		.flags = flags | EXCLUDE_KERNEL | EXCLUDE_HV,
	};

	return linux_call(LINUX_PERF_EVENT_OPEN, (long)&a, SELF, ANY_CPU, group,
			  CLOSE_ON_EXEC, 0);
}

bool linux_perf_open(void)
{
	long fd = open_event(CYCLES, DISABLED | PINNED, -1);

	if (fd < 0)
		return false;
	perf.n_events = open_event(INSTRUCTIONS, 0, fd) < 0 ? 1 : 2;
	if (linux_call(LINUX_IOCTL, fd, IOC_ENABLE, WHOLE_GROUP, 0, 0, 0) < 0) {
		(void)linux_call(LINUX_CLOSE, fd, 0, 0, 0, 0, 0);
		return false;
	}
	perf.fd = fd;
	return true;
}

/* Zeros if the group is not on its counters. */
static struct counts now(void)
{
	struct counts c = { .n = 0 };
	long got =
		linux_call(LINUX_READ, perf.fd, (long)&c, sizeof(c), 0, 0, 0);

	if (got != (long)((1 + perf.n_events) * sizeof(uint64_t)) ||
	    c.n != perf.n_events)
		c = (struct counts){ .n = 0 };
	return c;
}

int linux_perf_measure(struct arch_run *run)
{
	struct counts before = now();
	int faulted = arch_measure_ref(run);
	struct counts after = now();

	run->begin = before.cycles;
	run->end = after.n ? after.cycles : before.cycles;
	run->aux_begin = before.instructions;
	run->aux_end = after.n ? after.instructions : before.instructions;
	return faulted;
}
