/* A campaign: a request, its board, the catalogue, the plan, and the pack
 * made of it.  This room knows the order of the stages; it prints nothing. */
#ifndef CAMPAIGN_CAMPAIGN_H
#define CAMPAIGN_CAMPAIGN_H

#include "host/base/board.h"
#include "host/base/file.h"
#include "host/gen/gen.h"

/* The request.  The caller owns the strings; they outlive the campaign. */
struct campaign_request {
	const char *share; /* folder of installed files: boards, runtimes */
	const char *board;
	const char *isa;          /* NULL: the only one of the board */
	const char *cpu;          /* LLVM's name, NULL: the board's */
	const char *forms;        /* extended regular expression, NULL: all */
	uint64_t families;        /* of variants, as families_parse() */
	const char *what;         /* "latency,throughput", NULL: both */
	const char *core;         /* file of an invented core, or NULL */
	uint32_t kernel_cycles;   /* on a core clock, 0: the board's default */
	uint32_t shard, n_shards; /* measure this part of them; 0: all */
	bool once;                /* each kernel as briefly as possible */
	uint32_t cores; /* cores that measure at once, 0: the board's maximum */
	const char *tty;           /* serial line, or NULL */
	uint32_t baud;             /* 0: the default rate */
	const char *reset_command; /* shell command, or NULL */
	bool wake;                 /* see struct link_request */
	/* See struct link_request; NULL: none. */
	struct console *console;
	struct listener *listener;
	/* Text for the user about a board that does not start by itself; NULL:
	 * none. */
	void (*notice)(const char *text);
	const char *db; /* database of the results */
	bool resume;    /* continue the unfinished run */
	/* Of a port search; 0: no limit. */
	double budget_seconds;
	size_t budget_kernels;
	const char *boot_options; /* of an image, or NULL */
	const volatile int *stop; /* nonzero: stop; NULL: never */
};

struct campaign {
	const struct campaign_request *request;
	struct arena arena;
	const struct board *board;
	const struct isa *isa;
	struct catalogue *catalogue;
	unsigned what;          /* enum plan_what */
	uint32_t kernel_cycles; /* of the profile */
	struct gen_profile profile;
	struct gen *gen;
	struct buffer pack;
	/* Of a shard: the id of the undivided set's pack, and the number in it
	 * of each kernel, uint32_t. */
	uint64_t set_id;
	struct buffer places;
	const struct experiment *experiments;
	size_t n_experiments;
	size_t n_refused; /* experiments without a kernel */
	/* Reasons in words: why an experiment has no kernel, and why a pair
	 * of operands has no experiment.  char pointers into the arena. */
	struct buffer reasons;
};

/* Find the board and load its catalogue, without a plan.  The caller calls
 * campaign_close() whatever the result. */
int campaign_start(const struct campaign_request *q, struct campaign *ret,
		   struct err *e);

/* As campaign_start(), with the plan and the pack made of it. */
int campaign_open(const struct campaign_request *q, struct campaign *ret,
		  struct err *e);
void campaign_close(struct campaign *c);

/* gen_profile() for a board and a budget (0: the board's own).  A runtime that
 * runs as a process on the host ends with the host's program; it may wait
 * longer for a processor. */
struct gen_profile campaign_profile(const struct board *b,
				    uint32_t kernel_cycles);

/* The bootable image of the campaign's pack.  ERR_INPUT when its board boots
 * none that this program builds. */
int campaign_image(struct campaign *c, struct buffer *ret, struct err *e);

/* Kernels of its pack that are measured, not only to calibrate. */
uint32_t campaign_n_measured(const struct campaign *c);

/* LLVM's CPU argument: `cpu` if it is not NULL, else the board's cpu and
 * features; NULL: all that LLVM knows. */
const char *campaign_cpu(struct arena *a, const struct board *b,
			 const char *cpu);

/* Is the board a process of this machine, on its own core? */
bool campaign_is_here(const struct campaign *c);

/* Path of an installed file, e.g. "boards"; in the campaign's arena. */
char *campaign_path(struct campaign *c, const char *name);

#endif
