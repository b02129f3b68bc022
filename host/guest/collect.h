/* Runs a program under QEMU with the plugin, and collects what it counted.
 *
 * The guest's standard streams are this program's; nothing is written to them
 * here. */
#ifndef GUEST_COLLECT_H
#define GUEST_COLLECT_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/cache/hierarchy.h"
#include "host/guest/profile.h"

struct cache_sim;
struct catalogue;
struct guest_functions;

struct guest_request {
	const struct catalogue *c; /* of the program's ISA */
	/* The program's file, and its arguments (the first is its name),
	 * NULL-terminated. */
	const char *program;
	char *const *argv;
	const char *share;     /* folder of the plugin, anechoic-qemu.so */
	const char *guest_cpu; /* of the emulator; NULL: the ISA's */
	size_t n_hierarchies;  /* at most CACHE_MAX_HIERARCHIES */
	const struct cache_hierarchy *hierarchies;
	/* Count only while one of these is active (host/guest/functions.h);
	 * NULL: always. */
	const struct guest_functions *functions;
	bool marked;         /* count only between marks (host/isa/loop.h) */
	bool accesses;       /* false: only blocks are counted */
	bool classes, trace; /* struct cache_options */
	/* Memory for the simulated caches of a process; 0: EXCHANGE_HEAP. */
	uint64_t heap_bytes;
	struct cache_core core; /* its predictor, if `predict` */
	bool predict;           /* count mispredicted jumps */
	/* Nonzero ends the program; or NULL. */
	const volatile int *interrupt;
	bool probe; /* for layout.c: show the emulator's CPU state */
	/* Called about once a second; or NULL. */
	void (*progress)(void *context, uint64_t instructions, double seconds);
	void *context;
};

struct guest_run;

/* Run the program to its end.  Crashes and other ends by a signal are results.
 * *ret_run is freed with guest_close().  ERR_INPUT if the emulator cannot start
 * the program, ERR_SYSTEM if the system lacks memory or processes. */
int guest_run(const struct guest_request *q, struct guest_run **ret_run,
	      struct err *e);
void guest_close(struct guest_run *run);

/* What was counted in all processes.  Strings and arrays belong to `a`. */
void guest_profile(struct arena *a, struct guest_run *run, struct profile *ret);

/* The simulated caches of a process, 0: the program, up to
 * profile.n_processes - 1; NULL if it has none.  Valid until the next call. */
const struct cache_sim *guest_caches(struct guest_run *run, uint32_t process);

/* Index of the access that a place of the caches belongs to: the block, and the
 * access in it.  False: an instruction that was never executed. */
bool guest_place(const struct guest_run *run, uint32_t place,
		 uint32_t *ret_block, uint32_t *ret_access);

/* Index of the block that ends with a mispredicted jump; `jump` is the number
 * in struct cache_record.  False: not known. */
bool guest_jump(const struct guest_run *run, uint32_t jump,
		uint32_t *ret_block);

#endif
