/* State of the inference, shared by the files of host/ports.
 *
 * The stages run in the order in which they are declared below. Each stage
 * reads what earlier stages have set in struct infer and struct form_state. */
#ifndef PORTS_INFER_H
#define PORTS_INFER_H

#include "host/base/file.h"
#include "host/ports/matrix.h"
#include "host/ports/ports.h"

enum {
	PORTS_MAX_USES = 12,
	/* Cores that issue this few instructions per cycle hide their ports. */
	PORTS_NARROW_WIDTH = 2,
};

/* Rates, and times of mixes, within this relative difference are equal. */
extern const double infer_equal_rates, infer_equal_times;

/* Fraction of the width above which a set of ports nearly fills the front
 * end. */
extern const double infer_nearly_full;

/* How far the inference has come: what is valid in struct infer. */
enum infer_stage {
	/* Only the request. */
	INFER_START,
	/* width, cap, filler and base; rates and slots of all forms. A cap of
	 * PORTS_NARROW_WIDTH or less continues with INFER_PAIRS, any other
	 * with INFER_CLASSES. */
	INFER_SINGLES,
	/* The pairing table of the answer; port blockers do not apply. */
	INFER_PAIRS,
	/* Classes of forms without memory. */
	INFER_CLASSES,
	/* problem, solution and n_ports for these classes. */
	INFER_MATRIX,
	/* Classes of memory accesses too; the solution lacks them. */
	INFER_MEMORY_CLASSES,
	/* The solution for all classes. */
	INFER_FULL_MATRIX,
	/* The solution is confirmed by random mixes and final. */
	INFER_CHECKED,
	/* Verdicts and uses of all forms, as far as classes show them. */
	INFER_SATURATED,
	/* Units as pseudo ports; verdicts and uses are final. */
	INFER_UNITS,
	/* The answer is filled in; forms may still become misfits. */
	INFER_ANSWERED,
	/* Misfits are marked, the fit is measured, breakers are subtracted. */
	INFER_DONE,
};

struct form_state {
	struct ports_value alone; /* one instance, from INFER_SINGLES on */
	/* Dispatch slots: the interval from mixes with fillers, and the whole
	 * number in it (0: none). */
	double slots_low, slots_high;
	/* At most as many: the mixes of least_slots.c. */
	double slots_most;
	unsigned slots;
	unsigned size; /* ports of a class candidate; 0: none */
	int32_t class_id;
	/* Slots are unknown, and it takes more than one. */
	bool multiple;
	bool wide; /* as fast as the front end: its ports do not show */
	/* Disables one of this many ports of other forms; 0: no. */
	unsigned blocks_ports;
	/* Its class left the matrix: with the others it is no faster than one
	 * uop, but no matrix of ports has it. */
	bool contradicts;
	/* Some kernels showed more than its uops take, and nothing else speaks
	 * against these. */
	bool slower;
	/* As ports_answer_form.n_checks. */
	unsigned n_checks;
	bool lost; /* its slots or its unit depend on a mix without a value */
	/* No instance takes longer than this in the fastest mix with other
	 * forms; 0: not known. */
	double most_cycles;
	/* Uses that agree with its kernels so far, to guess the time of the
	 * next one; 0: none are chosen. */
	size_t n_guess;
	struct model_use guess[PORTS_MAX_USES];
	enum ports_verdict verdict;
	size_t n_uses;
	struct model_use uses[PORTS_MAX_USES];
	const char *how;
};

/* A measured mix of classes. */
struct mix_evidence {
	struct ports_mix mix;
	struct ports_value value;
	/* From a random mix that was slower than the matrix allows. */
	bool weak;
};

