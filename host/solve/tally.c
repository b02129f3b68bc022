/* See tally.h. */
#include "host/solve/tally.h"

double tally_share(double part, double all)
{
	return all > 0 ? part / all : 0;
}

/* How much more rarely values with flags may be correct than those without.
 * Chosen: three standard errors of a share of 0.99 (most_right) in 100
 * values. */
static const double slack = 0.03;

/* Are values with these flags as often correct as those without, which are
 * mostly correct? */
static bool is_harmless(const struct flag_tally *y, const struct reliability *t,
			int set)
{
	/* Chosen: a class with more than a tenth of wrong values is no
	 * reference. */
	const double good = 0.9;

	return y->n[set] >= TALLY_FEW && t->right >= good &&
	       tally_share(y->right[set], y->n[set]) >= t->right - slack;
}

/* Is it a flag of wide units or of loads?  These have states, so their slow
 * probe is one unless the kernels show that it is none. */
static bool is_of_units(int set)
{
	return (set & (1 << MARK_WIDE | 1 << MARK_LOADS)) != 0;
}

/* Do values with these flags agree with those without of the same kernel, in at
 * least this share?  Where nearly all visits have flags, the probe has no other
 * state. */
static bool agrees_mixed(const struct flag_tally *y, int set, double least)
{
	const double few = 0.05; /* Chosen: visits without flags */

	if (y->marked[0] <= few * y->visits)
		return true;
	return y->mixed[set] >= TALLY_FEW &&
	       tally_share(y->mixed_agree[set], y->mixed[set]) >= least;
}

/* First visits whose first value has the sibling's flag, with others or
 * without. */
static double share_of_busy(const struct flag_tally *y)
{
	double sum = 0;

	for (int set = 0; set < MARK_SETS; set++)
		sum += set >> MARK_SIBLING & 1 ? y->marked[set] : 0;
	return tally_share(sum, y->visits);
}

/* Should these flags be ignored?  Yes if most visits have them and no value
 * without, these visits agree as well as others do, and no faster value shows
 * that they are wrong.  Then the probes are slow for a reason that does not
 * slow the kernels.  A busy sibling slows its probe before kernels of all
 * classes, so its flag must be rarer in the other classes. */
static bool is_outlier(const struct flag_tally *y, const struct flag_tally *all,
		       int set)
{
	/* Chosen: pairs may agree more rarely by a standard error of `usual` in
	 * 40 of them, and no more than a fifth may be shown to be wrong. */
	const double rarer = 0.05, usual = 0.9, wrong = 0.8;
	/* Most visits; fewer where chains disagree, which says nothing about
	 * the kernel: a disturbance hit one of them. */
	double most = set & 1 << MARK_CHAINS ? 0.2 : 0.5;
	double here = tally_share(y->marked[set], y->visits);
	double busy = share_of_busy(y);
	double agreeing =
		all->pairs[0] >= TALLY_FEW
			? tally_share(all->pairs_agree[0], all->pairs[0])
			: usual;

	if (is_of_units(set) && !agrees_mixed(y, set, wrong))
		return false;
	if (here <= most || y->pairs[set] < TALLY_FEW ||
	    (y->n[set] >= TALLY_FEW &&
	     tally_share(y->right[set], y->n[set]) < wrong))
		return false;
	if (set & 1 << MARK_SIBLING) {
		double others = tally_share(share_of_busy(all) * all->visits -
						    busy * y->visits,
					    all->visits - y->visits);

		if (others > most || busy < 2 * others)
			return false;
	}
	return tally_share(y->pairs_agree[set], y->pairs[set]) >=
	       agreeing - rarer;
}

void tally_ignore(struct reliability *t, const struct flag_tally *y,
		  const struct flag_tally *wide, const struct flag_tally *all)
{
	for (int set = 1; set < MARK_SETS; set++) {
		const struct flag_tally *from =
			y->pairs[set] < TALLY_FEW ? wide : y;
		bool one = (set & (set - 1)) == 0;

		if (one && is_harmless(from, t, set))
			t->ignored |= 1u << set;
		if (is_outlier(from, all, set)) {
			t->ignored |= 1u << set;
			if (!is_of_units(set) ||
			    agrees_mixed(from, set, t->right - slack))
				t->wrong_probe |= 1u << set;
		}
	}
}
