/* Measuring own code: snippets become a pack, a run of it, and times. */
#ifndef CAMPAIGN_CODE_H
#define CAMPAIGN_CODE_H

#include "host/campaign/campaign.h"
#include "host/campaign/rounds.h"
#include "host/campaign/snippet.h"
#include "host/store/store_claim.h"

/* What came of a snippet. */
struct code_result {
	struct claim claim; /* kind "code" */
	/* Of a fault: the instruction of the region at which it happened, -1: not
	 * in the code; and the address, which for an access is the memory's. */
	int insn;
	bool in_init; /* it happened in the code of --init */
	uint64_t address;
};

/* Make the pack of snippets, with the kernels that calibrate. */
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

/* Measure and solve; ret[i] is of list[i], strings in the campaign's arena. */
int code_measure(const struct code_run *q, struct code_result *ret,
		 struct err *e);

#endif