struct infer {
	struct arena *a;
	enum infer_stage stage;
	const struct ports_request *q;
	struct ports_answer *w;
	struct err *e;
	uint64_t random;
	struct form_state *f;
	uint16_t batch;   /* the one that is being measured */
	bool all_batches; /* the stages are over the forms of all of them */
	struct ports_answer_form *answers;
	double width;
	/* Larger unions than this many ports take the same time. */
	unsigned cap;
	int32_t filler;      /* a form of one slot whose ports do not show */
	double filled_width; /* fillers that start in a cycle */
	/* The scheduler makes mixes of classes this much slower than their
	 * ports, relative; from INFER_CHECKED on. */
	double slowdown;
	/* The fastest mix of forms with different ports that are slower than
	 * the front end; the filler is tried on it. */
	struct ports_mix base;
	double base_cycles;
	/* Candidates of batch 0 for classes of loads. */
	size_t n_loads;
	size_t n_classes;
	struct {
		uint32_t form;
		unsigned size;
		bool out; /* excluded from the matrix: contradicts the others */
		bool blocked; /* some form disables one of its ports */
	} classes[PORTS_MAX_CLASSES];
	/* The matrix: one row per class, in order. */
	struct matrix_problem problem;
	struct matrix_solution solution;
	unsigned n_ports;
	/* Steps of the solver that are left for questions that the search can do
	 * without. */
	uint64_t steps;
	struct units *units; /* units.c; NULL before INFER_UNITS */
	size_t n_rows;       /* classes in the solution */
	/* The last random mixes of classes were all as the matrix says. */
	bool confirmed;
	/* A pair of classes or a separating mix has no value. */
	bool undecided;
	/* Representatives that were unlike their class; the last one. */
	size_t n_replaced;
	uint32_t replaced;
	struct buffer evidence, experiments, dropped; /* parallel arrays */
	struct buffer notes, conflicts, ports;
	/* guess.c: how many times of each phase are guesses; and of each side,
	 * the ports that its forms are taken to have, 0: not known yet. */
	size_t n_guessed[PORTS_N_PHASES];
	unsigned side_ports[PORTS_SIDES];
};

/* Measure n mixes with the oracle, and count them. */
int infer_measure(struct infer *in, enum ports_phase phase,
		  const struct ports_mix *mixes, size_t n,
		  struct ports_value *ret);

/* Measure each of n mixes in other orders: backwards, with one to three times its
 * instances.  A scheduler makes some orders slower, but none faster than the ports
 * allow: values[i] becomes that of the fastest order. */
int infer_measure_orders(struct infer *in, enum ports_phase phase,
			 const struct ports_mix *mixes, size_t n,
			 struct ports_value *values);

/* A front end without a filler may be this much slower than its best, relative,
 * because it takes instructions in groups. Measured on a Zen 5: 6.9
 * no-operations per cycle where other forms reach 8. */
extern const double infer_uneven;

/* Is the form in the batch that is being measured? */
bool infer_in_batch(const struct infer *in, size_t form);

size_t infer_n_in_batch(const struct infer *in);

/* Relative error bound of a value. */
double infer_tolerance(const struct ports_value *v);

void infer_add(struct ports_mix *mix, uint32_t form, uint32_t count);

/* Uops of the form that may share the slot of another one: an access shares that of
 * the uop that needs it, and a store has an address and data. */
unsigned infer_shared(const struct infer *in, uint32_t form);

/* May the form stand for its class? */
bool infer_may_represent(const struct infer *in, uint32_t form);

/* May a form share a mix with another one, or with all forms of a mix?  See
 * ports_oracle.may_mix. */
bool infer_may_mix(const struct infer *in, uint32_t x, uint32_t y);
bool infer_may_join(const struct infer *in, const struct ports_mix *mix,
		    uint32_t form);

/* Add n_uops uops to a form, each of which holds one of the ports for so many
 * cycles.  They are added to the form's use with the same ports and cycles, or
 * are a new use, for which the form must have room. */
void infer_add_use(struct form_state *f, model_ports ports, double n_uops,
		   double cycles);
/* Have both forms the same uops on the same ports? */
bool infer_have_equal_uses(const struct form_state *f,
			   const struct form_state *g);
double infer_instances(const struct ports_mix *mix);
double infer_random(struct infer *in); /* uniform, 0 <= x < 1 */
void infer_note(struct infer *in, const char *text);
void infer_conflict(struct infer *in, const struct ports_mix *mix,
		    double measured, double expected);

/* guess.c: give mixes that are measured later a time, by what is known of their
 * forms, and where nothing is known, by their kinds. */
void infer_guess(struct infer *in, enum ports_phase phase,
		 const struct ports_mix *mixes, size_t n,
		 struct ports_value *values);

/* Is so much of earlier phases a guess that mixes of this phase would be of no
 * use? */
bool infer_is_far(const struct infer *in, enum ports_phase phase);

/* width.c: find the width, a filler, and the base mix. */
int infer_width(struct infer *in);

/* filler.c: set in->filler to a form that fills up in->base at this rate, and
 * in->filled_width, or set in->filler to PORTS_NONE. */
