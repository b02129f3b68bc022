/* A core in simulated time: the duration of a kernel's run with all
 * disturbances during it. */
#ifndef ADVERSARY_CORE_H
#define ADVERSARY_CORE_H

#include "tests/adversary/kernel.h"
#include "tests/adversary/rng.h"

/* Events whose time does not depend on what runs. */
enum core_event {
	EVENT_DRIFT,
	EVENT_SIBLING,
	EVENT_PREEMPT,
	EVENT_STORM, /* a burst of stalls begins or ends */
	EVENT_STALL, /* one of a burst */
	EVENT_AFTER, /* the stall after wide code */
	EVENT_LICENCE,
	EVENT_THROTTLE,
	N_EVENTS,
};

/* A width class. */
struct core_class {
	unsigned state;
	double until;      /* when the state ends */
	double last;       /* when its code ran last */
	double activity;   /* time it ran since its units were powered down */
	double hold_until; /* end of its frequency licence */
	bool asleep;
};

struct core {
	const struct machine *m;
	const struct core_parameters *p;
	struct rng rng;
	double now;
	double at[N_EVENTS], next; /* times, and the first of them */
	double ghz, walk, phase, drifted;
	bool busy, storm;
	double intensity;
	unsigned workload;
	struct core_class class[N_CLASSES];
	double loads_until; /* loads of 32 bytes are slow */
	unsigned licence, running;
	double to_jump;      /* readings until a wrong one */
	double throttled;    /* its slow-down; 1: it is not */
	unsigned place;      /* of the code */
	bool clean;          /* nothing disturbed the current run */
	enum width measured; /* class of the measured kernel */
	uint64_t step_ticks;
	double steps_per_ns;
};

/* A reading of the counter before and after a run, and whether the run was
 * undisturbed. */
struct core_run {
	uint64_t begin, end;
	bool clean;
};

struct core core_new(const struct machine *m, unsigned index);

/* Run a kernel for this many cycles, or no kernel (NULL). */
struct core_run core_run(struct core *c, const struct kernel *k, double cycles);

/* The counter now. */
uint64_t core_ticks(const struct core *c);

/* Time passes in which other kernels of the same class run. */
void core_pass(struct core *c, double ns);

/* Time passes in which the core runs other code. */
void core_idle(struct core *c, double ns);

#endif
