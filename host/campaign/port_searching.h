/* State of a port search, shared by port_*.c. */
#ifndef CAMPAIGN_PORT_SEARCHING_H
#define CAMPAIGN_PORT_SEARCHING_H

#include "host/campaign/port_answers.h"
#include "host/campaign/port_search.h"
#include "host/campaign/workspace.h"
#include "host/solve/solve.h"

enum {
	/* Kernels of one pack: a second or two of measuring.  After it the
	 * budget is checked and the baseline of the probes is learned again. */
	PORT_SEARCH_PACK = 400,
	PORT_SEARCH_CONTROLS = 4,
	/* Kernels of one image: with a console of 115,200 baud a minute or
	 * two. */
	PORT_SEARCH_IMAGE_PACK = 4096,
};

/* What LLVM's table of the core says of a form; 0: nothing. */
struct port_published {
	double n_uops;
	uint32_t number; /* of its access and the list of its uses */
	/* As in struct ports_form: its uses if they are known, else LLVM's
	 * scheduling class. */
	uint32_t kind;
	uint8_t side;
};

struct port_search {
	struct campaign *c;
	const struct port_search_events *events;
	struct store *s;
	struct run run;
	struct workspace w;
	struct plan_ports_form *forms;
	size_t n_forms;
	size_t n_left;       /* left out: operand dependencies remain */
	uint16_t *latencies; /* of overwritten registers, 0: not known */
	uint32_t n_batches;  /* batches whose latencies were measured */
	/* Of each form, from the newest run of this core that measured it. */
	struct model_span *throughputs;
	struct port_published *published; /* of each form */
	struct experiment *calibration;
	size_t n_calibration;
	struct port_answers *answers;
	uint32_t bodies;  /* least instances of a mix; 0: gen's default */
	bool stored_only; /* measure nothing */
	/* Of each form of the catalogue: do the stored claims of the run have
	 * its ports? And of how many; n_kept as in the result. */
	bool *had_ports;
	size_t n_stored, n_kept;
	size_t n_fit; /* mixes in the run's claim `error`; 0: it has no such claim */
	/* The next image goes here, and ends the search; NULL: a board
	 * measures. */
	struct buffer *image;
	struct buffer wanted; /* struct experiment, those of the image */
	size_t n_imaged;      /* kernels of that image */
	/* Not measured yet: the length of bodies; of each form, how long it
	 * keeps its registers.  Mixes that need these come in a later image. */
	bool bodies_later, *chains_later;
	struct solve_probe probe;
	/* About the last pack: `lossy`: some mixes had no value; `unusable`:
	 * the pack was disturbed, so this says nothing about the mixes. */
	bool lossy, unusable;
	bool noisy; /* some of its mixes needed more than the first visits */
	size_t n_controls;
	struct experiment controls[PORT_SEARCH_CONTROLS]; /* had a value */
	/* The first kernel that was measured for the fit; UINT32_MAX: none.
	 * A repeated search does not use results from this kernel on,
	 * because the first search did not have them. */
	uint32_t fit_from;
	uint32_t next_kernel;
	double started;
	uint16_t batch, last_batch;
	double batch_started; /* seconds after `started` */
	size_t n_measured;    /* kernels */
	bool budget_spent;
};

/* ---- port_oracle.c ------------------------------------------------------- */

/* The oracle of the inference; `context` is a struct port_search. */
int port_search_oracle(void *context, enum ports_phase phase,
		       const struct ports_mix *mixes, size_t n,
		       struct ports_value *ret, struct err *e);

/* The may_mix of the oracle: can one kernel hold both forms and their breakers?
 * x, y: indices into the forms of the struct port_search `context`. */
bool port_search_may_mix(void *context, uint32_t x, uint32_t y);

/* ---- port_ask.c ---------------------------------------------------------- */

/* Experiments that one phase asks for together. */
struct port_question {
	enum ports_phase phase;
	const char *what; /* the list's name in the progress line */
	const struct experiment *list;
	size_t n;
};

/* Measure the list in at most two packs for each experiment, while the budget of
 * the phase lasts.  ret: the value of each experiment. */
int port_search_ask(struct port_search *h, const struct port_question *q,
		    struct ports_value *ret, struct err *e);

/* ---- port_packs.c -------------------------------------------------------- */

/* How the search's kernels are measured. */
struct gen_profile port_search_profile(const struct port_search *h);

