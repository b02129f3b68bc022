/* What a way of being started must provide to the runtime: sbi, efi, linux.
 * One folder under target/boot/<name>/ implements this and owns the entry
 * point, which relocates the image, sets a stack up and calls
 * runtime_main(). */
#ifndef TARGET_BOOT_H
#define TARGET_BOOT_H

#include "target/arch.h"

/* core/main.c: the whole job.  Returns the process exit status. */
int runtime_main(void);

struct wire_line;

/* Facts for the INFO record: boot=<name>, firmware, board, hart. */
void boot_describe(struct wire_line *w);

/* The pack to run: attached to the image, or named by the command line.
 * Returns NULL (and *ret_bytes = 0) when there is none. */
const void *boot_pack(size_t *ret_bytes);

/* n bytes of memory that may hold code, 64-byte aligned, writable until
 * boot_code_seal() and executable after it; NULL when there is none. */
void *boot_code_alloc(size_t n);

/* Make the code executable (and synchronised); returns 0 or -1. */
int boot_code_seal(void *p, size_t n);

/* Begin and end a quiet section: interrupts off but for the watchdog, which
 * stops a kernel that runs longer than `limit_ticks` of the REF clock. */
void boot_quiet_begin(void);
void boot_quiet_end(void);

/* Run one kernel with faults caught: 0 done, 1 faulted (*ret_fault filled).
 * `clock` selects arch_measure_core or arch_measure_ref. */
int boot_run(struct arch_run *run, enum arch_clock clock, uint64_t limit_ticks,
	     struct arch_fault *ret_fault);

/* A clock of the environment in nanoseconds from any start, to find the rate
 * of the REF clock.  Needed only where the architecture does not tell that
 * rate (x86-64); may take its time. */
uint64_t boot_time_ns(void);

/* Do others run on this core too, between two kernels and within one?  Then
 * one visit proves nothing, whatever the clock. */
bool boot_is_shared(void);

/* Leave: exit the process, power off or return to firmware.  Never returns. */
void boot_exit(int status) __attribute__((noreturn));

#endif
