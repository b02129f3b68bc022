/* Counters of events that Linux keeps for a process: perf_event_open(2). */
#ifndef BASE_PERF_H
#define BASE_PERF_H

#include <stdint.h>
#include <sys/types.h>

#include "host/base/err.h"

/* Begin to count an event of process `pid` (0: this one), in user mode alone, or of
 * software wherever it happens.  *ret_fd: for perf_count(); close it.  ERR_USAGE: the
 * name is not known, or the kernel does not count this event here, with the
 * reason. */
int perf_open(const char *name, pid_t pid, int *ret_fd, struct err *e);

/* The count up to now.  ERR_SYSTEM: it was not counting all the time. */
int perf_count(int fd, uint64_t *ret, struct err *e);

#endif
