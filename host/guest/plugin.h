/* The plugin inside QEMU: state that its files share.
 *
 * It counts the executions of blocks and passes the lines of each execution of
 * an instruction to the simulated caches.  It knows no instruction set: what an
 * instruction accesses is the collector's answer (exchange.h). */
#ifndef GUEST_PLUGIN_H
#define GUEST_PLUGIN_H

#include <pthread.h>

#include "host/cache/sim.h"
#include "host/guest/exchange.h"
#include "host/guest/qemu.h"

enum {
	PLUGIN_VCPUS = 1024,
	PLUGIN_LINES = 4096, /* of one execution of an instruction, at most */
	PLUGIN_VECTOR = 256, /* bytes of a vector register, at most */
};

/* An instruction that accesses memory, as translated. */
struct access_site {
	uint64_t *count; /* executions of its block */
	struct access_counts *record;
	uint32_t place; /* number of the record */
	/* Instructions of its block that come after it. */
	uint16_t behind;
	uint16_t bytes;     /* struct answer_insn */
	bool loads, stores; /* both: modifies, or not known */
	bool modifies;
	struct guest_state state;
};

struct plugin_block;

/* A thread of the guest. */
struct vcpu {
	struct cache_cpu *cache; /* NULL: no caches */
	uint64_t now;            /* instructions, at the end of its block */
	uint64_t blocks;         /* executed; counted if there are threads */
	/* The execution that the last access belonged to. */
	const struct access_site *site;
	uint64_t stamp;
	uint64_t begin, size; /* its last load */
	/* Its lines that the caches have not had. */
	size_t n_lines;
	uint64_t lines[PLUGIN_LINES];
	bool store;
	uint64_t at; /* `now` of the instruction */
	/* An access that ended its translated block: the next one settles
	 * it. */
	const struct access_site *pending;
	bool idle; /* outside of all functions: not counted */
	/* With core.history: the predictor, and the last executed block. */
	struct predictor *predictor;
	const struct plugin_block *last;
	/* With functions: calls that have not returned. */
	struct call_stack {
		uint64_t *to; /* where each returns to */
		size_t n, room;
		size_t base;     /* n when a function was entered */
		uint8_t left;    /* enum leaving, of the last block */
		uint64_t behind; /* the last block's end */
	} calls;
	/* Vectors that the instruction overwrites, as they were before. */
	unsigned char early_addresses[PLUGIN_VECTOR], early_mask[PLUGIN_VECTOR];
	/* Set of its lines: `mark` where a line is a member. */
	uint32_t mark;
	uint32_t marks[2 * PLUGIN_LINES];
	uint64_t members[2 * PLUGIN_LINES];
};

/* A translated block. */
struct plugin_block {
	uint64_t *count;
	uint64_t n_insns;
	uint64_t begin, end; /* addresses */
	uint64_t last;       /* address of its last instruction */
	uint32_t number;
	uint8_t jump;   /* enum jump */
	uint8_t leaves; /* enum leaving */
	bool enters;    /* a function to count begins here */
};

struct plugin {
	qemu_plugin_id_t id;
	struct exchange *x;
	struct exchange_slot *slot;
	char path[64]; /* of the memory file */
	uint32_t line_shift;
	bool ended;    /* what follows is not counted */
	bool parallel; /* the guest has several threads */
	/* Held during translations; and, if parallel, during accesses. */
	pthread_mutex_t translating, accessing;
	_Atomic uint32_t n_vcpus;
	struct vcpu *vcpus[PLUGIN_VCPUS];
	struct access_site **sites; /* by record; EXCHANGE_RECORDS */
	uint32_t number;            /* of the slot */
	/* For fork(): the child's slot, or EXCHANGE_NONE. */
	uint32_t child;
};

extern struct plugin plugin;

/* plugin_slot.c: map slot i at `at`.  MAP_FAILED. */
void *plugin_map_slot(uint32_t i, void *at, int flags);

/* Counters and caches from here on belong to this process alone: what was
 * counted stays as it is. */
void plugin_part_counters(void);

/* The state of a thread.  More than PLUGIN_VCPUS threads share states. */
static inline struct vcpu *plugin_vcpu(unsigned index)
{
	return plugin.vcpus[index % PLUGIN_VCPUS];
}

/* Add to a counter that other threads may change, too. */
static inline void plugin_count(uint64_t *counter, uint64_t n)
{
	if (plugin.parallel)
		__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
	else
		*counter += n;
}

/* plugin_access.c: callback of QEMU for each memory access of a site. */
void plugin_on_access(unsigned vcpu, qemu_plugin_meminfo_t info,
		      uint64_t address, void *data);

/* An access of `size` bytes of the site's instruction. */
void plugin_piece(struct vcpu *v, const struct access_site *s, uint64_t at,
		  uint64_t size, bool store);

/* plugin_state.c: accesses that the emulator does not report, from its CPU
 * state.  They are found before the next instruction: then the general
 * registers are in memory.  The plugin_frame functions (frame_*.c) are
 * callbacks of QEMU that pass the address of the state on. */
void plugin_frame_early(unsigned vcpu, void *data);
void plugin_frame_settle(unsigned vcpu, void *data);
void plugin_frame_probe(unsigned vcpu, void *data);
void plugin_state_early(unsigned vcpu, void *data, const char *cpu);
void plugin_state_settle(unsigned vcpu, void *data, const char *cpu);
void plugin_state_probe(unsigned vcpu, void *data, const char *cpu);
void plugin_state_pend(unsigned vcpu, void *data);

/* Give the caches what a thread's last instruction accessed, or those of
 * all. */
void plugin_flush(struct vcpu *v);
void plugin_flush_all(void);

/* plugin_scope.c: callbacks for the marks of a region. */
void plugin_region_begin(unsigned vcpu, void *data);
void plugin_region_end(unsigned vcpu, void *data);

/* Callbacks of QEMU that count only while a function is active; their data is a
 * struct plugin_block.  The second is for a function that begins at an
 * instruction inside a block, because the code before it continues into the
 * function: if nothing was counted before, its block counts from there on. */
void plugin_on_function_block(unsigned vcpu, void *data);
void plugin_on_function_entry(unsigned vcpu, void *data);

/* A thread begins: it is in no function. */
void plugin_function_thread(struct vcpu *v);

/* plugin_branch.c: call when the block `b` begins: the jump of the block before
 * it led here.  Predicts that jump and counts it if it was mispredicted. */
void plugin_predict(struct vcpu *v, const struct plugin_block *b);

/* A new predictor; NULL if branches are not predicted or memory is short. */
struct predictor *plugin_predictor(void);

/* plugin_translate.c: callback of QEMU for a translated block. */
void plugin_on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);

#endif
