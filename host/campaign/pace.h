/* What to measure next and when to stop, decided from the number of open
 * kernels of each rank, and from whether rounds were disturbed.  Pure, so that
 * a simulation can use it. */
#ifndef CAMPAIGN_PACE_H
#define CAMPAIGN_PACE_H

#include "host/experiment/experiment.h"

enum {
	PACE_RANKS = EXPERIMENT_N_RANKS,
	/* Maximum number of visits after the first ones.  A rank with so many
	 * ends, even if each round still settles a few kernels. */
	PACE_MAX_VISITS = 40,
	/* So many kernels, at 0.25 ms each, take as long as the time between
	 * two passes (LINK_PASS_MS): a pass over fewer costs next to
	 * nothing. */
	PACE_SMALL = 1000,
	/* Visits of a round.  Judging 70,000 kernels takes a second. */
	PACE_VISITS = 2,
	/* Visits of a round over fewer than PACE_SMALL kernels: judging costs
	 * more than measuring, and three visits can form a majority. */
	PACE_SMALL_VISITS = 3,
	/* Kernels with few visits are those with fewer than this that are open
	 * or unproved (struct estimate).  They get more when all ranks have
	 * ended.  In most open ones, visits agreed before other visits raised
	 * the number that must agree.  Eight suffice where a fifth of all
	 * visits is wrong (the table of r in docs/method/agreement.md). */
	PACE_FEW_VISITS = 8,
	/* Rounds over such kernels: each brings them three visits, and may make
	 * others open. */
	PACE_FEW_VISITS_ROUNDS = 6,
};

struct pace_rank {
	size_t n_open;   /* kernels that are not settled */
	bool visited;    /* they have their first visits */
	uint32_t visits; /* beyond the first ones */
	double share;    /* of the open kernels that the last round settled */
	double first_share; /* and the round of the first visits */
	uint32_t idle;      /* rounds in a row that settled too little */
	bool over;          /* rounds settle too little */
	size_t n_left;      /* open kernels when it became over */
};

struct pace {
	uint32_t first_visits;      /* of each kernel */
	bool together;              /* a round is over all ranks */
	size_t n_few_visits;        /* kernels with few visits */
	uint32_t few_visits_rounds; /* so far */
	struct pace_rank ranks[PACE_RANKS];
};

/* A round: a few passes over the open kernels of some ranks. */
struct pace_round {
	unsigned ranks;  /* bit r: rank r */
	bool few_visits; /* only kernels with few visits */
	uint32_t visits; /* of kernels that have their first visits */
	/* Set when the round is over: most visits ended early, because the core
	 * was disturbed; and kernels that were settled before it and are not
	 * now. */
	bool disturbed;
	size_t n_opened[PACE_RANKS];
};

/* Begin with nothing measured.  together: each round is over all ranks, because
 * a round has a cost of its own, e.g. the board must boot for it. */
void pace_begin(struct pace *p, const size_t n_open[PACE_RANKS],
		uint32_t first_visits, bool together);

/* The next round; false when no open rank and no kernel with few visits
 * is left.  It covers the rank with the largest product of the share of open
 * kernels that its last round settled and the worth of a kernel of that rank.
 * For a new rank the share is what the first visits of the rank before it
 * settled, per visit.  Ranks with fewer than PACE_SMALL open kernels take part
 * in each round.  When all ranks have ended there are rounds over the kernels
 * of all ranks with few visits. */
bool pace_next(const struct pace *p, struct pace_round *ret);

/* Note how many kernels are open after a round, and how many kernels have few
 * visits.  A rank ends after two rounds in a row that settled less
 * than 2 % each (three if fewer than 50 kernels were open before the round), or
 * after PACE_MAX_VISITS.  A disturbed round restarts the count, because visits
 * that ended early cost little; its visits still count.  A rank's first round
 * does not count. */
void pace_settled(struct pace *p, const struct pace_round *round,
		  const size_t n_open[PACE_RANKS], size_t n_few_visits);

/* Like pace_settled(), after all kernels were judged again without new visits;
 * ranks that had ended may go on. */
void pace_reopen(struct pace *p, const size_t n_open[PACE_RANKS],
		 size_t n_few_visits);

/* Visits that rounds after this one are expected to make, from how many kernels
 * the rounds before settled.  For the progress report only. */
size_t pace_expected(const struct pace *p, const struct pace_round *round);

/* Number of kernels that get their visits before the next ones begin, so that
 * the first ones have theirs long before the time is up (seconds; 0: no limit).
 * Returns 0 for all kernels.  The larger a block, the longer the time between
 * two visits of a kernel. */
uint32_t pace_block(double seconds);

struct pace_point {
	double seconds;
	size_t n_settled;
};

/* Seconds of the first of n points that reaches `share` of the last count; 0
 * when there are no points. */
double pace_reached(const struct pace_point *points, size_t n, double share);

#endif
