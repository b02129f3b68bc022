/* Counters of a machine's memory controllers: what all programs read from memory
 * and wrote to it.  From perf's "uncore" PMUs that say in sysfs which events these
 * are (Intel's memory controllers).  Source: the Linux ABI documentation of
 * /sys/bus/event_source/devices, perf_event_open(2). */
#ifndef MACHINE_UNCORE_H
#define MACHINE_UNCORE_H

#include "host/base/arena.h"

enum { UNCORE_READ, UNCORE_WRITTEN, UNCORE_WAYS };
enum { UNCORE_MAX = 128 }; /* controllers, on all sockets */

struct uncore {
	size_t n;
	struct {
		int fd[UNCORE_WAYS];
		double bytes[UNCORE_WAYS]; /* of one count */
	} at[UNCORE_MAX];
};

/* Open the counters of all controllers that /sys below the root lists.  False,
 * with nothing open: there are none, one is described in another way, or perf
 * does not permit it. */
bool uncore_open(struct arena *a, const char *root, struct uncore *ret);
void uncore_close(struct uncore *u);

/* Bytes since uncore_open().  False: a counter did not run all the time. */
bool uncore_read(const struct uncore *u, double bytes[UNCORE_WAYS]);

#endif
