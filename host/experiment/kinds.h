/* The kinds of experiments: those of the table below, and those that effects
 * have (host/effect/effect.h).  The facts of a kind tell the generator and the
 * solver what its kernels look like.  host/README.md says how to add
 * one. */
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
	/* Its claims are of two forms, whose own chains are its controls. */
	EXPERIMENT_PAIRED = 1 << 5,
	/* The second of its two steps is no part of the chain: its result is
	 * another source of the first. */
	EXPERIMENT_WRITER = 1 << 6,
	/* A kernel is chains that follow each other, of EXPERIMENT_QUEUE_OPS
	 * instances each. */
	EXPERIMENT_CUT = 1 << 7,
	/* The same with EXPERIMENT_WINDOW_GROUPS groups of the steps each. */
	EXPERIMENT_CUT_GROUPS = 1 << 8,
	/* Its verdicts say nothing of the values of its forms. */
	EXPERIMENT_NO_EVIDENCE = 1 << 9,
	/* Two measured steps, of which the first is broken, and the second where
	 * it is not to wait for the first, and may be a store; behind them stand
	 * helpers, each as often as its count says. */
	EXPERIMENT_BEHIND = 1 << 10,
};

struct experiment_row {
	const char *word;  /* of labels */
	const char *claim; /* the kind of its claims */
	unsigned rank;     /* see experiment_rank() */
	unsigned facts;
};

/* name, word of the label, kind of the claim, rank (experiment_rank()), facts.
 * Claims of a form are made in this order. */
#define EXPERIMENT_KINDS(X)                                                \
	X(LATENCY, "latency", "latency", 0,                                \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |  \
		  EXPERIMENT_CLAIMED)                                      \
	X(JOINT, "joint", "latency", 1,                                    \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED)   \
	X(SHORT, "short", "latency-short", 1,                              \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |  \
		  EXPERIMENT_CLAIMED)                                      \
	X(MERGE, "merge", "latency", 0,                                    \
	  EXPERIMENT_WAITS | EXPERIMENT_TIMES_CHAIN | EXPERIMENT_JUDGED |  \
		  EXPERIMENT_CLAIMED)                                      \
	X(CONTROL, "control", "control", 0, EXPERIMENT_JUDGED)             \
	X(THROUGHPUT, "throughput", "throughput", 0,                       \
	  EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED)                          \
	X(LOOP, "loop", "throughput", 1, EXPERIMENT_JUDGED)                \
	X(LONG, "long", "throughput-long", 1,                              \
	  EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED)                          \
	X(DEPENDENT, "dependent", "dependent", 1,                          \
	  EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED)                          \
	X(MIX, "mix", "mix", 0, EXPERIMENT_JUDGED)                         \
	X(CODE, "code", "code", 0, EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED) \
	X(ITERATION, "iteration", "iteration", 0,                          \
	  EXPERIMENT_JUDGED | EXPERIMENT_WHOLE)                            \
	X(CROSSING, "crossing", "crossing", 0,                             \
	  EXPERIMENT_JUDGED | EXPERIMENT_WHOLE)                            \
	X(CALIBRATE, "calibrate", "", 0, EXPERIMENT_WAITS)                 \
	X(PROBE, "probe", "", 0, 0)                                        \
	X(WAKE, "wake", "", 0, 0)

/* So many effects may be there; a limit, and no kind. */
enum { EXPERIMENT_MAX_EFFECTS = 40 };

enum experiment_kind {
#define EXPERIMENT_KIND(name, word, claim, rank, facts) EXPERIMENT_##name,
	EXPERIMENT_KINDS(EXPERIMENT_KIND)
#undef EXPERIMENT_KIND
	/* The number of kinds above, and the first number that is reserved for
	 * an effect: one for each, in their order, if it has a kind or not. */
	EXPERIMENT_N_CORE,
	/* A word that is none of these: of another version of the program. */
	EXPERIMENT_N = EXPERIMENT_N_CORE + EXPERIMENT_MAX_EFFECTS,
};

/* The kind of a word of n characters; EXPERIMENT_N: none. */
enum experiment_kind experiment_kind_of(const char *word, size_t n);

/* The word of a kind, "latency", and that of the claims that follow from it.
 * The kind is below EXPERIMENT_N. */
const char *experiment_kind_word(enum experiment_kind kind);
const char *experiment_claim_word(enum experiment_kind kind);

/* Does one of these facts hold?  None does for EXPERIMENT_N. */
bool experiment_kind_is(enum experiment_kind kind, unsigned facts);

/* The rank of a label: kernels of a lower rank are measured first.  Below
 * EXPERIMENT_N_RANKS.
 *	0	values of a latency or a throughput, the width of the core, its
 *		loops and own code
 *	1	other shapes of the same instances, which refine these values
 *	2	buffers, and pairs of forms
 * A label of an unknown kind has the last rank. */
enum { EXPERIMENT_N_RANKS = 3 };
unsigned experiment_rank(const char *label);

#endif
