/* See perf.h. */
#include "host/base/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host/base/list.h"

/* Names as those of perf(1). */
static const struct perf_name {
	const char *name;
	uint32_t type;
	uint64_t config;
} names[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES },
	{ "branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "cache-references", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_CACHE_REFERENCES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "stalled-cycles-frontend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND },
	{ "stalled-cycles-backend", PERF_TYPE_HARDWARE,
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "alignment-faults", PERF_TYPE_SOFTWARE,
	  PERF_COUNT_SW_ALIGNMENT_FAULTS },
	{ "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
};

/* "r1a2b": the core's own number of an event. */
static bool perf_raw(const char *name, uint64_t *ret)
{
	enum { HEX = 16 };
	char *end = NULL;

	if (name[0] != 'r' || !strchr("0123456789abcdefABCDEF", name[1]) ||
	    name[1] == '\0')
		return false;
	errno = 0;
	*ret = strtoull(name + 1, &end, HEX);
	return *end == '\0' && errno == 0;
}

static bool perf_find(const char *name, struct perf_event_attr *ret)
{
	uint64_t raw;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i].name, name) == 0) {
			ret->type = names[i].type;
			ret->config = names[i].config;
			return true;
		}
	if (!perf_raw(name, &raw))
		return false;
	ret->type = PERF_TYPE_RAW;
	ret->config = raw;
	return true;
}

int perf_open(const char *name, pid_t pid, int *ret_fd, struct err *e)
{
	struct perf_event_attr a;
	long fd;

	memset(&a, 0, sizeof(a));
	a.size = sizeof(a);
	if (!perf_find(name, &a))
		return err_set(e, ERR_USAGE,
			       "there is no event '%s'; events of a "
			       "process have the names of perf (cycles, "
			       "instructions, branches, branch-misses, "
			       "cache-misses, page-faults ...) or rHEX, a "
			       "number of the core's",
			       name);
	a.exclude_kernel = a.exclude_hv = a.type != PERF_TYPE_SOFTWARE;
	a.read_format =
		PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = syscall(SYS_perf_event_open, &a, pid, -1, -1,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return err_set(e, ERR_USAGE,
			       "the kernel does not count '%s' here "
			       "(perf_event_open: %s)%s",
			       name, strerror(errno),
			       errno == ENOENT || errno == EOPNOTSUPP
				       ? "; it has no driver for the counters "
					 "of this core, as in most virtual "
					 "machines"
			       : errno == EACCES || errno == EPERM
				       ? "; see "
					 "/proc/sys/kernel/perf_event_paranoid"
				       : "");
	*ret_fd = (int)fd;
	return ERR_OK;
}

int perf_count(int fd, uint64_t *ret, struct err *e)
{
	/* The count, and the times that it was enabled and that it ran. */
	uint64_t values[3];

	if (read(fd, values, sizeof(values)) != (ssize_t)sizeof(values))
		return err_set(e, ERR_SYSTEM,
			       "cannot read a counter of events: %s",
			       strerror(errno));
	if (values[1] != values[2])
		return err_set(e, ERR_SYSTEM,
			       "more events than the core has "
			       "counters for; name fewer");
	*ret = values[0];
	return ERR_OK;
}
