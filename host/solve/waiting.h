/* How many instances of a chain wait at once.
 *
 * Chains of EXPERIMENT_QUEUE_OPS instances follow each other.  A core that holds W
 * of them starts the next chain when W are left of this one.  So W of each overlap
 * with the previous chain and K - W do not, one every l cycles of latency: a chain
 * takes l * (K - W), if K is at least 2 * W. */
#ifndef SOLVE_WAITING_H
#define SOLVE_WAITING_H

/* Cycles of an instance: of such chains, give or take a part of them; of an endless
 * one and apart. */
struct waiting {
	double low, high, uncertainty, endless, apart;
};

enum waiting_result {
	WAITING_OK,
	WAITING_NOT_SHOWN, /* chains take hardly longer than instances apart */
	WAITING_IMPLAUSIBLE, /* chains do not overlap, or more than two do */
};

/* Of what chains take to how many wait; ret_low and ret_high are set in any case. */
enum waiting_result waiting_count(const struct waiting *w, double *ret_low,
				  double *ret_high);

#endif
