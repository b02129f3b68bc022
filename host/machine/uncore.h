/* Counters of a machine's memory controllers: the bytes that all programs read
 * from memory and wrote to it.  They are those PMUs of perf for which sysfs
 * lists the events of reading and writing (Intel's "uncore_imc").  Source: the
 * Linux ABI documentation of /sys/bus/event_source/devices,
 * perf_event_open(2). */
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

/* Open the counters of all controllers in the /sys below `root`.  False, with
 * nothing open, if there are none, if the description of one is not understood,
 * or if perf does not permit one. */
bool uncore_open(struct arena *a, const char *root, struct uncore *ret);
void uncore_close(struct uncore *u);

/* Bytes since uncore_open().  False if a counter cannot be read or did not run
 * all the time. */
bool uncore_read(const struct uncore *u, double bytes[UNCORE_WAYS]);

#endif
