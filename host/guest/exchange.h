/* What the plugin inside QEMU and the collector share: one memory file.
 *
 * The guest may close, reuse or pass on any file descriptor and may die at any
 * instruction.  So the plugin keeps no descriptor open, and every counter lies
 * in memory that both sides map: what was counted is there whatever becomes of
 * the guest.
 *
 *	0		struct exchange
 *	hierarchies_at	struct cache_hierarchy [n_hierarchies]
 *	slots_at	slot 0: the program
 *	+ slot_bytes	slot 1: the first child that it forked, and so on
 *
 * A slot is a struct exchange_slot, the counters of blocks, the counters of
 * mispredicted jumps at their ends, the records of accesses and a heap with the
 * simulated caches.  A process has its own slot at the address `window`, and
 * the collector maps one there after the other, so that pointers in the heap
 * are good for both.  All slots use the same numbers of blocks and records,
 * which the collector gives out.  The file is sparse: pages that were not
 * written take no memory.
 *
 * Whenever QEMU translates a block, the plugin writes its bytes into the slot,
 * rings the bell and waits for the answer: LLVM, which decodes, does not live
 * in the guest's process. */
#ifndef GUEST_EXCHANGE_H
#define GUEST_EXCHANGE_H

#include <stdatomic.h>

#include "host/cache/hierarchy.h"
#include "host/isa/guest.h"

enum {
	EXCHANGE_VERSION = 6,
	EXCHANGE_INSNS = 512,  /* TCG_MAX_INSNS of QEMU */
	EXCHANGE_CODE = 16,    /* x86: at most 15 bytes */
	EXCHANGE_SLOTS = 1024, /* processes of one run */
	EXCHANGE_BLOCKS = 1 << 20,
	EXCHANGE_RECORDS = 1 << 20,
	EXCHANGE_CALLS = 4,
	EXCHANGE_REASON = 200,
	EXCHANGE_BEFORE = 4,      /* bytes of code before a question's */
	EXCHANGE_PROBE = 1 << 16, /* bytes of the emulator's CPU state */
};

/* Address space for the caches of one process. */
#define EXCHANGE_HEAP ((uint64_t)16 << 30)

#define EXCHANGE_NONE UINT32_MAX

struct cache_sim;

/* Where the emulator keeps registers of a kind, in bytes from the start of its
 * CPU state: the first register, and from one to the next. */
struct exchange_registers {
	uint32_t at, step;
};

struct exchange_layout {
	struct exchange_registers gpr, vector, mask;
	uint32_t vector_bytes;
};

struct exchange {
	uint32_t version;
	uint32_t host_pid;
	/* Futex: number of questions asked so far. */
	_Atomic uint32_t bell;
	_Atomic uint32_t slots_taken;
	/* Children whose counts have no slot. */
	_Atomic uint32_t unseen_processes;
	/* Programs started by exec, which leave the emulator. */
	_Atomic uint32_t execs;
	_Atomic uint32_t regions; /* begun */
	/* With functions: entries from outside of them, and of these the
	 * functions that were left without a return. */
	_Atomic uint64_t entered, escaped;
	uint32_t exec_calls[EXCHANGE_CALLS]; /* system call numbers; 0: none */
	/* Size of lines that are counted without caches: 1 << line_shift. */
	uint32_t line_shift;
	uint32_t n_hierarchies;
	uint64_t hierarchies_at;
	bool accesses;       /* false: only blocks are counted */
	bool classes, trace; /* struct cache_options */
	bool functions;      /* only what runs in some functions is counted */
	/* All instructions are EXCHANGE_BEFORE bytes long, so the one before
	 * a block is known. */
	bool fixed_size;
	struct cache_core core; /* history 0: branches are not predicted */
	uint64_t slots_at, slot_bytes;
	/* In a slot. */
	uint64_t counts_at, mispredicted_at, records_at, heap_at;
	uint64_t window;
	/* Accesses by instructions that are not known to access memory. */
	_Atomic uint64_t stray_accesses;
	_Atomic uint64_t lost_blocks;  /* executions without a number */
	struct exchange_layout layout; /* known before the first state site */
	char reason
		[EXCHANGE_REASON]; /* why the plugin refuses to work; or "" */
};

