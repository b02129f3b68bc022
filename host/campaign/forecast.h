/* How long a set takes here and how much of it has a value: an estimate from a
 * small part of it, measured for a second or two. */
#ifndef CAMPAIGN_FORECAST_H
#define CAMPAIGN_FORECAST_H

#include "host/campaign/campaign.h"

struct forecast {
	bool core_clock;     /* cycles of the core, else a reference clock */
	char counters[32];   /* the runtime's word: "none", ... */
	size_t n_cores;      /* that measure at once */
	size_t n_kernels;    /* of the set */
	double plan_seconds; /* measured, of the whole set */
	/* Of the part. */
	size_t n_part;            /* its kernels, without calibration */
	size_t n_settled;         /* their visits agree */
	size_t n_missing;         /* neither a sample nor a fault */
	size_t n_values, n_exact; /* claims, and those with one value */
	double seconds;      /* the part took, with the start of runtimes */
	double rate;         /* visits a second while they run */
	double first_visits; /* visits that each kernel gets */
	double all_visits;   /* visits of a kernel, with repeated ones */
	/* Of the whole: if no kernel is repeated; if all need as many visits as
	 * those of the part. */
	double least_seconds, most_seconds;
};

/* Measure a part of the set that `q` asks for, for about `seconds`; its shard
 * is ignored, and its database too.  ERR_FAILED: the runtime does not answer,
 * or nothing was measured; others as campaign_open(). */
int forecast_make(const struct campaign_request *q, double seconds,
		  struct forecast *ret, struct err *e);

/* Set the seconds of the whole from the counts and rates of the part. */
void forecast_extend(struct forecast *f);

/* Was the time enough for the first visits of at least three quarters of the
 * part?  If not, its share of settled kernels says nothing about the set. */
bool forecast_has_rounds(const struct forecast *f);

#endif
