/* How the kernels of probes are written: lines of assembly (host/isa/frame.h) and
 * jumps over a known number of bytes.  The first error stays, and nothing more is
 * written. */
#ifndef STRUCTURES_PROBE_TEXT_H
#define STRUCTURES_PROBE_TEXT_H

#include "host/campaign/snippet.h"
#include "host/isa/isa.h"
#include "host/isa/stream.h"
#include "host/structures/probe.h"

/* The numbers of the GPRs that probes use, the same in all instruction sets: each has
 * them, and reserves none of them.  Loads of streams (STREAM_*) may use any of the
 * others as well, so they have registers of their own. */
enum {
	POINTER = 10,
	CELLS = 11,
	COUNTER = 12,
	SECOND = 13, /* another pointer, or random numbers */
	FREE = 14,
	FIFTH = 15,
	/* Not of the eight that RISC-V's Zcb multiplies in a short form, which
	 * LLVM takes and cores may lack. */
	FACTOR = 6,
	TRIP = 5,      /* counts a loop of the kernel's own down */
	HERE = 7,      /* an address of the code */
	START = FIFTH, /* of the places of a chain */
	STREAM_CELLS = 6,
	STREAM_COUNTER = 8,
};

enum { PROBE_CELL = 8 /* bytes */ };

struct probe_text {
	struct campaign *c;
	struct mc_parser *parser;
	const struct core_probe *p;
	struct buffer init, body; /* texts */
	struct buffer code;       /* of what the body had before */
	struct buffer forms;      /* its forms, pointers */
	unsigned cells, counter;
	struct pack_image image;
	uint64_t memory_bytes;
	uint32_t bodies; /* of the shortest length, or trips */
	bool own_loop;
	struct err *e;
};

/* Append a line to the body, or to the code before it. */
void probe_put(struct probe_text *t, const char *line, struct frame_operands o);
void probe_put_init(struct probe_text *t, const char *line,
		    struct frame_operands o);

/* {r} = memory; memory = {r}. */
void probe_load(struct probe_text *t, unsigned r, unsigned base, int64_t at);
void probe_store(struct probe_text *t, unsigned r, int64_t at);

/* Append a text of host/isa/stream.h, of the first array. */
void probe_put_stream(struct probe_text *t, const char *text, unsigned reg,
		      unsigned displacement);

/* Make code of the lines so far, with their labels; `att`: in the assembler's usual
 * syntax.  raw: of lines that jump or call, without labels. */
void probe_end(struct probe_text *t, bool att);
void probe_end_raw(struct probe_text *t);

/* The code of a text, which is emptied; t->e says what is wrong. */
int probe_encode(struct probe_text *t, struct buffer *text, bool att,
		 struct snippet_bytes *ret);

/* Bytes of code so far. */
size_t probe_at(const struct probe_text *t);

/* Append a jump or a call to a place; padding up to one. */
void probe_go(struct probe_text *t, size_t to, bool calls);
void probe_pad(struct probe_text *t, size_t to);

/* Count the GPR down; until it is zero, go back to `top`. */
void probe_back(struct probe_text *t, unsigned gpr, size_t top);

/* The kernel counts TRIP down by itself, from so many in the shortest length. */
void probe_own_loop(struct probe_text *t, uint32_t trips);

/* The first value of a GPR is an address, so many bytes into memory. */
void probe_point(struct probe_text *t, unsigned gpr, uint64_t at);

/* Memory holds the probe's chain. */
void probe_use_chain(struct probe_text *t);

/* The widest vectors of a known length; NULL: none. */
const struct isa_width *probe_width(const struct campaign *c);

/* probe_jumps.c, probe_queues.c: texts of kinds. */
void probe_text_jumps(struct probe_text *t);
void probe_text_related(struct probe_text *t);
void probe_text_pattern(struct probe_text *t);
void probe_text_exits(struct probe_text *t);
void probe_text_calls(struct probe_text *t);
void probe_text_targets(struct probe_text *t);
void probe_text_table(struct probe_text *t);
void probe_text_queue(struct probe_text *t);
void probe_text_chains(struct probe_text *t);
void probe_text_forward(struct probe_text *t);
void probe_text_forward_vector(struct probe_text *t);
void probe_text_alias(struct probe_text *t);
void probe_text_drain(struct probe_text *t);

/* In a body. */
enum { PROBE_JUMPS_EACH = 16, PROBE_PAIRS = 16, PROBE_DRAINED = 32 };

#endif
