/* The path that a loop of own code takes through its jumps.
 *
 * For each jump inside that may go two ways a kernel runs the loop a few dozen
 * times and shifts a bit into a register each time the jump is executed: 1 if it is
 * taken.  With the bits of all jumps the executed instructions follow one after the
 * other.  Whether that goes on so in a long run is seen by its last bits and by how
 * often each jump was taken, which another kernel counts. */
#ifndef CAMPAIGN_SNIPPET_PATH_H
#define CAMPAIGN_SNIPPET_PATH_H

#include "host/campaign/snippet.h"
#include "host/predict/executed.h"

struct mc_parser; /* host/isa/mc_parse.h */

enum {
	/* Of a region; more are not watched. */
	SNIPPET_MAX_JUMPS = 32,
	/* Iterations of the run whose bits are all kept, below the 1 that the
	 * register begins with. */
	SNIPPET_WATCHED = 60,
};

enum snippet_path_state {
	SNIPPET_PATH_UNKNOWN, /* not watched, or too short or long to say */
	SNIPPET_PATH_FOUND,
	SNIPPET_PATH_VARIES, /* it does not repeat */
};

struct snippet_path {
	enum snippet_path_state state;
	struct executed executed; /* of the snippet's program, if found */
};

/* A jump inside, or in a function, and the kernels that watch it. */
struct snippet_jump {
	size_t insn; /* as snippet_insn() counts */
	struct gen_snippet shifting, counting;
	/* What the register holds behind the first length of `shifting`,
	 * SNIPPET_WATCHED iterations or fewer, behind its last, the longest,
	 * and behind the last of `counting`. */
	uint64_t first, last, taken;
};

struct snippet_watch {
	bool plain; /* no jump may go two ways: the path is known without a run */
	size_t n;
	struct snippet_jump *jumps;
	unsigned reg;  /* GPR with the bits */
	int64_t trips; /* of the first length */
};

/* Make the kernels, in `a`.  ret->n is 0 where there is nothing to watch: straight
 * code, no jump inside that may go two ways, too many of them, a loop inside, or
 * no register that is free.  ERR_INPUT as snippet_plan(). */
int snippet_watch(struct arena *a, const struct snippet_request *q,
		  const struct snippet *s, struct mc_parser *parser,
		  struct snippet_watch *ret, struct err *e);

/* The path from the bits of all jumps, in `a`. */
struct snippet_path snippet_path(struct arena *a, const struct snippet *s,
				 const struct snippet_watch *w);

#endif