/* Most instances of the shortest body of a mix. */
uint32_t port_search_longest_bodies(const struct port_search *h);

/* A solve_each_mix of a struct port_search: keep the value as an answer. */
int port_search_keep(void *context, const struct solve_mix *m, struct err *e);

/* The image of h->wanted, in h->image.  *ret_failed: some have no kernel, which is
 * their answer; no image is made. */
int port_search_make_image(struct port_search *h, bool *ret_failed,
			   struct err *e);

/* Measure list[wanted[i]] for i < n, at most PORT_SEARCH_PACK, and keep the
 * answers. */
int port_search_measure_pack(struct port_search *h, enum ports_phase phase,
			     const struct experiment *list,
			     const size_t *wanted, size_t n, struct err *e);

/* ---- port_rounds.c ------------------------------------------------------- */

/* Run the session again and again, until each mix of its pack has a good value
 * or none can be expected, or the budget of the phase is spent. */
int port_search_run_rounds(struct port_search *h, enum ports_phase phase,
			   size_t copies, struct session *s, struct err *e);

/* Copies of each mix in a pack of n mixes. */
size_t port_search_copies(const struct port_search *h, size_t n);

/* ---- port_quality.c ------------------------------------------------------ */

/* The label of an experiment; false when it is too long. */
bool port_search_label(const struct port_search *h, const struct experiment *x,
		       char label[PACK_MAX_LABEL]);

/* A pack in which a larger share of the visits had a busy sibling says nothing
 * about its mixes. */
extern const double port_search_busy;

/* How many of h->controls the next pack gets: all if some mixes of the last
 * pack had no value, else none. */
size_t port_search_controls(const struct port_search *h);

/* Set ret[i], i < n, to the number of results of the pack's mix i, and the next
 * port_search_controls() numbers to those of its controls. */
void port_search_count(const struct port_search *h,
		       const struct experiment *list, const size_t *wanted,
		       size_t n, size_t *ret);

/* Judge the pack once it is measured, into h->unusable.  Mixes without a value
 * in a usable pack are lost.  before: of port_search_count(). */
void port_search_judge(struct port_search *h, const struct experiment *list,
		       const size_t *wanted, size_t n, const size_t *before);

/* ---- port_image.c -------------------------------------------------------- */

/* Note an experiment without an answer for the next image.  ERR_INTERRUPTED if
 * that is full. */
int port_search_want(struct port_search *h, const struct experiment *x,
		     struct err *e);

/* Does the mix need something that is not measured yet? */
bool port_search_waits(const struct port_search *h,
		       const struct ports_mix *mix);

/* Were the results of a run measured by images? */
int port_search_is_imaged(struct store *s, int64_t run, bool *ret,
			  struct err *e);

/* ---- port_bodies.c, port_budget.c ---------------------------------------- */

/* Choose how long the bodies of mixes are on this core, into h->bodies. */
int port_search_choose_bodies(struct port_search *h, struct err *e);

/* A begin_batch of a struct ports_oracle: is there time for this batch? */
bool port_search_begin_batch(void *context, uint16_t batch);

/* Kernels that the budget still allows in a phase, at least one. */
size_t port_search_kernels_left(const struct port_search *h,
				enum ports_phase phase);

/* Did the phase and those before it spend their share of the budget?  Sets
 * h->budget_spent if so. */
bool port_search_is_over(struct port_search *h, enum ports_phase phase);

/* ---- port_throughputs.c -------------------------------------------------- */

/* Read the newest throughput of each form, of this core and board, into
 * h->throughputs: cycles of an instance.  Without a value where the database
 * has none. */
int port_search_throughputs(struct port_search *h, struct err *e);

/* ---- port_published.c ---------------------------------------------------- */

/* Set h->published. */
void port_search_read_published(struct port_search *h);

/* ---- port_dependencies.c ------------------------------------------------- */

/* Measure how long each form of the batches up to h->batch keeps the registers
 * that it overwrites, into h->latencies. */
int port_search_dependencies(struct port_search *h, struct err *e);

/* ---- port_claims.c ------------------------------------------------------- */

/* Replace the run's claims about ports.  fit_from: see struct port_search. */
int port_claims_store(const struct port_search *h, uint32_t fit_from,
		      const struct ports_answer *w, struct err *e);

/* Read fit_from of a run, as it was stored. */
int port_claims_fit(struct store *s, int64_t run, uint32_t *ret_from,
		    struct err *e);

#endif
