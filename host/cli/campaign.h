/* What `measure` and `image` share: a board, its catalogue, a plan and the
 * pack made of it. */
#ifndef CLI_CAMPAIGN_H
#define CLI_CAMPAIGN_H

#include "host/base/board.h"
#include "host/cli/cli.h"
#include "host/gen/gen.h"
#include "host/isa/isa.h"

struct campaign {
	struct arena arena;
	const struct board *board;
	const struct isa *isa;
	struct catalogue *catalogue;
	unsigned what;          /* enum plan_what */
	uint32_t kernel_cycles; /* of the profile */
	struct gen_profile profile;
	struct gen *gen;
	struct buffer pack;
	size_t n_experiments;
	size_t n_refused; /* experiments without a kernel */
	/* Why there is no kernel, in words: of experiments, and of pairs that
	 * none was planned for.  char pointers into the arena. */
	struct buffer reasons;
};

/* Board by the options and its catalogue, without a plan.  Call
 * campaign_close() whatever the result. */
int campaign_start(const struct options *o, struct campaign *ret,
		   struct err *e);

/* Board by the options, its catalogue, plan and pack.  Call
 * campaign_close() whatever the result. */
int campaign_open(const struct options *o, struct campaign *ret, struct err *e);
void campaign_close(struct campaign *c);

/* gen_profile() for a board and a budget (0: the board's own).  A runtime
 * beside its host hears when that goes, and can wait for one that is kept from
 * its processor. */
struct gen_profile campaign_profile(const struct board *b,
				    uint32_t kernel_cycles);

/* The bootable image of the campaign's pack, if its board boots one. */
int campaign_image(struct campaign *c, struct buffer *ret, struct err *e);

/* LLVM CPU argument of a board: its cpu and features, or what the options
 * say; NULL for everything LLVM knows. */
const char *campaign_cpu(struct arena *a, const struct board *b,
			 const struct options *o);

#endif
