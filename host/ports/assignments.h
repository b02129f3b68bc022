/* Assignments: which ports the uops of a form may use.
 *
 * A saturation kernel of a set of ports shows how many cycles of a form's uops
 * are confined to the set (saturation.h).  An assignment gives each uop one of
 * the sets that uops of this core may have, so it says what every such kernel
 * shows.  This lists the assignments that agree with what some kernels showed,
 * with the time of the form alone, and with its slots. */
#ifndef PORTS_ASSIGNMENTS_H
#define PORTS_ASSIGNMENTS_H

#include "host/ports/ports.h"

enum {
	ASSIGNMENTS_MAX_SETS = 192,
	ASSIGNMENTS_MAX_PARTS = 8, /* sets of one assignment */
	ASSIGNMENTS_MAX_WHOLE = 4, /* ports that one uop holds */
	ASSIGNMENTS_MAX_USES = ASSIGNMENTS_MAX_PARTS + ASSIGNMENTS_MAX_WHOLE,
	ASSIGNMENTS_MAX_KERNELS = 128,
};

/* What a kernel showed. */
struct assignments_kernel {
	model_ports ports;
	/* Cycles confined to them.  A scheduler makes a kernel slower, never
	 * faster: one that only gives an upper limit has least 0. */
	unsigned least, most;
};

struct assignments_problem {
	/* Sets that uops may have, the most likely first. */
	size_t n_sets;
	const model_ports *sets;
	size_t n_kernels;
	const struct assignments_kernel *kernels;
	/* All sets that kernels can keep busy. */
	size_t n_targets;
	const model_ports *targets;
	unsigned slots;
	unsigned uops; /* at most; one may take several cycles */
	double width;
	double alone; /* cycles of the form alone */
	double above; /* an assignment may take this share more than `alone` */
	/* Number of kernels that may show more cycles than the uops take. */
	unsigned slower;
};

struct assignment {
	size_t n;
	struct {
		model_ports ports;
		unsigned cycles;
		bool whole; /* one uop, which holds all of these ports */
	} part[ASSIGNMENTS_MAX_PARTS];
	unsigned cycles; /* of all parts */
	bool explains;   /* the time of the form alone */
};

/* A number of cycles this close to a whole one may be it. */
extern const double assignments_some;

/* List the sets that uops may have: those of the n_rows classes, what some of
 * them have in common, and their unions that kernels can saturate.  Returns how
 * many; *ret_cut: there are more. */
size_t assignments_sets(const model_ports *rows, size_t n_rows,
			const model_ports *unions, size_t n_unions,
			model_ports ret[ASSIGNMENTS_MAX_SETS], bool *ret_cut);

/* List at most `room` assignments, those with the fewest cycles first; returns
 * how many.  *ret_all: there are no others. */
size_t assignments_list(const struct assignments_problem *p,
			struct assignment *ret, size_t room, bool *ret_all);

/* Does a uop of it hold several ports? */
bool assignments_has_whole(const struct assignment *a);

/* Cycles of an assignment that are confined to the ports. */
unsigned assignments_within(const struct assignment *a, model_ports ports);

/* Its uses: each uop takes a cycle, and one that holds several ports has a use
 * of each and needs no slot.  If there are more cycles than `uops`, one uop of the
 * part with the most cycles takes the rest, too.  Returns their number. */
size_t assignments_uses(const struct assignment *a, unsigned uops,
			struct model_use ret[ASSIGNMENTS_MAX_USES]);

#endif