int infer_filler(struct infer *in, double rate);

/* port_blockers.c: find port blockers with kernels of this form, which has
 * `size` ports. *ret_changes: the time of the saturated form depends on the
 * forms around it, so no blocker can be found. *ret_blocked: some were
 * found. */
int infer_port_blockers(struct infer *in, uint32_t saturated, unsigned size,
			bool *ret_changes, bool *ret_blocked);
/* Find the port blockers among the forms of a later batch with kernels of this
 * class.  Sets its `blocked` if there are some. */
int infer_batch_blockers(struct infer *in, size_t class_id);

/* states.c: does the form take another time alone than its throughput says, or longer
 * than a whole mix with it, by more than the front end explains? */
bool infer_has_states(const struct infer *in, size_t form);
/* Such forms of the batch that are PORTS_OK become open if a uop of them may be
 * missing. */
void infer_note_states(struct infer *in);

/* The stages, in order. */
int infer_singles(struct infer *in); /* singles.c: rates, slots */
/* The same for a later batch, with the width that batch 0 found.  *ret_begun is
 * false if no form of the batch has a value: either none can be measured, or
 * the budget or the stored results have ended.  Then all have the verdict
 * PORTS_UNFINISHED, and nothing follows for the next batch; the oracle says
 * whether that one is begun. */
int infer_batch_singles(struct infer *in, bool *ret_begun);
int infer_pairing(struct infer *in); /* pairing.c: for a width of two */
int infer_classes(struct infer *in); /* classes.c: forms without memory */
int infer_matrix(struct infer *in);  /* matrix_search.c: the matrix */
/* undecided.c: find other matrices of at most `ports` ports that fit all
 * evidence. */
void infer_alternatives(struct infer *in, const struct matrix_problem *p,
			unsigned ports);
/* undecided.c: exclude classes until this and the other matrix agree on all
 * remaining ones. Returns how many were excluded; 0: the matrices do not differ
 * measurably. */
size_t undecided_exclude_classes(struct infer *in,
				 const struct matrix_solution *other);
/* classes.c: memory accesses of one uop. Requires the matrix of the other
 * classes; these classes have a matrix of their own. */
int infer_memory_classes(struct infer *in);
/* classes.c: find the port blockers of a later batch, and the forms of one uop
 * that belong to the classes. */
int infer_join_classes(struct infer *in);
int infer_matrix_check(struct infer *in); /* matrix_search.c: random mixes */
int infer_saturation(struct infer *in);   /* question.c: all other forms */
/* units.c: units that are not pipelined; units_hidden.c: units that no form keeps
 * busy alone; units.c: forms that these leave unexplained. */
int infer_units(struct infer *in);
int infer_hidden_units(struct infer *in);
int infer_leave_units(struct infer *in);
/* least_slots.c: without a filler, find the forms of more than one slot. */
int infer_least_slots(struct infer *in);
/* held.c: give the verdict `open` to forms that hold their ports and share them
 * with a class although their claims do not. */
int infer_held(struct infer *in);
/* wide.c: give the verdict `open` to forms that are as fast as the front end
 * and share ports with a uop that holds its ports for several cycles. */
int infer_wide(struct infer *in);
/* draw.c: draw the mixes of a trial in `times` rounds, of which each has a form at most
 * once, and those of the fit.  They belong to in->a. */
struct ports_mix *infer_draw_trial(struct infer *in, unsigned times,
				   size_t *ret_n);
struct ports_mix *infer_draw_fit(struct infer *in, size_t *ret_n);
/* check.c: reject forms whose mixes are wrong; then measure the error of the
 * others. */
int infer_trial(struct infer *in);
int infer_fit(struct infer *in);
/* unconfirmed.c: leave forms to published tables if random mixes on their ports
 * are off too much on average.  errors: relative, NAN: none; those of mixes with
 * such forms become NAN. */
void infer_leave_unconfirmed(struct infer *in, const struct ports_mix *mixes,
			     double *errors, size_t n);
/* unconfirmed.c: leave forms with an access to published tables if loads may be one
 * uop and none is a class: which ports they have in common is not known. */
void infer_leave_accesses(struct infer *in);

/* breakers.c: exclude forms with breakers from the search for pairs; at the
 * end, subtract the breakers' uops from the result. */
void breakers_set_aside(struct infer *in);
void breakers_take_off(struct infer *in);

#endif
