/* Generation: experiments become kernels, kernels become a pack. */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include "host/base/file.h"
#include "host/experiment/experiment.h"
#include "host/isa/frame.h"
#include "host/store/store_kernel.h"

/* Measuring parameters of a pack; see struct pack_header. */
struct gen_profile {
	uint32_t unroll[PACK_LENGTHS]; /* instances per iteration, at least */
	uint32_t mix_unroll;           /* of the shortest length of a mix */
	uint32_t kernel_cycles, n_repeats;
	uint32_t sandwich_ns, n_sandwiches, n_visits;
	uint32_t ready_ms;
	uint32_t memory_flags; /* enum pack_memory_flags */
};

/* The profile for kernels of about this many cycles each, with the longest
 * bodies that this allows; 0: the default budget of common/bend.h, and short
 * bodies. */
struct gen_profile gen_profile(uint32_t kernel_cycles);

/* Set the number of instances in the shortest length. */
void gen_profile_unroll(struct gen_profile *p, uint32_t unroll);

/* Are bodies of this profile so long that a small loop differs in shape? */
bool gen_has_loops(const struct gen_profile *p);

/* A pack being built. */
struct gen;
struct gen *gen_new(const struct catalogue *c, const struct gen_profile *p);
void gen_free(struct gen *g);

/* Add an experiment's kernel.  Returns ERR_OK, or ERR_INPUT with the reason
 * in *e when the form does not allow it (no second register, refused
 * encoding): the pack is unchanged then. */
int gen_add(struct gen *g, const struct experiment *x, struct err *e);

/* A kernel given as code: the body of a loop, and GPRs that start as zero or
 * are set by the runtime (core/sustain.h).  It is run only on request. */
struct gen_code {
	const char *label;
	const unsigned char *body;
	size_t n;
	uint8_t flags; /* enum pack_kernel_flags */
};
int gen_add_code(struct gen *g, const struct gen_code *k, struct err *e);

/* Code of a person's own, run in a frame (host/isa/frame.h).  A body is the
 * code, repeated; or one trip of the loop that the code itself is. */
/* Bytes in the memory of a kernel; struct pack_data. */
struct gen_data {
	uint64_t at;
	uint32_t bytes;
	bool is_address;
	const unsigned char *value;
	uint32_t value_bytes;
};

struct gen_snippet {
	const char *label;
	const unsigned char *code;
	size_t n;
	const struct form *const
		*forms; /* of its instructions; some are NULL */
	size_t n_forms;
	/* Of the code that sets the state. */
	const struct form *const *init_forms;
	size_t n_init_forms;
	uint32_t instructions; /* retired per body; 0: unknown */
	bool own_loop;
	bool calls_system;
	/* The code of each length, with all its bodies; NULL: `code`, once or
	 * repeated. */
	struct {
		const unsigned char *code;
		size_t n;
	} whole[PACK_LENGTHS];
	uint32_t bodies[PACK_LENGTHS];
	struct frame frame; /* but for trip_first, which follows from: */
	int64_t trip_first[PACK_LENGTHS];
	struct pack_image image;
	uint32_t memory_bytes; /* 0: none */
	const struct gen_data *data;
	size_t n_data;
	/* Set by gen_add_snippet(): bytes of the frame before the code that sets
	 * the state, and before the code. */
	uint32_t init_at;
	uint32_t body_at[PACK_LENGTHS];
};

/* Add its kernel.  `parser` is of the catalogue's instruction set.  ERR_INPUT
 * with the reason if there is none: the pack is unchanged then. */
int gen_add_snippet(struct gen *g, struct mc_parser *parser,
		    struct gen_snippet *x, struct err *e);

/* May a mix hold both forms?  Not if one kernel cannot have the state that both
 * need: a vector length, or upper halves in use for one and not for the
 * other. */
bool gen_may_mix(const struct catalogue *c, const struct form *x,
		 const struct form *y);

/* Are the form's stores in mixes in the same line of the cache as those of
 * other forms?  Some cores write two stores in a cycle if both go to one line,
 * so stores to different lines would seem to need twice the ports.  No: forms
 * that also load, that bypass the caches, that cross a boundary, or whose
 * address has no number. */
bool gen_shares_line(const struct catalogue *c, const struct form *f);

/* The width of an experiment's kernel for the runtime, below GEN_N_WIDTHS:
 * 0: 16 bytes or less, 1: 32, 2: 64.  Some cores need up to a millisecond to
 * change between widths (core/probes.h), so a pack groups some hundred
 * kernels of one width.  Kernels that precede all others have 0. */
enum { GEN_N_WIDTHS = 3 };
unsigned gen_width(const struct catalogue *c, const struct experiment *x);

/* Cycles that a body of a mix waits for its registers; 0 if it does not
 * wait, or cannot be generated. */
double gen_wait(const struct catalogue *c, const struct gen_profile *p,
		const struct experiment *x);

/* The number of kernels, and each kernel as a row for the store.  Pointers
 * live as long as the gen and until the next gen_add(). */
size_t gen_n_kernels(const struct gen *g);
void gen_kernel_row(const struct gen *g, size_t index, struct kernel_row *ret);

/* Lay the pack out into *ret (owned by the caller). */
int gen_finish(struct gen *g, struct buffer *ret_pack, struct err *e);

#endif
