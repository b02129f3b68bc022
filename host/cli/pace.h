/* What is measured next, and when to stop: decided from how many kernels of
 * each rank are settled, and from nothing else.  Pure, so that a simulation
 * can follow the same policy. */
#ifndef CLI_PACE_H
#define CLI_PACE_H

#include "host/experiment/experiment.h"

enum {
	PACE_RANKS = EXPERIMENT_N_RANKS,
	/* The most visits of a kernel beyond its first ones.  Where so many
	 * still settle something, the stopping rule has not met yet; an hour of
	 * noise is not worth more. */
	PACE_MAX_VISITS = 40,
	/* So many kernels take as long as passes lie apart (LINK_PASS_MS), at
	 * 0.25 ms each: a pass over fewer costs next to nothing. */
	PACE_SMALL = 1000,
	/* Visits of a round: to judge 70,000 kernels takes a second. */
	PACE_VISITS = 2,
	/* Visits of a round over so few: judging them costs more than measuring
	 * does, and of three a majority can form. */
	PACE_SMALL_VISITS = 3,
};

struct pace_rank {
	size_t n_open;      /* kernels that are not settled */
	bool visited;       /* they have their first visits */
	uint32_t visits;    /* beyond these */
	double share;       /* of those open, what the last round settled, */
	double first_share; /* and the one of their first visits */
	bool over;          /* the last round settled too little */
};

struct pace {
	uint32_t first_visits; /* of each kernel */
	bool together;         /* a round is over all ranks */
	struct pace_rank ranks[PACE_RANKS];
};

/* A round: a few passes over the open kernels of some ranks. */
struct pace_round {
	unsigned ranks;  /* bit r: rank r */
	uint32_t visits; /* of kernels that have their first visits */
	/* Filled in when it is over: most visits ended early, because something
	 * disturbed the core. */
	bool disturbed;
};

/* Nothing is measured yet.  together: where each round has a price of its own,
 * because a board must boot for it. */
void pace_begin(struct pace *p, const size_t n_open[PACE_RANKS],
		uint32_t first_visits, bool together);

/* The next round; false when nothing is left that may be settled.  It is over
 * the rank whose next visit promises most: the share of kernels that it will
 * settle, if that is what the last round settled, times what one is worth.
 * Ranks with few open kernels are measured along with it, or together when no
 * other is left. */
bool pace_next(const struct pace *p, struct pace_round *ret);

/* The round is over, and these kernels are still open.  A rank of which it
 * settled less than 2 % is over, but for its first visits, and unless the round
 * was disturbed: those visits cost little and say nothing. */
void pace_settled(struct pace *p, const struct pace_round *round,
		  const size_t n_open[PACE_RANKS]);

/* Kernels of a block, so that the first ones have their visits long before the
 * time (seconds; 0: no limit) is up; 0: all.  Visits lie the further apart the
 * larger a block is. */
uint32_t pace_block(double seconds);

/* When `share` of the last count was reached: seconds of the first of n points
 * with as many.  0: there are no points. */
struct pace_point {
	double seconds;
	size_t n_settled;
};
double pace_reached(const struct pace_point *points, size_t n, double share);

#endif
