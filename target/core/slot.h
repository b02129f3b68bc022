/* A kernel of the pack made ready to run, and one run of it. */
#ifndef CORE_SLOT_H
#define CORE_SLOT_H

#include "target/arch.h"

enum { SLOT_SHORT = 0, SLOT_LONG = PACK_LENGTHS - 1 };

/* Its register image with memory addresses and the iteration count filled in,
 * and one arch_run per length. */
struct slot {
	const struct pack_kernel *kernel;
	/* Which image of which pack `image` is, and the counter in it.  A pack may
	 * lie where an earlier one lay. */
	uint32_t n_opened;
	uint16_t image_index;
	uint8_t counter;
	struct pack_image image;
	/* Why no run of the kernel is possible, a cause; NULL: it is. */
	const char *refused;
	uint64_t refused_at; /* the address of `map` */
	struct arch_run run[PACK_LENGTHS];
};

/* Place the code of a pack that pack_check() accepted; every run after it
 * takes `clock` and is stopped after `limit` ticks of the REF clock.  False
 * when there is no memory for the code. */
bool slot_open(const void *pack, enum arch_clock clock, uint64_t limit);

/* Give code and memory another place (boot_move()).  The caller must slot_load()
 * each slot again before it runs. */
void slot_move(void);

/* Where length `length` of kernel `index` stands in memory. */
uint64_t slot_code_address(uint32_t index, uint32_t length);

/* Point the slot at a kernel.  Memory is filled for it. */
void slot_load(struct slot *s, uint32_t index);

/* How often the loop of each length is run from now on. */
void slot_iterations(struct slot *s, uint64_t n);

/* Run length `length` once: true and its ticks, false when it faulted. */
bool slot_run(struct slot *s, int length, uint64_t *ret_ticks);

/* Ticks of the clock of slot_open() in all runs since the last call. */
uint64_t slot_inside(void);

/* Run it once to see its registers: true and arch_registers, false when it
 * faulted. */
bool slot_observe(const struct slot *s, int length);

/* Ticks of an empty kernel under the same registers, smallest of several;
 * false when it faulted. */
bool slot_run_empty(const struct slot *s, uint64_t *ret_ticks);

/* Of the last run that faulted. */
const struct arch_fault *slot_fault(void);

#endif
