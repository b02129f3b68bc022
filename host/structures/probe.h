/* Probes of the structures of a core: kernels that walk through memory, or
 * whose jumps and instructions fill a queue.  Each is own code, measured like that
 * of `anechoic time`; what they show is judged by chases.h and the others. */
#ifndef STRUCTURES_PROBE_H
#define STRUCTURES_PROBE_H

#include "common/chain.h"
#include "host/campaign/campaign.h"

struct mc_parser;
struct store;

enum probe_kind {
	PROBE_CHASE, /* loads, each of the address that the last one loaded */
	PROBE_PARALLEL, /* `n` such chases side by side */
	PROBE_READ,     /* loads of `n` bytes in order, again and again */
	PROBE_WRITE,    /* stores of them */
	PROBE_JUMPS,    /* conditional jumps, by bits of random numbers */
	PROBE_KNOWN,    /* the same instructions, but each jump is taken */
	PROBE_WINDOW,   /* two chases, `n` instructions behind each load */
	PROBE_N_KINDS,
};

struct core_probe {
	enum probe_kind kind;
	struct chain chain; /* of the kinds with chases */
	uint32_t n;
	bool huge; /* memory in large pages, where there are some */
};

/* Cycles of a load, of a line of 64 bytes, of a jump, or of a pair of loads. */
struct probe_value {
	bool known;
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

/* A board. */
struct probe_board {
	struct campaign *campaign;
	struct mc_parser *parser;
	struct store *store;
	double seconds;  /* for one pass over the probes of a question */
	double until;    /* monotonic_s(): from then on one pass is enough */
	size_t n_probes; /* so far */
};

/* Does this board have the kind's instructions? */
bool probe_exists(const struct campaign *c, enum probe_kind kind);

/* probe_oracle.ask, for a probe_board. */
int probe_ask(void *board, const struct core_probe *list, size_t n,
	      struct probe_value *ret, struct err *e);

/* probe_code.c: the kernel of a probe, as own code; strings in the campaign's
 * arena.  ERR_INPUT if the core lacks an instruction. */
struct snippet;
int probe_code(struct campaign *c, struct mc_parser *parser,
	       const struct core_probe *p, struct snippet *ret, struct err *e);

/* What a body of the kernel does how often. */
double probe_per_body(const struct campaign *c, const struct core_probe *p);

#endif
