/* The Linux process: declarations shared by its parts, and required from each
 * ISA.
 *
 * The runtime is a process without a C library's start-up: its own _start, raw
 * system calls, its own relocation.  No other code runs in it, so registers and
 * pages do not change between two samples. */
#ifndef BOOT_LINUX_H
#define BOOT_LINUX_H

#include "target/boot.h"

/* System calls used; each ISA's folder gives their numbers. */
enum linux_call {
	LINUX_READ,
	LINUX_WRITE,
	LINUX_OPENAT,
	LINUX_CLOSE,
	LINUX_FSTAT,
	LINUX_MMAP,
	LINUX_MUNMAP,
	LINUX_MEMFD_CREATE,
	LINUX_FTRUNCATE,
	LINUX_MREMAP,
	LINUX_MPROTECT,
	LINUX_MLOCKALL,
	LINUX_MADVISE,
	LINUX_RT_SIGACTION,
	LINUX_SIGALTSTACK,
	LINUX_SETITIMER,
	LINUX_CLOCK_GETTIME,
	LINUX_PPOLL,
	LINUX_UNAME,
	LINUX_GETCPU,
	LINUX_SCHED_SETAFFINITY,
	LINUX_SETPRIORITY,
	LINUX_PERF_EVENT_OPEN,
	LINUX_IOCTL,
	LINUX_EXIT_GROUP,
	LINUX_PRCTL,
	LINUX_SECCOMP,
	LINUX_RT_SIGRETURN,
	LINUX_N_CALLS,
};

/* ---- per ISA ------------------------------------------------------------ */

extern const uint16_t linux_numbers[LINUX_N_CALLS];

/* Offset of st_size in struct stat. */
extern const uint16_t linux_stat_size_offset;

/* Raw call by number; negative errno on failure.  The one place that calls the
 * system, but for returns from signals: the address behind the instruction. */
long linux_raw(long number, long a, long b, long c, long d, long e, long f);
extern char linux_raw_called[] __attribute__((visibility("hidden")));

/* The kernel's name of this ABI, and bytes of the instruction that calls it. */
extern const uint32_t linux_audit_arch;
extern const uint8_t linux_call_bytes;

/* Keys of /proc/cpuinfo that identify the core or its firmware, up to NULL. */
extern const char *const linux_cpuinfo_keys[];

/* A number that identifies the core, in a file of the CPU's folder in sysfs;
 * NULL: there is none. */
extern const char *const linux_id_key, *const linux_id_file;

/* struct sigaction of the kernel for this handler and these flags, in at most
 * LINUX_SIGACTION_WORDS words. */
enum { LINUX_SIGACTION_WORDS = 4 };
void linux_sigaction(uint64_t *words, void *handler, uint64_t flags);

/* The one relocation type a position-independent image needs: base + addend. */
extern const uint32_t linux_relative;

/* Accesses of the signal handler to the interrupted state. */
uint64_t linux_context_pc(const void *context);
uint64_t linux_context_sp(const void *context);
/* The hardware's number of the fault; `si_code` if there is none. */
uint64_t linux_context_code(const void *context, int si_code);
/* Continue at arch_measure_abort with `run` as its argument. */
void linux_context_abort(void *context, struct arch_run *run);

/* ---- shared ------------------------------------------------------------- */

static inline long linux_call(enum linux_call call, long a, long b, long c,
			      long d, long e, long f)
{
	return linux_raw(linux_numbers[call], a, b, c, d, e, f);
}

/* _start's C half: `stack` is the initial stack with argc, argv, envp, auxv. */
void linux_main(uint64_t *stack) __attribute__((noreturn));

/* Apply the image's relocations; `stack` as above. */
void linux_relocate(const uint64_t *stack);

/* Bytes of a page of the system; 0: it does not say. */
uint64_t linux_page_bytes(const uint64_t *stack);

/* Install signal handlers and watchdog; returns 0 or negative errno. */
long linux_catch_signals(void);

struct linux_options {
	const char *pack;
	bool pin; /* to `cpu`, else to the CPU it starts on */
	uint32_t cpu;
};

/* Parse argv; false after a message on stderr. */
bool linux_parse(char **argv, struct linux_options *ret);

/* Choose a CPU and raise the priority.  Each step may be refused;
 * boot_describe() reports the CPU.  False, after a message, only if the
 * requested CPU is refused. */
bool linux_settle(const struct linux_options *o);

/* The system has pages of so many bytes, so boot_memory() aligns to its
 * large pages: one has as many pages as a page has entries of 8 bytes.  0: not
 * known, and they are taken for 4 KiB. */
void linux_use_pages(uint64_t page_bytes);

/* Map the pack file; false after a message on stderr. */
bool linux_map_pack(const char *path);

/* Make the page of `address` appear for the kernel that runs (pages.c).  False:
 * it cannot be. */
bool linux_add_page(const struct arch_run *run, uint64_t address);

/* Let the kernel count this process's cycles and instructions; false if it
 * refuses or has no such counters. */
bool linux_perf_open(void);

/* arch_measure_ref() between two readings of those counts, which replace the
 * clock's in `run`. */
int linux_perf_measure(struct arch_run *run);

/* Write a message to stderr. */
void linux_complain(const char *what, const char *name, const char *expected);

/* Read up to n bytes of a file; the count, or negative errno. */
long linux_read_file(const char *path, char *bytes, size_t n);

#endif
