/* The parameters of a machine that is drawn from a seed: its clock and cores,
 * and all of its disturbances.  All times are in nanoseconds. */
#ifndef ADVERSARY_MACHINE_H
#define ADVERSARY_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/row.h"

enum {
	MAX_CORES = 2,
	MAX_STATES = 4, /* the fast one among them */
	N_WORKLOADS = 4,
	N_LICENCES = 3,
};

enum width {
	WIDTH_GENERAL,
	WIDTH_128,
	WIDTH_256,
	WIDTH_512,
	N_WIDTHS,
	WIDTH_NONE = N_WIDTHS, /* of kernels that have no states */
	N_CLASSES,
};

/* Disturbances; each can be switched on and off. */
enum disturbance {
	DISTURB_DRIFT,   /* the frequency changes slowly */
	DISTURB_SIBLING, /* the other thread of the core is busy at times */
	DISTURB_NEVER,   /* ... at all times, each time with different work */
	DISTURB_PREEMPT,
	DISTURB_STORM,   /* many short stalls for some milliseconds */
	DISTURB_JUMP,    /* a counter reading is wrong */
	DISTURB_STATES,  /* hidden states of a width class */
	DISTURB_STALL,   /* one stall after wide code */
	DISTURB_SLEEP,   /* wide units that power up only after some use */
	DISTURB_LOADS,   /* loads of 32 bytes are slow after code of 64 */
	DISTURB_PROBE,   /* a probe is slow and the kernels are not */
	DISTURB_LICENCE, /* wide code lowers the frequency */
	DISTURB_CORES,   /* two different cores measure */
	/* Never drawn, only named: effects.h. */
	DISTURB_THROTTLE,
	DISTURB_PLACE,
	N_DISTURBANCES,
};

/* By name, as on the command line; N_DISTURBANCES: unknown. */
enum disturbance machine_disturbance(const char *name);
const char *machine_disturbance_name(enum disturbance d);

/* Differences between two cores of a machine. */
struct core_parameters {
	double ghz;
	double reading_cycles; /* between the two readings of a run */
	double sibling_busy;   /* share of the time */
	double sibling_ns;     /* mean length of an episode */
};

/* Hidden states of a width class.  State 0 is the fast one. */
struct state_parameters {
	unsigned n;
	bool own;    /* each kernel has its own slow-down */
	double fast; /* share of the time in state 0 */
	double slow[MAX_STATES];
	double dwell_ns[MAX_STATES];
};

/* A probe that is slow: from a time on, or while kernels of a class are
 * measured. */
struct wrong_probe {
	enum probe probe; /* N_PROBES: none */
	double slow;
	double from_ns;
	enum width width; /* WIDTH_NONE: any */
};

struct machine {
	uint64_t seed;
	unsigned on; /* bit i: enum disturbance i */
	unsigned n_cores;
	struct core_parameters core[MAX_CORES];
	double tsc_ghz, step_ns;
	double drift_sine, drift_ns, drift_walk;
	double preempt_gap_ns, preempt_ns;
	double storm_gap_ns, storm_ns, stall_ns;
	double jump; /* share of the readings */
	struct state_parameters states[N_WIDTHS];
	double after_ns, after_stall_ns; /* a stall so long after */
	double doze_ns, stay_ns, asleep; /* units that power down */
	double settle_ns, loads_slow;    /* loads after 64 bytes */
	bool sibling_wide;               /* ... of the sibling, too */
	struct wrong_probe wrong;
	/* By level: 1 for 32 bytes, 2 for 64. */
	double licence_slow[N_LICENCES], licence_ns, licence_stall_ns;
	double throttle_ns, throttle_gap_ns; /* mean length and gap */
	double place_share, place_slow;
	bool stays; /* the runtime leaves its code in one place */
};

/* The machine of a seed.  only: bits of the disturbances that are on, 0: those
 * that the seed draws. */
struct machine machine_draw(uint64_t seed, unsigned only);

static inline bool machine_has(const struct machine *m, enum disturbance d)
{
	return m->on >> d & 1;
}

/* Is its sibling ever busy? */
static inline bool machine_has_sibling(const struct machine *m)
{
	return machine_has(m, DISTURB_SIBLING) || machine_has(m, DISTURB_NEVER);
}

/* The share of rows of `row_ns` with neither a busy sibling nor a slow state,
 * on the worse core. */
double machine_silence(const struct machine *m, enum width w, double row_ns);

/* Print the parameters in short words, without an end of line. */
void machine_print(const struct machine *m, FILE *out);

#endif
