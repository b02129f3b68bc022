/* A branch predictor.  For directions it is TAGE: tagged tables, each indexed
 * by a longer history of directions than the one before (A. Seznec and P.
 * Michaud, "A case for (partially) tagged geometric history length branch
 * prediction", 2006).  For targets it has a table indexed by the shortest of
 * these histories.  Sizes are those of the paper's 64 Kbit predictors.  Cores
 * have other predictors, which are not published.
 *
 * Only the C library is needed, and there are no globals. */
#ifndef GUEST_PREDICTOR_H
#define GUEST_PREDICTOR_H

#include "common/types.h"

enum {
	PREDICTOR_MOST_HISTORY = 1024,
	PREDICTOR_TABLES = 6,
	PREDICTOR_ENTRIES = 1 << 10, /* of a table */
	PREDICTOR_BIMODAL = 1 << 13,
	PREDICTOR_TARGETS = 1 << 10,
};

struct predictor {
	struct predictor_table {
		uint32_t length; /* of its history */
		/* hash: the history as a number in base `base` (predictor.c),
		 * modulo 2^64.  oldest: that base to the power of `length`. */
		uint64_t hash, oldest;
		struct predictor_entry {
			uint16_t tag;
			int8_t counter; /* 0 and more: taken */
			uint8_t useful;
		} entries[PREDICTOR_ENTRIES];
	} tables[PREDICTOR_TABLES];
	int8_t bimodal[PREDICTOR_BIMODAL];
	uint64_t targets[PREDICTOR_TARGETS]; /* of jumps, by history */
	uint64_t last_targets[PREDICTOR_TARGETS];
	/* Directions, the newest at `newest`. */
	uint8_t history[PREDICTOR_MOST_HISTORY];
	uint32_t newest;
	int8_t trusts_new;  /* 0 and more: new entries give the prediction */
	uint32_t random, n; /* n: conditional branches so far */
};

/* Initialize a predictor that remembers `history` branches, from 1 to
 * PREDICTOR_MOST_HISTORY.  It mispredicts the exit of an inner loop of more
 * iterations. */
void predictor_open(struct predictor *p, uint32_t history);

/* Predict the conditional branch at `address`, then learn from what it did.
 * Returns true if it was mispredicted. */
bool predictor_direction(struct predictor *p, uint64_t address, bool taken);

/* The same for a jump or call to an address in a register. */
bool predictor_target(struct predictor *p, uint64_t address, uint64_t target);

#endif
