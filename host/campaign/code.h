/* Measuring own code: snippets become a pack, a run of it, and times. */
#ifndef CAMPAIGN_CODE_H
#define CAMPAIGN_CODE_H

#include "host/campaign/campaign.h"
#include "host/campaign/rounds.h"
#include "host/campaign/snippet_path.h"
#include "host/store/store_claim.h"

/* A number per body, by differences between lengths: the median of some readings, and
 * their quartiles. */
struct code_count {
	bool known;
	double low, middle, high;
};

/* Of n readings, which are sorted; none: not known. */
struct code_count code_count_of(double *readings, size_t n);

/* What came of a snippet. */
struct code_result {
	struct claim claim; /* kind "code" */
	/* Of a fault: the instruction at which it happened (snippet_insn()), -1: not
	 * in the code; and the address, which for an access is the memory's. */
	int insn;
	bool in_init; /* it happened in the code of --init */
	uint64_t address;
	/* Instructions retired, of a core that counts them, and cycles, of a run whose
	 * clock counts them. */
	struct code_count retired, cycles;
};

/* Begin the campaign's pack again, with the kernels that calibrate alone. */
int code_pack_begin(struct campaign *c, struct err *e);

/* Make the campaign's pack of the kernels that calibrate and of n snippets, whose
 * places in their kernels are set (struct gen_snippet).  ERR_INPUT: code that is
 * too long for a pack, or a label that is. */
int code_pack(struct campaign *c, struct mc_parser *parser,
	      struct snippet *list, size_t n, struct err *e);

struct code_run {
	struct campaign *campaign; /* with the pack */
	struct store *store;
	const struct snippet *list;
	size_t n;
	double seconds; /* stop after; 0: no limit */
	link_report *report;
	void *context;
};

/* Measure and solve; ret[0..n) is of list[0..n), with strings in the campaign's
 * arena.  A snippet that faults, or whose visits do not agree, is a result.  Errors
 * are of the board and the database, as of rounds_run() and the store; ret is
 * unchanged then. */
int code_measure(const struct code_run *q, struct code_result *ret,
		 struct err *e);

/* For snippets whose iterations take different paths, so that no value is measured:
 * store for each of q->list a claim with the verdict `path-varies` and this reason.  A
 * claim needs a run, which says what core it is, so the first snippet is measured
 * once, as its evidence.  The campaign's pack is replaced.  Errors are of the board
 * and the database. */
int code_store_varying(const struct code_run *q, struct mc_parser *parser,
		       const char *reason, struct err *e);

/* A snippet whose path is wanted. */
struct code_watched {
	const struct snippet_request *request;
	const struct snippet *snippet;
	struct snippet_path path; /* in the campaign's arena */
};

/* code_path.c: find the paths of n snippets, with a pack of its own, which replaces
 * the campaign's.  Boards that are not started for it, and invented cores, tell
 * none: the paths are not known.  ERR_FAILED: the board cannot be started. */
int code_paths(struct campaign *c, struct mc_parser *parser,
	       struct code_watched *list, size_t n, struct err *e);

#endif
