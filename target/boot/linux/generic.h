/* Call numbers common to ISAs added to Linux after 2010: those of
 * include/uapi/asm-generic/unistd.h of the kernel.  Included once per ISA. */
#ifndef BOOT_LINUX_GENERIC_H
#define BOOT_LINUX_GENERIC_H

#include "target/boot/linux/linux.h"

const uint16_t linux_numbers[LINUX_N_CALLS] = {
	[LINUX_READ] = 63,
	[LINUX_WRITE] = 64,
	[LINUX_OPENAT] = 56,
	[LINUX_CLOSE] = 57,
	[LINUX_FSTAT] = 80,
	[LINUX_MMAP] = 222,
	[LINUX_MUNMAP] = 215,
	[LINUX_MEMFD_CREATE] = 279,
	[LINUX_FTRUNCATE] = 46,
	[LINUX_MREMAP] = 216,
	[LINUX_MPROTECT] = 226,
	[LINUX_MLOCKALL] = 230,
	[LINUX_MADVISE] = 233,
	[LINUX_RT_SIGACTION] = 134,
	[LINUX_SIGALTSTACK] = 132,
	[LINUX_SETITIMER] = 103,
	[LINUX_CLOCK_GETTIME] = 113,
	[LINUX_PPOLL] = 73,
	[LINUX_UNAME] = 160,
	[LINUX_GETCPU] = 168,
	[LINUX_SCHED_SETAFFINITY] = 122,
	[LINUX_PERF_EVENT_OPEN] = 241,
	[LINUX_IOCTL] = 29,
	[LINUX_SETPRIORITY] = 140,
	[LINUX_EXIT_GROUP] = 94,
	[LINUX_PRCTL] = 167,
	[LINUX_SECCOMP] = 277,
	[LINUX_RT_SIGRETURN] = 139,
};

const uint8_t linux_call_bytes = 4;

/* asm-generic/stat.h */
const uint16_t linux_stat_size_offset = 48;

enum {
	/* struct ucontext: uc_flags, uc_link, uc_stack, a signal mask with
	 * room for 1024 signals; the registers follow, 16-byte aligned. */
	CONTEXT_REGS = (40 + 128 + 8) / 8,
};

#endif