/* Counters of an instruction that accesses memory. */
struct access_counts {
	uint64_t executions, bytes, lines;
};

/* Marks of a region.  BEGINS: drop all counts so far.  ENDS: stop counting.
 */
enum region { REGION_GOES_ON, REGION_BEGINS, REGION_ENDS };

/* How control leaves a block at its last instruction. */
enum leaving { LEAVES_OTHERWISE, LEAVES_BY_CALL, LEAVES_BY_RETURN };

/* What has to be predicted of a block's last instruction. */
enum jump {
	JUMP_NONE,        /* nothing: no jump, or a system call */
	JUMP_CONDITIONAL, /* its direction */
	JUMP_TO_REGISTER, /* its target */
	/* Nothing, but it is part of the history: a direct jump or call, or a
	 * return. */
	JUMP_UNPREDICTED,
};

/* One instruction of a question and its answer. */
struct question_insn {
	uint64_t address;
	uint8_t n_code;
	uint8_t code[EXCHANGE_CODE];
};

struct answer_insn {
	uint32_t record; /* EXCHANGE_NONE: accesses no memory */
	/* All bytes, from the first address on; 0: as QEMU's pieces say. */
	uint16_t bytes;
	/* Both if it is not known, or if it modifies: loads and then stores
	 * the same place. */
	bool loads, stores, modifies;
	struct guest_state state;
	uint8_t region; /* enum region: what it does to the counts */
	bool enters;    /* first instruction of a function to count */
	bool probe;     /* copy the CPU state when it is reached */
};

enum slot_state { SLOT_IDLE, SLOT_ASKING, SLOT_ANSWERED };

struct exchange_slot {
	_Atomic uint32_t state; /* enum slot_state; futex */
	_Atomic uint32_t pid;
	/* What is added to a guest's address to find it in the process. */
	uint64_t guest_base;
	uint32_t n_insns; /* the answer: how many of them are the block's */
	uint32_t block;   /* the answer: number, or EXCHANGE_NONE */
	uint64_t heap_used;
	struct cache_sim *sim; /* NULL: no caches */
	/* The code before the first instruction, zeros if it is not there; and
	 * the answer: is it an access that the next instruction settles? */
	uint8_t before[EXCHANGE_BEFORE];
	bool settles;
	uint8_t leaves; /* the answer: enum leaving */
	uint8_t jump;   /* the answer: enum jump */
	bool probed;
	unsigned char probe[EXCHANGE_PROBE];
	struct question_insn question[EXCHANGE_INSNS];
	struct answer_insn answer[EXCHANGE_INSNS];
};

static inline uint64_t exchange_slot_at(const struct exchange *x, uint32_t i)
{
	return x->slots_at + i * x->slot_bytes;
}

static inline uint64_t *slot_counts(const struct exchange *x,
				    struct exchange_slot *s)
{
	return (uint64_t *)(void *)((char *)s + x->counts_at);
}

/* Mispredicted jumps at the ends of blocks. */
static inline uint64_t *slot_mispredicted(const struct exchange *x,
					  struct exchange_slot *s)
{
	return (uint64_t *)(void *)((char *)s + x->mispredicted_at);
}

static inline struct access_counts *slot_records(const struct exchange *x,
						 struct exchange_slot *s)
{
	return (struct access_counts *)(void *)((char *)s + x->records_at);
}

/* Sleep until *word is no longer `value`, a wake-up or the time is over. */
void exchange_wait(_Atomic uint32_t *word, uint32_t value,
		   unsigned milliseconds);
void exchange_wake(_Atomic uint32_t *word);

#endif
