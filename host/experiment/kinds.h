/* The kinds of experiments.  A row of this table has the word of a kind's labels, the
 * kind of its claims, its rank and facts.  Planner, generator and solver have code of
 * their own for some kinds.  docs/architecture.md says how to add one. */
#ifndef EXPERIMENT_KINDS_H
#define EXPERIMENT_KINDS_H

#include <stdbool.h>
#include <stddef.h>

/* Facts about a kind. */
enum experiment_facts {
	/* The steps of a kernel wait for each other through their ends. */
	EXPERIMENT_WAITS = 1 << 0,
	/* Its value is the latency of a chain, not a throughput. */
	EXPERIMENT_TIMES_CHAIN = 1 << 1,
	/* The solver judges its kernels. */
	EXPERIMENT_JUDGED = 1 << 2,
	/* A claim follows from each group of its kernels.  Kinds that are
	 * judged and make no claim are evidence for claims of others. */
	EXPERIMENT_CLAIMED = 1 << 3,
	/* Its value is the time of a whole iteration of a short loop, without
	 * the cost of a reading, and not a slope. */
	EXPERIMENT_WHOLE = 1 << 4,
};

/* name, word of the label, kind of the claim, rank (experiment_rank()), facts.
 * Claims of a form are made in this order. */
#define EXPERIMENT_KINDS(X)                                                    \
	X(LATENCY, "latency", "latency", 0,                                    \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |      \
		  EXPERIMENT_CLAIMED)                                          \
	X(JOINT, "joint", "latency", 1,                                        \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED)       \
	X(SHORT, "short", "latency-short", 1,                                  \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |      \
		  EXPERIMENT_CLAIMED)                                          \
	X(FORWARD, "forward", "forward", 2,                                    \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |      \
		  EXPERIMENT_CLAIMED)                                          \
	X(WRITTEN, "written", "written", 2,                                    \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |      \
		  EXPERIMENT_CLAIMED)                                          \
	X(QUEUE, "queue", "queue", 2,                                          \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |      \
		  EXPERIMENT_CLAIMED)                                          \
	X(MERGE, "merge", "latency", 0,                                        \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |      \
		  EXPERIMENT_CLAIMED)                                          \
	X(WINDOW, "window", "window", 2, EXPERIMENT_WAITS | EXPERIMENT_JUDGED) \
	X(CONTROL, "control", "control", 0, EXPERIMENT_JUDGED)                 \
	X(THROUGHPUT, "throughput", "throughput", 0,                           \
	  EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED)                              \
	X(LOOP, "loop", "throughput", 1, EXPERIMENT_JUDGED)                    \
	X(LONG, "long", "throughput-long", 1,                                  \
	  EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED)                              \
	X(DEPENDENT, "dependent", "dependent", 1,                              \
	  EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED)                              \
	X(MIX, "mix", "mix", 0, EXPERIMENT_JUDGED)                             \
	X(ITERATION, "iteration", "iteration", 0,                              \
	  EXPERIMENT_JUDGED | EXPERIMENT_WHOLE)                                \
	X(CROSSING, "crossing", "crossing", 0,                                 \
	  EXPERIMENT_JUDGED | EXPERIMENT_WHOLE)                                \
	X(CALIBRATE, "calibrate", "", 0, EXPERIMENT_WAITS)                     \
	X(PROBE, "probe", "", 0, 0)                                            \
	X(WAKE, "wake", "", 0, 0)

enum experiment_kind {
#define EXPERIMENT_KIND(name, word, claim, rank, facts) EXPERIMENT_##name,
	EXPERIMENT_KINDS(EXPERIMENT_KIND)
#undef EXPERIMENT_KIND
	/* A word that is none of these: of another version of the program. */
	EXPERIMENT_N,
};

/* The kind of a word of n characters; EXPERIMENT_N: none. */
enum experiment_kind experiment_kind_of(const char *word, size_t n);

/* The word of a kind, "latency", and that of the claims that follow from it.
 * The kind is below EXPERIMENT_N. */
const char *experiment_kind_word(enum experiment_kind kind);
const char *experiment_claim_word(enum experiment_kind kind);

/* Does this fact hold?  None does for EXPERIMENT_N. */
bool experiment_kind_is(enum experiment_kind kind, enum experiment_facts fact);

/* The rank of a label: kernels of a lower rank are measured first.  Below
 * EXPERIMENT_N_RANKS.
 *	0	values of a latency or a throughput, and the width of the core
 *	1	other shapes of the same instances, which refine these values
 *	2	buffers, the front end, and pairs of forms
 * A label of an unknown kind has the last rank. */
enum { EXPERIMENT_N_RANKS = 3 };
unsigned experiment_rank(const char *label);

#endif
