/* Saturation kernels: saturation_targets.c lists the sets of ports that they
 * can saturate, saturation.c measures them, and question.c chooses the next one
 * of each form and derives its uses. */
#ifndef PORTS_SATURATION_H
#define PORTS_SATURATION_H

#include "host/ports/infer.h"

enum {
	SATURATION_MAX_TARGETS = 96,
	SATURATION_MAX_INSTANCES = 240, /* instances of the fill in a kernel */
	SATURATION_GRAIN = 8,
};

/* A set of ports that a kernel can saturate. */
struct saturation_target {
	model_ports ports;
	unsigned n_ports;
	struct matrix_experiment fill; /* mix of rows that fills the set */
	/* Time of the kernel alone, by its length in grains; 0: not
	 * measured.  A kernel may be measured with two grains more. */
	struct ports_value
		base[SATURATION_MAX_INSTANCES / SATURATION_GRAIN + 3];
};

/* Result of the kernel of one target for one form. */
struct saturation_result {
	/* Cycles of the form confined to the target. NAN: not measured;
	 * HUGE_VAL: cannot be measured. */
	double u;
	size_t grains; /* length of the kernel; 0: nothing was measured */
	bool sure;     /* close to a whole number */
	double off;    /* error of u, in cycles */
	/* The front end or the scheduler may have made the kernel slower: u
	 * or less. */
	bool at_most;
	bool lost;  /* the measurement had no value */
	bool apart; /* no kernel can hold the fill and the form */
};

struct saturation {
	struct infer *in;
	size_t n_targets;
	struct saturation_target *targets; /* smallest first */
	size_t n_forms;
	/* Those outside all classes, and members that may have more uops. */
	uint32_t *forms;
	/* Form f and target t are at f * n_targets + t. */
	struct saturation_result *seen;
	/* For each form what its kernels must exceed: the most cycles that one
	 * showed, and more if they contradict each other. */
	double *cycles;
};

/* A kernel to measure: a form with a target. */
struct saturation_job {
	size_t form, target; /* indices into the lists of struct saturation */
	size_t grains;
};

/* Set w->targets and w->n_targets: the sets of ports that a mix of classes can
 * keep busy evenly, so that there is room for a uop on any port of the set. */
void saturation_find_targets(struct saturation *w);

/* Number of instances of a fill. */
double saturation_load_of(const struct matrix_experiment *fill);

/* Set job->grains.  False if the kernel would be too long, or if no kernel can
 * hold the fill and the form; the result is then set to "cannot be
 * measured". */
bool saturation_plan(struct saturation *w, struct saturation_job *job);

/* Measure the jobs, those without a clear result twice; their order changes. */
int saturation_run(struct saturation *w, struct saturation_job *jobs, size_t n);

/* Cycles that the kernel of target t would show for form i with these uses, if
 * their ports and the front end are all that limits it. */
double saturation_expected(const struct saturation *w, size_t i, size_t t,
			   const struct model_use *of, size_t n_of);

/* Is the set of x a proper subset of the set of y? */
bool saturation_lies_in(const struct saturation_target *x,
			const struct saturation_target *y);

/* List the forms and the targets of w, whose w->in is set, and give the members of
 * classes and the forms as fast as the front end their uses. */
void saturation_begin(struct saturation *w);

#endif
