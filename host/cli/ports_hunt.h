/* A search for ports that measures what the inference asks for, pack by pack:
 * shared by ports.c and ports_packs.c. */
#ifndef CLI_PORTS_HUNT_H
#define CLI_PORTS_HUNT_H

#include "host/cli/ports.h"
#include "host/cli/progress.h"
#include "host/cli/workspace.h"
#include "host/solve/solve.h"

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

/* Measure list[wanted[i]] for i < n, at most a pack of them, and keep the
 * answers. */
int hunt_measure(struct hunt *h, const struct experiment *list,
		 const size_t *wanted, size_t n, struct err *e);

#endif
