/* Functions that a boot method provides to the runtime: sbi, efi, linux. One
 * folder under target/boot/<name>/ implements this and owns the entry point,
 * which relocates the image, sets up a stack and calls runtime_main(). */
#ifndef TARGET_BOOT_H
#define TARGET_BOOT_H

#include "target/arch.h"

/* core/main.c: the runtime.  Returns the process exit status. */
int runtime_main(void);

struct wire_line;

/* Facts for the INFO record: boot=<name>, firmware, board, hart. */
void boot_describe(struct wire_line *w);

/* Add what the image was made for, as far as the line has room: the last fields of
 * INFO. */
void boot_describe_image(struct wire_line *w);

/* The cores of the machine, by the numbers that the option `core` takes: the
 * hart's on RISC-V, the place among the firmware's cores elsewhere.  The i-th
 * that may run; BOOT_NO_CORE behind the last, and where cores are not the boot
 * method's business. */
uint64_t boot_core_at(size_t i);

/* The core that booted, and the one that runs; BOOT_NO_CORE: not known. */
uint64_t boot_first_core(void);
uint64_t boot_core(void);

/* Run f on the core and wait until it has returned.  While another core than the
 * first runs, the first one sleeps, and the others stay as they are.  False if
 * it did not start within a second, or is not one of the machine's: f did not
 * run and will not. */
bool boot_core_run(uint64_t core, void (*f)(void));

/* A number that is the same for cores of one kind, from their identity. */
uint64_t boot_core_kind(void);

#define BOOT_NO_CORE UINT64_MAX

/* The pack to run: attached to the image, or named by the command line. Returns
 * NULL (and *ret_bytes = 0) if there is none. */
const void *boot_pack(size_t *ret_bytes);

/* n bytes of memory for code, 64-byte aligned, writable until boot_code_seal()
 * and executable after it; NULL if there is none. */
void *boot_code_alloc(size_t n);

/* Make the code executable (and synchronised); returns 0 or -1. */
int boot_code_seal(void *p, size_t n);

/* Move sealed code to another address, and give `data`, a whole number of pages,
 * other pages at its address, where the environment can; the content of `data` is
 * lost.  Returns where the code is now: where it was, if it cannot move. */
void *boot_move(void *code, size_t n_code, void *data, size_t n_data);

/* n bytes of data memory, zero, at a multiple of 2 MiB, or in a process of a large
 * page, for packs that want more than PACK_MAX_MEMORY; NULL if there are none.
 * `huge`: in large pages where the system has some, else in the smallest; without a
 * system each address is the physical one, or is mapped to the same number, and `huge`
 * changes nothing.  The next call gives the last memory back. */
void *boot_memory(size_t n, bool huge);

/* The largest n, a power of two up to PACK_MOST_MEMORY, that boot_memory() gives;
 * 0: none.  Gives the memory of the last call back. */
size_t boot_memory_most(void);

/* Bytes of the pages that translate its addresses, by the firmware's tables; 0: a
 * process, whose host asks the system; or nothing is translated, or there are several
 * sizes.  Gives the memory of the last call back. */
uint64_t boot_page_bytes(void);

/* Make n bytes, all zero, appear at an address that is free, for kernel `owner`, a
 * number above 0: whole pages.  What appeared for another kernel is gone.  False: it
 * cannot be, or there are too many pieces. */
bool boot_appear(uint32_t owner, uint64_t at, size_t n);

/* From now on, until the runtime ends, a kernel that calls the system has a fault,
 * "syscall".  False: that cannot be, here or with this system. */
bool boot_refuse_calls(void);

/* Begin and end a quiet section: interrupts disabled except for the watchdog,
 * which stops a kernel after `limit_ticks` of the REF clock. */
void boot_quiet_begin(void);
void boot_quiet_end(void);

/* Run one kernel with faults caught: 0 done, 1 faulted (*ret_fault filled).
 * `clock` selects arch_measure_core or arch_measure_ref. */
int boot_run(struct arch_run *run, enum arch_clock clock, uint64_t limit_ticks,
	     struct arch_fault *ret_fault);

/* A clock of the environment in nanoseconds from any start, to find the rate of
 * the REF clock.  Needed only if the architecture does not give that rate
 * (x86-64); may be slow. */
uint64_t boot_time_ns(void);

/* Does other code run on this core, between kernels and during one?  Then a
 * single visit is not sufficient, with any clock. */
bool boot_is_shared(void);

/* Exit the process, power off or return to firmware.  Never returns. */
void boot_exit(int status) __attribute__((noreturn));

#endif
