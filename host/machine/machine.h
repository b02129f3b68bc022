/* What this machine offers to a measurement, from /proc and /sys: CPUs that
 * this process may use, limits of its control group, a container, SMT siblings,
 * frequency control, a hypervisor.  All functions read below a root folder, so
 * that tests can give another tree. */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "host/base/arena.h"

enum { MACHINE_MAX_CPUS = 1024 };

/* A list of CPUs, "0-3,8". */
struct machine_cpus {
	bool has[MACHINE_MAX_CPUS];
	size_t n; /* how many */
};

struct machine {
	struct machine_cpus online, allowed; /* n is 0: not known */
	/* CPUs that run on the cores of `allowed`: these and their SMT
	 * siblings. */
	struct machine_cpus threads;
	/* CPUs' worth of time that the tightest quota of the control group and
	 * its parents allows, and the file that says so; 0: no limit. */
	double quota;
	const char *quota_file;
	const char *container;  /* "docker", ...; NULL: no sign of one */
	const char *governor;   /* of the first allowed CPU; NULL: unknown */
	const char *turbo;      /* "on", "off"; NULL: unknown */
	const char *hypervisor; /* name or "yes"; NULL: no sign of one */
	bool has_counters;      /* the kernel has a driver of core counters */
	int paranoid;           /* of perf events; MACHINE_UNKNOWN */
};

enum { MACHINE_UNKNOWN = 99 };

/* Ticks of a CPU since boot, from /proc/stat. */
struct machine_ticks {
	double busy, idle, stolen;
};

struct machine_load {
	struct machine_ticks all, cpu[MACHINE_MAX_CPUS];
};

/* The text of a file below the root, in the arena, without the newline at its
 * end; NULL if there is none.  Longer files than 64 KiB are cut. */
char *machine_text(struct arena *a, const char *root, const char *path);

/* Set the tightest CPU quota of this process's control groups; cgroup.c, for
 * machine_read(). */
void machine_find_quota(struct arena *a, const char *root, struct machine *m);

/* Read the machine.  What a file does not say stays unknown: never fails.
 * Strings belong to `a`.  Sources: proc(5), cgroups(7), the Linux ABI
 * documentation of sysfs. */
void machine_read(struct arena *a, const char *root, struct machine *ret);

/* Read the ticks; false if /proc/stat cannot be read. */
bool machine_load_read(const char *root, struct machine_load *ret);

/* What happened between two readings, as shares of the time, 0..1: time that
 * the hypervisor gave to others, on all CPUs, and the time in which SMT
 * siblings that are not in `allowed` were busy. */
double machine_stolen(const struct machine_load *from,
		      const struct machine_load *to);
double machine_siblings_busy(const struct machine *m,
			     const struct machine_load *from,
			     const struct machine_load *to);

/* Does a quota throttle `n` CPUs that work all the time? */
bool machine_is_throttled(const struct machine *m, size_t n);

/* Has this process fewer CPUs than are online? */
bool machine_has_cpuset(const struct machine *m);

/* What limits it, for the environment of a run: allowed_cpus, quota, container,
 * governor, turbo; a value of NULL: it does not, or is not known.  A NULL key
 * after the last; owned by `a`. */
struct machine_fact {
	const char *key, *value;
};
const struct machine_fact *machine_facts(struct arena *a,
					 const struct machine *m);

/* Sentences about what makes the results of `n_cores` worse, NULL after the
 * last.  Limits only: a machine without any has none. */
const char *const *machine_warnings(struct arena *a, const struct machine *m,
				    size_t n_cores);

#endif
