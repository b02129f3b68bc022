/* Shared by the files that judge records; nobody else includes this. */
#ifndef SOLVE_JUDGING_H
#define SOLVE_JUDGING_H

#include "host/solve/judge.h"

struct judge {
	struct arena *a;
	const struct record *records; /* sorted */
	size_t n;
	double width;      /* as seen, 0: it was not */
	double min_cycles; /* of an instruction, on this core */
	bool hidden_width; /* was it asked for, and did nothing show it? */
	bool latencies;    /* does the run ask for any? */
	const struct judge_sink *sink;
	struct err *e;
};

/* judge.c: what a record says by itself. */
struct claim judging_base(const struct judge *j, const struct record *r);

/* Is the verdict "ok"? */
bool judging_is_ok(const struct claim *c);

/* Can something be concluded from the record's value? */
bool judging_is_usable(const struct record *r);

/* The record of a form as a whole, of this kind; NULL if there is none. */
const struct record *judging_form(const struct judge *j,
				  enum experiment_kind kind, const char *form);

/* The record that only differs from `r` in its kind; NULL. */
const struct record *judging_twin(const struct judge *j, const struct record *r,
				  enum experiment_kind kind);

/* Of n records of one chain the one whose helpers cut all else: the last. */
const struct record *judging_cut(const struct record *r, size_t n);

/* Is it a chain that waits for more than its name says, as the next of the
 * sorted records does not? */
bool judging_is_uncut(const struct judge *j, const struct record *r);

/* The first record of a form, and how many there are. */
size_t judging_all(const struct judge *j, const char *form,
		   const struct record **ret_first);

/* The same of the circles that begin with it. */
size_t judging_headed(const struct judge *j, const char *form,
		      const struct record **ret_first);

/* judge_carried.c: bounds of a chain that hides behind its throughput, by the
 * same chain with carriers.  They hold what values are off by, so that
 * *uncertainty is 0 then. */
void judging_carried(const struct judge *j, const struct record *r,
		     struct claim *c, double *uncertainty);

/* judge_latency.c: is the latency no whole number of cycles, even if it is
 * off by so many? */
bool judging_is_fraction(double value, double off);

/* Faster than any execution: has the renamer done the work? */
bool judging_is_eliminated(double cycles);

/* The claim of a chain, or of its joint twin where that says more;
 * *ret_uncertainty is that of the record chosen. */
struct claim judging_latency(const struct judge *j, const struct record *r,
			     double *ret_uncertainty);

/* judge_forward.c: the claims of a chain that takes turns between two forms,
 * one for each, to the sink. */
int judging_forward(const struct judge *j, const struct record *r);

/* judge_queue.c: how many instances wait at once, to the sink. */
int judging_queue(const struct judge *j, const struct record *r);

/* judge_slots.c: is it a mix for the slots of an access?  Those with an index
 * say how many it takes, to the sink. */
bool judging_is_slots(const struct judge *j, const struct record *r);
int judging_slots(const struct judge *j, const struct record *r);

/* judge_window.c: how many instructions are held until they retire, to the
 * sink, where the run has chains that show it. */
int judging_windows(const struct judge *j);

/* judge_width.c: how many instructions start in a cycle, to the sink, where the
 * run has mixes that show it.  From there on no bound is below what that
 * leaves for one.  Sets j->hidden_width. */
int judging_width(struct judge *j);

/* judge_decoding.c: cycles of independent instances of the form in bodies that
 * no cache holds: 0 if it is none that is slow to decode, INFINITY if that is
 * not known.  Are so many cycles, one at least, what its decoding takes? */
double judging_decoded(const struct judge *j, const char *form);
bool judging_is_decoded(const struct judge *j, const char *form, double cycles);

/* What parts of a circle take one after the other, `sum`, where they are
 * decoded anew, `slowest` the slowest of them: if the circle may be just that,
 * else 0. */
double judging_decoded_sum(const struct estimate *e, double slowest,
			   double sum);

/* A throughput that may be that of a decoder is a bound. */
void judging_decoding(const struct judge *j, struct claim *c);

/* judge_throughput.c: the claim of independent instances, from the n records
 * of a form and kind; *ret_uncertainty is that of the record chosen. */
struct claim judging_throughput(const struct judge *j, const struct record *r,
				size_t n, double *ret_uncertainty);

#endif
