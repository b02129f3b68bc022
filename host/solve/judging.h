/* Shared by the files that judge records; internal to the room. */
#ifndef SOLVE_JUDGING_H
#define SOLVE_JUDGING_H

#include "host/solve/judge.h"

/* What the own chain of a carrier's step says of its latency. */
struct judge_step {
	const struct label_part *part;
	bool ok, has_value;
	double low, high; /* with the errors */
};

struct judge {
	struct arena *a;
	const struct record *records; /* sorted */
	size_t n;
	double width;      /* measured; 0: not known */
	double min_cycles; /* of an instruction, on this core */
	bool hidden_width; /* measured, but hidden */
	bool in_order;     /* the core may start in program order */
	/* Of all carriers; none before judging_learn_steps(). */
	struct judge_step *steps;
	size_t n_steps;
	const struct judge_sink *sink;
	struct err *e;
};

/* judge.c: the claim of a record alone. */
struct claim judging_base(const struct judge *j, const struct record *r);

/* Add "; " and this text to the claim's detail. */
void judging_say(const struct judge *j, struct claim *c, const char *format,
		 ...) PRINTF_LIKE(3, 4);

/* Is the verdict "ok"? */
bool judging_is_ok(const struct claim *c);

/* Is the record's value usable as evidence? */
bool judging_is_usable(const struct record *r);

/* The middle of the record's value, in cycles. */
static inline double judging_middle(const struct record *r)
{
	return (r->estimate.low + r->estimate.high) / 2;
}

/* An upper bound of the cost of an instance where the record has no value: the
 * time of whole iterations, and 4 % for a slowed calibration.  0: not known. */
double judging_most(const struct record *r);

/* The record of a whole form, of this kind; NULL if there is none. */
const struct record *judging_form(const struct judge *j,
				  enum experiment_kind kind, const char *form);

/* The record of a part's own chain, with the fewest helpers; NULL if there is
 * none. */
const struct record *judging_own(const struct judge *j,
				 const struct label_part *part);

/* The record of the other kind with the form and operands of `r`, of several
 * the one with the fewest helpers; or NULL. */
const struct record *judging_twin(const struct judge *j, const struct record *r,
				  enum experiment_kind kind);

/* Measured values may be this far below a true bound: the distance of visits
 * that agree. */
extern const double judging_slack;

/* A chain or a latency cycle that shows costs this much more than its parts
 * without the dependency: six times the error of a value, and less than a cycle
 * in any chain below 33. */
extern const double judging_shows;

/* Any execution takes a cycle.  A result below this was renamed away, in one of
 * ten instances at least. */
extern const double judging_eliminated;

/* Order of records: form, kind (as the enum), source, destination; the result
 * is as of strcmp(). */
int judging_compare_key(const struct record *x, const struct record *y);

/* The same, then fewer helpers first, then by index; of records, for
 * qsort(). */
int judging_compare(const void *a, const void *b);

/* Number of records with the key of `r`, from the first of them, `r`, on. */
size_t judging_count_alike(const struct judge *j, const struct record *r);

/* Of the n records of one chain, sorted by their number of helpers: of those
 * with the most helpers, which cut all other dependencies, the one with the
 * lowest value, because a helper may disturb what it cuts.  One that is not
 * settled is lower only if all of it is.  The first if none has a value. */
const struct record *judging_cut(const struct record *r, size_t n);

/* Of the records that differ from `first` (may be NULL) in their helpers only,
 * the one with a value and the helpers of `r`; `first` if there is none. */
const struct record *judging_alike(const struct judge *j,
				   const struct record *first,
				   const struct record *r);

/* Is there a record of the same chain, with as many helpers, that is better in
 * that sense? */
bool judging_is_worse(const struct judge *j, const struct record *r);

/* Does the chain have further dependencies?  Then the next of the sorted
 * records is of the same chain with more helpers, which cut them. */
bool judging_is_uncut(const struct judge *j, const struct record *r);

/* All records of a form: returns their number, *ret_first is the first. */
size_t judging_all(const struct judge *j, const char *form,
		   const struct record **ret_first);

/* All records of latency cycles whose first step is of the form. */
size_t judging_headed(const struct judge *j, const char *form,
		      const struct record **ret_first);

/* judge_carried.c: bound a hidden chain by the same chain with carriers.  The
 * bounds include the errors, so *uncertainty becomes 0. */
void judging_carried(const struct judge *j, const struct record *r,
		     struct claim *c, double *uncertainty);

/* Find what the steps of carriers cost by their own chains. */
void judging_learn_steps(struct judge *j);

/* judge_find.c: the sum of the latencies of a carrier's steps,
 * "AND@1>0+OR@1>0". False, without a result, if one is not known exactly. */
bool judging_steps(const struct judge *j, const char *steps, double *ret_low,
		   double *ret_high);

/* The most that they can cost; INFINITY: the run has no value of one of
 * them. */
double judging_steps_most(const struct judge *j, const char *steps);

/* judge_latency.c: is the latency not a whole number of cycles, even with an
 * error of `off`? */
bool judging_is_fraction(double value, double off);

/* The claim of a chain, or of the joint chain if that is tighter;
 * *ret_uncertainty is that of the record chosen. */
struct claim judging_latency(const struct judge *j, const struct record *r,
			     double *ret_uncertainty);

/* judge.c: the claim of a form's own chain.  r: the first record of its key.
 * Where helpers cut another dependency of the form, the chain without them is
 * an upper bound only. */
struct claim judging_chain(const struct judge *j, const struct record *r,
			   double *ret_uncertainty);

/* judge_ends.c: one of the two forms of "A@2>0+B@2>0". */
struct judge_end {
	const struct label_part *part;
	const char *pair; /* "2>0" */
	double alone;     /* cycles of its own chain; 0: not known */
	double throughput;
};

/* False if the label is not of two steps with ends. */
bool judging_ends(const struct judge *j, const struct label *l,
		  struct judge_end ends[2]);

/* No bypass network takes this many cycles: the chain's values became slow
 * ones, e.g. denormal. */
extern const double judging_most_extra;

/* judge_width.c: give the width of the core to the sink, if the run has
 * mixes for it.  From then on the width is a lower bound of the cycles of an
 * instruction.  Sets j->hidden_width. */
int judging_width(struct judge *j);

/* judge_base.c: may an effect have limited what was measured, chain or
 * instances?  The first one changes the claim. */
bool judging_limits(const struct judge *j, const struct record *r,
		    struct claim *c);

/* judge_latency.c: the claim of a chain that costs no more than its instances
 * without it, `control`: the throughput was measured, and the latency may be
 * any lower value. */
void judging_hidden(const struct judge *j, const struct record *r,
		    double control, struct claim *c);

/* judge_throughput.c: the claim of independent instances, from the n records
 * of a form and kind; *ret_uncertainty is that of the record chosen. */
struct claim judging_throughput(const struct judge *j, const struct record *r,
				size_t n, double *ret_uncertainty);

#endif
