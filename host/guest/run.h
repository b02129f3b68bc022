/* State of a run that the files of the collector share. */
#ifndef GUEST_RUN_H
#define GUEST_RUN_H

#include <sys/types.h>

#include "host/guest/collect.h"
#include "host/guest/exchange.h"
#include "host/isa/guest.h"

/* An instruction at an address, once for each content. */
struct run_insn {
	uint64_t address;
	uint8_t n_code;
	uint8_t code[EXCHANGE_CODE];
	uint32_t what;    /* index into run_table.decoded */
	uint32_t mapping; /* index into run_table.mappings */
};

/* A block as QEMU translated it. */
struct run_block {
	uint32_t n_insns;
	uint32_t *insns;   /* indices into run_table.insns */
	uint32_t *records; /* EXCHANGE_NONE: accesses no memory */
};

/* A part of a file in the guest's memory. */
struct run_mapping {
	uint64_t start, end; /* guest addresses */
	uint64_t offset;     /* in the file */
	const char *path;    /* NULL: no file */
};

/* Numbers of contents, in the order in which they were seen first. */
struct run_index {
	size_t n, contents_room;
	struct run_content {
		size_t n;
		const void *bytes;
	} * contents;
	/* By the hash of the content; EXCHANGE_NONE: free. */
	uint32_t *places;
	size_t room; /* a power of two, or 0 */
};

/* All blocks and instructions that were translated so far. */
struct run_table {
	struct arena arena;
	size_t n_insns, insns_room;
	struct run_insn *insns;
	size_t n_blocks, blocks_room;
	struct run_block *blocks;
	size_t n_decoded, decoded_room;
	struct guest_insn *decoded;
	size_t n_mappings, mappings_room;
	struct run_mapping *mappings;
	uint32_t n_records;
	struct run_index insn_index, block_index, decoded_index;
};

struct guest_run {
	struct guest_request request;
	struct run_table table;
	int fd; /* of the memory file */
	struct exchange *x;
	size_t head_bytes; /* of x */
	struct exchange_slot *slots[EXCHANGE_SLOTS];
	bool window;     /* the window is reserved */
	uint32_t mapped; /* slot in the window; EXCHANGE_NONE: none */
	pid_t pid;
	int status; /* of waitpid() */
	bool interrupted;
	bool layout_known;
	struct err failure; /* why the run was ended, if it was */
	/* Of each record: block and access of the profile. */
	struct run_place {
		uint32_t block, access;
	} * places;
	/* Of each translated block: the block of the profile that it ends
	 * with. */
	uint32_t *jumps;
};

/* exchange_open.c: create the memory file, its head and the window; close. */
int run_open_exchange(struct guest_run *r, struct err *e);
void run_close_exchange(struct guest_run *r);

/* Slot i, mapped for questions and counts; NULL if memory is short. */
struct exchange_slot *run_slot(struct guest_run *r, uint32_t i);

/* Number of slots in use. */
uint32_t run_n_slots(const struct guest_run *r);

/* answer.c: the number of the block that a slot asks about; EXCHANGE_NONE: it
 * gets none.  Then answer the question.  Before an answer that needs the layout
 * x->layout must be set. */
uint32_t run_block(struct guest_run *r, struct exchange_slot *s);
bool run_needs_layout(const struct guest_run *r, const struct exchange_slot *s,
		      uint32_t block);
void run_answer(struct guest_run *r, struct exchange_slot *s, uint32_t block);

/* collect.c: guest_run(), with answers by answer(). */
typedef void run_answerer(struct guest_run *r, struct exchange_slot *s);
int run_emulator(const struct guest_request *q, run_answerer *answer,
		 struct guest_run **ret_run, struct err *e);

/* table.c: the number of a block of n instructions, the same for the same
 * content; EXCHANGE_NONE if there are too many. */
uint32_t table_block(struct run_table *t, const struct catalogue *c,
		     const struct question_insn *q, size_t n, uint32_t mapping);

/* What an instruction does. */
const struct guest_insn *table_insn(const struct run_table *t, uint32_t insn);

/* Index of the mapping of a guest address in a process;
 * EXCHANGE_NONE if /proc does not tell. */
uint32_t table_mapping(struct run_table *t, uint32_t pid, uint64_t address,
		       uint64_t guest_base);

void table_free(struct run_table *t);

#endif
