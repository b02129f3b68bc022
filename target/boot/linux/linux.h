/* The Linux process: what its parts share, and what each ISA must add.
 *
 * The runtime is a process without a C library's start-up: its own _start,
 * raw system calls, its own relocation.  Nothing runs in it but what stands
 * here, so nothing else can touch registers or pages between two samples. */
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
	LINUX_MPROTECT,
	LINUX_MLOCKALL,
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
	LINUX_N_CALLS,
};

/* ---- per ISA ------------------------------------------------------------ */

extern const uint16_t linux_numbers[LINUX_N_CALLS];

/* Offset of st_size in struct stat. */
extern const uint16_t linux_stat_size_offset;

/* Raw call by number; negative errno on failure. */
long linux_raw(long number, long a, long b, long c, long d, long e, long f);

/* The line of /proc/cpuinfo that names the CPU's firmware, or NULL. */
extern const char *const linux_microcode_key;

/* struct sigaction of the kernel for this handler and these flags, in at most
 * LINUX_SIGACTION_WORDS words. */
enum { LINUX_SIGACTION_WORDS = 4 };
void linux_sigaction(uint64_t *words, void *handler, uint64_t flags);

/* The one relocation type a position-independent image needs: base + addend. */
extern const uint32_t linux_relative;

/* What the signal handler asks of the interrupted state. */
uint64_t linux_context_pc(const void *context);
uint64_t linux_context_sp(const void *context);
/* The hardware's own number for the fault; `si_code` where there is none. */
uint64_t linux_context_code(const void *context, int si_code);
/* Go on at arch_measure_abort with `run` as its argument. */
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

/* Signals and watchdog on; returns 0 or negative errno. */
long linux_catch_signals(void);

struct linux_options {
	const char *pack;
	bool pin; /* to `cpu`, else to the CPU it starts on */
	uint32_t cpu;
};

/* Parse argv; false after a message on stderr. */
bool linux_parse(char **argv, struct linux_options *ret);

/* Quiet place to run: one CPU, priority.  Best effort: each may be refused,
 * and boot_describe() tells which CPU it became.  False,
 * after a message, only when the CPU that was asked for is refused. */
bool linux_settle(const struct linux_options *o);

/* Map the pack file; false after a message on stderr. */
bool linux_map_pack(const char *path);

/* Have the kernel count this process's cycles and instructions; false when it
 * does not allow that or has no such counters. */
bool linux_perf_open(void);

/* arch_measure_ref() between two readings of those counts, which take the place
 * of the clock's in `run`. */
int linux_perf_measure(struct arch_run *run);

/* Write a message to stderr. */
void linux_complain(const char *what, const char *name, const char *expected);

/* Read up to n bytes of a file; the count, or negative errno. */
long linux_read_file(const char *path, char *bytes, size_t n);

#endif
