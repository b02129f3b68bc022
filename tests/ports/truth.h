/* Invented cores whose ports are known: the cost of a mix on such a core, and
 * how well an answer of the inference agrees with it. */
#ifndef TESTS_PORTS_TRUTH_H
#define TESTS_PORTS_TRUTH_H

#include "host/ports/ports.h"

enum { TRUTH_MAX_FORMS = 4096, TRUTH_MAX_USES = 8, TRUTH_MAX_QUEUES = 16 };

struct truth_form {
	char name[40];
	unsigned slots;
	bool fused; /* with the one before it, unless that is in a pair */
	/* Port blocker: forms with is_blocked have none of these ports while it
	 * is in flight. */
	model_ports blocks;
	bool is_blocked;
	/* In kernels of more than LONG instances each takes a cycle of the
	 * front end: it is decoded each time. */
	bool crowded;
	unsigned n_read; /* registers */
	/* 0 to 2.  No kernel can hold a form of side 1 and one of side 2. */
	unsigned side;
	/* No mix with a form whose first uop takes more than a cycle has a
	 * value. */
	bool unstable;
	double alone; /* cycles in a mix of this form only; 0: as others */
	/* Slower alone than its ports: a little, or a state that only mixes of
	 * this form alone have. */
	enum { NOT_SLOWED, SLOWED, TWO_STATES } slowed;
	double throughput; /* that other kernels measured; 0: none did */
	bool drifts;       /* takes up to 2.4 % more than its slots */
	double part;       /* of a slot that it takes in addition */
	bool memory, stores;
	size_t n_uses; /* of ports */
	struct model_use uses[TRUTH_MAX_USES];
};

struct truth {
	unsigned width, n_ports;
	model_ports group[3]; /* integer, vector, memory */
	/* Uops are bound to these ports at dispatch (truth_dispatch.c); 0: to
	 * none. */
	size_t n_queues;
	model_ports queues[TRUTH_MAX_QUEUES];
	/* Uops take their queues in turn, whatever waits there. */
	bool in_turn;
	bool greedy; /* each uop goes to its least loaded port, and stays */
	/* The front end takes instructions in groups that are not always full:
	 * each mix is slower by a share of its own, up to a seventh. */
	bool uneven;
	double noise, outliers; /* shares */
	/* For hundreds of mixes in a row, those of loads and of integer uops
	 * are slower by a share of their own, the same whenever one is
	 * measured: a state of the core that no probe shows. */
	bool has_state;
	bool in_state;
	size_t n_left; /* mixes until it changes */
	/* The sibling is busy for 60 % of the time. */
	bool is_shared;
	/* Registers that can be read in a cycle; 0: any. */
	unsigned n_reads;
	/* The budget ends when the members of all classes are known: later
	 * mixes have no value. */
	bool spent;
	uint64_t random;
	size_t n_forms;
	struct truth_form forms[TRUTH_MAX_FORMS];
	size_t n_measured;
};

/* 0 <= x < 1, and a number below n. */
double truth_random(uint64_t *state);
unsigned truth_below(uint64_t *state, unsigned n);

/* A form for each list of uses is in batch 0; the others are in four more, port
 * blockers in the last one. */
void truth_set_batches(const struct truth *t, struct ports_form *forms);

/* Tables say which forms have the same uses; of one form in eight they say what
 * is true of another. */
void truth_publish(const struct truth *t, struct ports_form *forms);

/* Add a form of one slot without ports, named after its kind; and a uop of a cycle
 * to a form. */
struct truth_form *truth_add(struct truth *t, const char *kind);
void truth_use(struct truth_form *f, model_ports ports);

/* A random core. */
void truth_make(struct truth *t, uint64_t seed);

/* Add port blockers.  False if the core has no set of ports of which one can be
 * disabled. */
bool truth_add_blockers(struct truth *t);

/* For each set of ports that several forms have, make their representative slow
 * to decode in long kernels.  Add forms of two uops: one on such a set, one on
 * a larger set that contains it. */
void truth_add_crowds(struct truth *t);

/* Limit the registers that can be read in a cycle: the representative of the
 * widest class reads two, and forms that read many are added on ports of their
 * own.  False if no class nearly fills the front end. */
bool truth_add_readers(struct truth *t);

