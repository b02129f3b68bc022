/* A recorded log becomes a run like any other: with the board, CPU, set and
 * shard that its image names, and the kernels that they give. */
#ifndef CAMPAIGN_IMPORTED_H
#define CAMPAIGN_IMPORTED_H

#include "host/campaign/campaign.h"
#include "host/link/link.h"

struct imported_request {
	const char *share; /* folder of installed files */
	const char *path;  /* of the log */
	const char *db;    /* of the store, for messages */
	/* The board of a log that names none, as those of earlier versions;
	 * NULL: not known. */
	const char *board;
};

/* Where an incomplete log stops. */
struct imported_stop {
	bool is_stopped;
	uint32_t visit;   /* begun, but not finished */
	size_t n_done;    /* kernels with this visit, or a fault */
	const char *last; /* label of the last result, "" if there is none */
	/* The kernel that was running: its number in the pack, its label, ""
	 * if it is not known, and its place counted over the visits, which the
	 * runtime's option `from` takes. */
	uint32_t next;
	const char *next_label;
	uint64_t from;
	bool is_lost; /* the board stopped there twice, in whatever logs */
};

struct imported {
	struct arena arena;
	struct link_log log;
	struct link_log_counts counts;
	/* The request of the image, and its campaign, if the log names them and
	 * this program makes the same pack of them. */
	struct campaign_request request;
	struct campaign campaign;
	bool is_whole;
	const struct board *board; /* NULL: not known */
	/* Why it is not whole although the log names its image; NULL. */
	const char *why;
	int64_t run;
	bool is_known;     /* the store has this log: nothing is added */
	bool is_continued; /* it goes on with a run of an earlier log */
	bool is_search;    /* it is of an image of a port search */
	size_t n_unknown;  /* kernels whose bytes are not known */
	struct imported_stop stop;
	size_t n_lost; /* kernels that stopped the board twice: faults `lost` */
};

/* Read the n bytes of a log.  ERR_INPUT as link_log_scan(), or if it is of an
 * instruction set that this program does not know.  Call imported_close() in
 * any case. */
int imported_open(const struct imported_request *q, const unsigned char *bytes,
		  size_t n, struct imported *ret, struct err *e);
void imported_close(struct imported *m);

/* Store it: a new run, or what is new of one.  The run is finished if the log
 * is complete.  ERR_INPUT if it belongs to a port search that the store does
 * not have. */
int imported_store(const struct imported_request *q, struct imported *m,
		   struct store *s, struct err *e);

/* Does this key of INFO say that the board has several cores? Then the options
 * that go on with the run must name its core: another boot may start on another
 * one. */
bool imported_is_one_of_many(const char *key);

/* How a runtime goes on with an unfinished run. */
struct imported_rest {
	const char *options; /* "from=8 skip=3": from the kernel at which the
			      * last log stopped, without those that stopped the
			      * board twice */
	uint64_t from;       /* that place, counted over the visits */
};

/* Find the rest of a run of this pack; texts are in `a`.  ERR_INPUT if nothing
 * is left, or if more kernels stop the board than the runtime can leave out. */
int imported_find_rest(struct store *s, struct arena *a, int64_t run,
		       const void *pack, struct imported_rest *ret,
		       struct err *e);

/* ---- parts of imported_store() ------------------------------------------ */

/* Make a run of the labels in the log, in one transaction: with the board if it
 * is known, and with the kernels that have a record. */
int imported_new_run(struct imported *m, struct store *s, struct err *e);

/* Set m->stop.  A kernel at which the run's board stopped twice gets the fault
 * `lost`. first: number in the run of the pack's kernel 0. */
int imported_find_stop(struct imported *m, struct store *s, uint32_t first,
		       struct err *e);

#endif
