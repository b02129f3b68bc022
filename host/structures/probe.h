/* Probes of the structures of a core: kernels that walk through memory, or
 * whose jumps and instructions fill a queue.  Each is own code, measured like that
 * of `anechoic time`; what they show is judged by chases.h and the others. */
#ifndef STRUCTURES_PROBE_H
#define STRUCTURES_PROBE_H

#include "common/chain.h"
#include "host/campaign/campaign.h"
#include "host/experiment/experiment.h"
#include "host/structures/passes.h"

struct mc_parser;
struct store;

enum probe_kind {
	PROBE_CHASE, /* loads, each of the address that the last one loaded */
	PROBE_PARALLEL, /* `n` such chases side by side */
	PROBE_READ,     /* loads of `n` bytes in order, again and again */
	PROBE_WRITE,    /* stores of them */
	PROBE_JUMPS,    /* conditional jumps, by bits of random numbers */
	/* The same instructions, but each jump is taken; or, if `n`, none. */
	PROBE_KNOWN,
	/* Two chases, and behind each load `n` instructions. */
	PROBE_WINDOW,   /* integer and vector additions, comparisons, in turn */
	PROBE_INTEGERS, /* additions that leave flags alone */
	PROBE_FLAGS,    /* comparisons, which write flags alone */
	PROBE_VECTORS,
	PROBE_HITS, /* loads */
	PROBE_STORES,
	PROBE_WAITING, /* additions that wait for the load */
	PROBE_WAITING_VECTORS,
	PROBE_WAITING_LOADS, /* their address does */
	/* PROBE_CHAIN_OPS operations of vectors that wait for each other, then as
	 * many in the next of `n` registers; 0: each waits for none. */
	PROBE_CHAINS,
	/* A jump by a random bit, `n` jumps, and a jump by the same bit; by
	 * another one. */
	PROBE_RELATED,
	PROBE_UNRELATED,
	/* Jumps by random bits that repeat after `n` of them, a power of two
	 * from 16 to 2^31. */
	PROBE_PATTERN,
	PROBE_EXITS,   /* loops of `n` iterations */
	PROBE_CALLS,   /* `n` calls inside each other */
	PROBE_TARGETS, /* `n` jumps, each chain.step bytes behind the last */
	PROBE_TABLE,   /* a jump to `n` places in turn, in random order */
	/* A store and a load of it, which the next store needs; `n`: enum
	 * probe_forward. */
	PROBE_FORWARD,
	PROBE_FORWARD_VECTOR, /* the same of a vector, the widest up to 32 bytes */
	/* A chase, and before each load a store whose address is 4,096 - n bytes
	 * below that of the load. */
	PROBE_ALIAS,
	PROBE_DRAIN, /* stores of 8 bytes, `n` bytes apart, within 2 KB */
	PROBE_N_KINDS,
};

/* In a body. */
enum { PROBE_CHAIN_OPS = EXPERIMENT_QUEUE_OPS, PROBE_CHAINS_EACH = 2 };

/* Which part of what was stored, 8 bytes, a load has. */
enum probe_forward {
	FORWARD_SAME,
	FORWARD_LOW,     /* 4 bytes */
	FORWARD_HIGH,    /* the other 4 */
	FORWARD_SHIFTED, /* 8 bytes, 4 of them behind what was stored */
	FORWARD_TWO,     /* 8 bytes, of two stores */
	FORWARD_HALF,    /* 4 bytes, of a store of 4 */
	FORWARD_NARROW,  /* 8 bytes, of which 4 were stored */
	FORWARD_LINE,    /* all 8, in two lines */
	FORWARD_PAGE,    /* all 8, in two pages of 4,096 bytes */
	FORWARD_N,
};

struct core_probe {
	enum probe_kind kind;
	struct chain chain; /* of the kinds with chases */
	uint32_t n;
	bool huge;  /* memory in large pages, where there are some */
	bool rough; /* a tenth more or less does not matter */
};

/* Cycles of a load, of a line of 64 bytes, of a jump, or of what a kernel repeats:
 * a pair of loads, a loop, all calls. */
struct probe_value {
	bool known;
	bool alone;        /* no other pass agreed with it */
	bool busy;         /* another thread of the core ran in all passes */
	double cycles;     /* the median of the rows */
	double low, high;  /* half of them are between */
	const char *label; /* of its kernel */
};

/* Who answers probes: a board, or a simulated hierarchy.  ERR_OK, or why there
 * is no answer at all. */
struct probe_oracle {
	int (*ask)(void *context, const struct core_probe *list, size_t n,
		   struct probe_value *ret, struct err *e);
	void *context;
	uint64_t most_bytes; /* of memory */
	uint32_t
		page_bytes; /* of it, where it is in small ones; 0: not known */
	/* Values of the same cost differ by at most this part. */
	double resolution;
};

/* A board; zeros but for the first four. */
struct probe_board {
	struct campaign *campaign;
	struct mc_parser *parser;
	struct store *store;
	double seconds; /* for one pass over the probes of a question */
	struct passes passes;
	int64_t run; /* the last one */
	/* Of all runs so far: on a reference clock, what the probes of rows take
	 * without another thread of the core. */
	struct calibration calibration;
	struct buffer facts; /* struct visit_facts */
};

/* Does this board have the kind's instructions? */
bool probe_exists(const struct campaign *c, enum probe_kind kind);

/* probe_oracle.ask, for a probe_board, whose passes have n_enough. */
int probe_ask(void *board, const struct core_probe *list, size_t n,
	      struct probe_value *ret, struct err *e);

/* Free what the board learned. */
void probe_close(struct probe_board *b);

/* probe_code.c: the kernel of a probe, as own code; strings in the campaign's
 * arena.  ERR_INPUT if the core lacks an instruction. */
struct snippet;
int probe_code(struct campaign *c, struct mc_parser *parser,
	       const struct core_probe *p, struct snippet *ret, struct err *e);

/* How many jumps at a place in the sequence a kernel of PROBE_PATTERN has: its
 * lengths are code of their own, so the sequence is learned for each. */
uint64_t probe_pattern_entries(uint32_t n);

/* What a body of the kernel does how often. */
double probe_per_body(const struct campaign *c, const struct core_probe *p);

#endif
