/* A search for ports that measures what the inference asks for, pack by pack:
 * shared by ports.c and ports_packs.c. */
#ifndef CLI_PORTS_HUNT_H
#define CLI_PORTS_HUNT_H

#include "host/cli/ports.h"
#include "host/cli/progress.h"
#include "host/cli/workspace.h"
#include "host/solve/solve.h"

enum {
	/* Kernels of one pack: a second or two, after which the budget is
	 * looked at, and what silence is is learned anew. */
	HUNT_PACK = 400,
	HUNT_CONTROLS = 4,
};

struct hunt {
	struct campaign *c;
	const struct options *o;
	struct store *s;
	struct run run;
	struct workspace w;
	struct plan_ports_form *forms;
	uint16_t *latencies;    /* of registers they overwrite, 0: not known */
	size_t n_forms, n_left; /* left out: nothing cuts what they wait for */
	struct experiment *calibration;
	size_t n_calibration;
	struct ports_answers *answers;
	uint32_t bodies; /* instances of a mix at least; 0: as others are */
	bool only_old;   /* measure nothing */
	struct solve_probe probe;
	bool lossy;   /* mixes of the last pack had no value, ... */
	bool spoiled; /* ... and that says nothing of them */
	size_t n_controls;
	struct experiment controls[HUNT_CONTROLS]; /* that can be had */
	double patience; /* seconds left to wait for a busy thread */
	/* The first kernel that was measured for the fit; UINT32_MAX: none
	 * yet.  What came after it was not there for the search, and is not
	 * when the search is repeated. */
	uint32_t fit_from;
	uint32_t next_kernel;
	double started, seconds; /* budget; 0: none */
	size_t n_measured, most; /* kernels, budget; 0: none */
	bool ended;              /* the budget */
	struct progress progress;
};

/* How its kernels are measured. */
struct gen_profile hunt_profile(const struct hunt *h);

/* Instances of the shortest body of a mix, at most. */
uint32_t hunt_longest_bodies(const struct hunt *h);

/* ports_bodies.c: how long the bodies of mixes are on this core, into
 * h->bodies. */
int hunt_choose_bodies(struct hunt *h, struct err *e);

/* ports_shares.c: kernels that the budget allows still, one at least. */
size_t hunt_left(const struct hunt *h, enum ports_phase phase);

/* Is the share of the budget spent that a phase and those before it have? Notes
 * in h->ended that it was. */
bool hunt_is_over(struct hunt *h, enum ports_phase phase);

/* ports.c: measure a list until each has a value, or patience or the budget
 * ends. */
int hunt_ask(struct hunt *h, enum ports_phase phase, const char *what,
	     const struct experiment *list, size_t n, struct ports_value *ret,
	     struct err *e);

/* Packs in which more of the visits had a busy sibling tell nothing of their
 * kernels. */
extern const double hunt_busy;

/* The label of an experiment; false when it is too long. */
bool hunt_label(const struct hunt *h, const struct experiment *x,
		char label[PACK_MAX_LABEL]);

/* A solve_each_mix of a hunt: keep the value as an answer. */
int hunt_keep(void *context, const struct solve_mix *m, struct err *e);

/* ports_spoiled.c: how many of h->controls stand in a pack of n mixes. */
size_t hunt_controls(const struct hunt *h, size_t n);

/* Results there are of each of the pack's mixes and controls. */
void hunt_count(const struct hunt *h, const struct experiment *list,
		const size_t *wanted, size_t n, size_t *ret);

/* Once the pack is measured: was it spoiled?  If not, what it brought no value
 * of is lost.  before: of hunt_count(). */
void hunt_judge(struct hunt *h, const struct experiment *list,
		const size_t *wanted, size_t n, const size_t *before);

/* Measure list[wanted[i]] for i < n, at most a pack of them, and keep the
 * answers. */
int hunt_measure(struct hunt *h, const struct experiment *list,
		 const size_t *wanted, size_t n, struct err *e);

#endif
