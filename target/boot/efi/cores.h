/* What runs on another core than the one that the firmware booted.  Firmware may
 * be called from that one alone (UEFI 2.10, 2.3, and the PI specification, volume
 * 2, on the MP services). */
#ifndef BOOT_EFI_CORES_H
#define BOOT_EFI_CORES_H

#include "common/types.h"

/* Is this the core that booted? */
bool cores_are_first(void);

/* Have the first core run f, and wait until it has; on the first core itself f
 * runs at once. */
void cores_on_first(void (*f)(void));

/* What the log on the disk, and the firmware's own console, are to be given. */
enum cores_sink { SINK_LOG, SINK_CONSOLE, N_SINKS };

/* On another core: keep the n bytes, and have the first core give them to `write`
 * when many are there, or the core ends. */
void cores_keep(enum cores_sink sink,
		void (*write)(const char *bytes, size_t n), const char *bytes,
		size_t n);

/* ---- of the folder of each ISA ------------------------------------------- */

enum { CORES_MAX = 512 };

/* The numbers of the cores that may run, ascending; *ret_first: of this one.
 * Returns how many; 0: the firmware does not say. */
size_t machine_cores(uint64_t numbers[CORES_MAX], uint64_t *ret_first);

/* Can the core be started?  Allocates what that needs. */
bool machine_core_prepare(uint64_t core);

/* Start a core.  If it can change the uint64_t at `called` from its number plus one
 * to 0, it calls cores_enter() on a stack of its own; then it is stopped.  False:
 * it cannot be started. */
bool machine_core_start(uint64_t core, uintptr_t called);
void cores_enter(void);

/* On the first core, before and after another one runs: keep the firmware off
 * it, and what belongs to the core that runs. */
void machine_wait_begin(void);
void machine_wait_end(void);

/* Sleep for some ten milliseconds at most. */
void machine_rest(void);

/* On the other core, before anything else. */
void machine_core_begin(void);

/* A number that is the same for cores of one kind. */
uint64_t machine_kind(void);

#endif
