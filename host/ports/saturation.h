/* Saturation kernels: saturation_targets.c chooses what they saturate,
 * saturation.c measures them, and uses.c derives the uses. */
#ifndef PORTS_SATURATION_H
#define PORTS_SATURATION_H

#include "host/ports/infer.h"

enum {
	SATURATION_MAX_TARGETS = 96,
	SATURATION_MAX_BLOCKERS = 240, /* blockers of one kernel */
	SATURATION_GRAIN = 8,
};

/* A set of ports that a kernel can saturate. */
struct saturation_target {
	model_ports ports;
	unsigned n_ports;
	bool is_class;
	struct matrix_experiment fill; /* mix of rows that fills the set */
	/* Time of the kernel alone, by its length in grains; 0: not
	 * measured. */
	struct ports_value base[SATURATION_MAX_BLOCKERS / SATURATION_GRAIN + 1];
};

/* Result of the kernel of one target for one form. */
struct saturation_result {
	/* Cycles of the form confined to the target. NAN: not measured;
	 * HUGE_VAL: cannot be measured. */
	double u;
	size_t grains; /* length of the kernel; 0: nothing was measured */
	bool sure;     /* close to a whole number */
	bool lost;     /* the measurement had no value */
	bool apart;    /* no kernel can hold the fill and the form */
};

struct saturation {
	struct infer *in;
	size_t n_targets;
	struct saturation_target *targets; /* smallest first */
	size_t n_forms;
	/* Those outside all classes, and members to check (members.c). */
	uint32_t *forms;
	/* Form f and target t are at f * n_targets + t. */
	struct saturation_result *seen;
	/* Cycles of all known uops of each form; a kernel must be longer. */
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

/* Measure the jobs, those without a clear result several times; their order
 * changes. */
int saturation_run(struct saturation *w, struct saturation_job *jobs, size_t n);

/* members.c: is membership in a class not certain without saturation kernels?
 */
bool saturation_is_checked(const struct infer *in, uint32_t form);

/* Measure such members with the ports of other classes saturated.  wanted[f]
 * becomes true for those that have uops there, which leave their class, and
 * false for the other members. */
int saturation_check_members(struct saturation *w, bool *wanted);

/* The mix of a kernel of this length. */
struct ports_mix saturation_mix(const struct infer *in,
				const struct saturation_target *t,
				size_t grains);

/* Is the target measured in this pass? The first pass has no unions. */
bool saturation_takes_part(const struct saturation_target *t, bool unions);

/* Is the set of x a proper subset of the set of y? */
bool saturation_lies_in(const struct saturation_target *x,
			const struct saturation_target *y);

/* uses.c: as infer_add_use(); nothing if n_uops is 0 or the form has no
 * room. */
void saturation_add_use(struct form_state *f, model_ports ports, double n_uops,
			double cycles);

/* Are the results of a form consistent? If not, those to measure again are
 * cleared. */
bool saturation_is_consistent(struct saturation *w, size_t form);

/* Derive the uses of a form. Returns true when kernels of unions may add
 * information. */
bool saturation_derive_uses(struct saturation *w, size_t form, bool unions);

#endif