/* Give each form side 0, 1 or 2 at random.  Forms without ports, and of each
 * set of ports the first form of one uop, keep side 0. */
void truth_add_sides(struct truth *t);

/* Add forms that hold all integer ports for a cycle, each with another uop:
 * moves from vector registers to general ones.  False if there is one integer
 * port. */
bool truth_add_held(struct truth *t);

/* Add forms that load and compute, that store, and that do all three.  An access
 * shares the slot of the uop that needs it.  False if no form only loads, or none
 * only computes. */
bool truth_add_accesses(struct truth *t);

/* Add forms whose code takes two slots of the front end, which then starts fewer
 * of them than their uop has ports: they look like a class of fewer ports.  False
 * if the core has too few integer ports. */
bool truth_add_immediates(struct truth *t);

/* Loads and stores share address ports, and each access is bound to one of them at
 * dispatch, in turn, whatever waits there.  Some loads have only some of these ports.
 * Moves that the renamer eliminates start in fewer slots than the front end has.
 * False if there is one port for loads, or the front end has few slots. */
bool truth_share_addresses(struct truth *t);

/* Forms without ports take a little more than their slots; none is fused. */
bool truth_drift(struct truth *t);

/* Add moves that the renamer executes, in a cycle one fewer than the front end has
 * slots: they look like a class that nearly fills it.  False if the core has no
 * ports that leave it room. */
bool truth_add_moves(struct truth *t);

/* The group of ports of the form's first uop: integer, vector, memory; 0: it has
 * none. */
uint8_t truth_side_of(const struct truth *t, size_t form);

/* Add seven slow forms; the first is unstable. */
void truth_add_unstable(struct truth *t);

/* Make some forms slower alone than their ports: by 7 to 37 percent, three
 * times as slow where other kernels measured the throughput, or 60 times as
 * slow. */
void truth_slow(struct truth *t);

/* ports_oracle.may_mix; the context is the truth. */
bool truth_may_mix(void *context, uint32_t x, uint32_t y);

/* The part of the next instance in a kernel of the mix, which has done[i] of
 * part i: evenly interleaved. */
size_t truth_next_part(const struct ports_mix *mix, const unsigned *done);

/* Bind uops at dispatch: those of integer ports to a queue for each port, those
 * of vector ports to one of two.  False if the core has no ports to choose
 * from.  Then the cycles of a mix on such a core, without its front end's
 * limits. */
bool truth_bind(struct truth *t);
double truth_bound_cycles(const struct truth *t, const struct ports_mix *mix);

/* Cycles of a mix with the best scheduler and without disturbances. */
double truth_cycles(const struct truth *t, const struct ports_mix *mix);

/* What a mix takes longer in the state that no probe shows. */
double truth_in_state(struct truth *t, const struct ports_mix *mix);

/* A value of a core whose sibling is busy. */
struct ports_value truth_observe_shared(struct truth *t, double cycles);

/* 0 <= x < 1, the same for the same mix; and a number of mean 0 and standard
 * deviation 1. */
double truth_share_of(const struct ports_mix *mix);
double truth_normal(uint64_t *random);

/* The oracle's function; the context is the truth. */
int truth_measure(void *context, enum ports_phase phase,
		  const struct ports_mix *mixes, size_t n,
		  struct ports_value *ret, struct err *e);

struct truth_score {
	/* Unions of sets of forms with one uop below the width: how many were
	 * compared, and how many are right. */
	size_t n_unions, n_right;
	/* Relative errors of the answer on random mixes of 2..5 forms. */
	size_t n_mixes;
	double mean, p99, worst;
	size_t n_unknown; /* mixes that the answer says nothing of */
};

/* Compare; cycles(context, mix) is what the answer expects, or not above 0
 * when it does not know. */
typedef double truth_expect(void *context, const struct ports_mix *mix);
typedef bool truth_ports(void *context, uint32_t form, model_ports *ret);
void truth_compare(struct truth *t, size_t n_mixes, truth_expect *expect,
		   truth_ports *ports, void *context, struct truth_score *ret);

/* Number of forms whose claims predict a wrong time, by more than 1 %, for
 * random mixes of the n forms with claims (truth_wrong.c); ret_wrong[i] for
 * each form. */
size_t truth_wrong(struct truth *t, truth_expect *expect, void *context,
		   const uint32_t *claimed, size_t n, bool *ret_wrong);

#endif
