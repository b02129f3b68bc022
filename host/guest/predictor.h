/* A branch predictor.  For directions it is TAGE: tagged tables, each indexed
 * by a longer history than the one before (A. Seznec and P. Michaud, "A case
 * for (partially) tagged geometric history length branch prediction", 2006).
 * For targets it has a table indexed by the middle one of these histories.
 * What differs among cores is as H. Yavarzadeh et al. found it in Intel's
 * ("Half&Half: Demystifying Intel's Directional Branch Predictors", 2023): the
 * history is of taken branches only, tables have 4 ways, and bit 5 of the
 * address selects the half of a table that a branch may use.  Most cores'
 * predictors are not published.
 *
 * Only the C library is needed, and there are no globals. */
#ifndef GUEST_PREDICTOR_H
#define GUEST_PREDICTOR_H

#include "host/cache/hierarchy.h"

enum {
	PREDICTOR_MOST_HISTORY = 1024,
	PREDICTOR_TABLES = 4,
	PREDICTOR_WAYS = 4,
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
			uint16_t tag;   /* 0: empty */
			int8_t counter; /* 0 and more: taken */
			uint8_t useful;
		} (*entries)[PREDICTOR_WAYS]; /* of each set */
	} tables[PREDICTOR_TABLES];
	uint32_t half; /* sets of each half of a table */
	int8_t bimodal[PREDICTOR_BIMODAL];
	uint64_t targets[PREDICTOR_TARGETS]; /* of jumps, by history */
	uint64_t last_targets[PREDICTOR_TARGETS];
	/* Marks of taken branches, the newest at `newest`. */
	uint8_t history[PREDICTOR_MOST_HISTORY];
	uint32_t newest;
	int8_t trusts_new;  /* 0 and more: new entries give the prediction */
	uint32_t random, n; /* n: conditional branches so far */
	/* The last conditional branch was that at `last`, taken `run` times in
	 * a row. */
	uint32_t loop, run;
	uint64_t last;
};

/* A predictor that remembers core->history taken branches, from 1 to
 * PREDICTOR_MOST_HISTORY, and has twice as many entries as core->patterns; 0: the
 * least.  core->loop: it mispredicts the exit of a loop
 * without other branches after more iterations than this (cores repeat such a loop
 * from decoded instructions, without predictions); 0: only the history limits it.
 * NULL: no memory.  One free() of it is enough. */
struct predictor *predictor_new(const struct cache_core *core);

/* Predict the conditional branch at `address`, then learn from what it did.
 * Returns true if it was mispredicted. */
bool predictor_direction(struct predictor *p, uint64_t address, bool taken);

/* The same for a jump or call to an address in a register. */
bool predictor_target(struct predictor *p, uint64_t address, uint64_t target);

/* Remember a taken branch at `address` that needs no prediction: a direct
 * jump, a direct call or a return.  Predictions of later branches use it. */
void predictor_taken(struct predictor *p, uint64_t address);

#endif
