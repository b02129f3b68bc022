/* x86-64: call numbers (arch/x86/entry/syscalls/syscall_64.tbl of the kernel)
 * and the layout of struct ucontext (its asm/sigcontext.h). */
#include "target/boot/linux/linux.h"

extern char linux_restorer[];

const uint16_t linux_numbers[LINUX_N_CALLS] = {
	[LINUX_READ] = 0,
	[LINUX_WRITE] = 1,
	[LINUX_OPENAT] = 257,
	[LINUX_CLOSE] = 3,
	[LINUX_FSTAT] = 5,
	[LINUX_MMAP] = 9,
	[LINUX_MUNMAP] = 11,
	[LINUX_MEMFD_CREATE] = 319,
	[LINUX_FTRUNCATE] = 77,
	[LINUX_MREMAP] = 25,
	[LINUX_MPROTECT] = 10,
	[LINUX_MLOCKALL] = 151,
	[LINUX_MADVISE] = 28,
	[LINUX_RT_SIGACTION] = 13,
	[LINUX_SIGALTSTACK] = 131,
	[LINUX_SETITIMER] = 38,
	[LINUX_CLOCK_GETTIME] = 228,
	[LINUX_PPOLL] = 271,
	[LINUX_UNAME] = 63,
	[LINUX_GETCPU] = 309,
	[LINUX_SCHED_SETAFFINITY] = 203,
	[LINUX_PERF_EVENT_OPEN] = 298,
	[LINUX_IOCTL] = 16,
	[LINUX_SETPRIORITY] = 141,
	[LINUX_EXIT_GROUP] = 231,
	[LINUX_PRCTL] = 157,
	[LINUX_SECCOMP] = 317,
	[LINUX_RT_SIGRETURN] = 15,
};

/* linux/audit.h */
const uint32_t linux_audit_arch = 0xc000003e;
const uint8_t linux_call_bytes = 2;

const uint16_t linux_stat_size_offset = 48;

const char *const linux_cpuinfo_keys[] = { "microcode", NULL };
const char *const linux_id_key = NULL, *const linux_id_file = NULL;

/* R_X86_64_RELATIVE */
const uint32_t linux_relative = 8;

enum {
	SA_RESTORER = 0x04000000,
	/* uc_flags, uc_link, uc_stack come before the registers, which count
	 * r8..r15 rdi rsi rbp rbx rdx rax rcx rsp rip eflags segs err trapno.
	 */
	REGS = 40 / 8,
	RDI = REGS + 8,
	RSP = REGS + 15,
	RIP = REGS + 16,
	EFLAGS = REGS + 17,
	TRAPNO = REGS + 20,
	/* TF, DF and AC: the runtime expects them clear. */
	UNWANTED_FLAGS = 0x100 | 0x400 | 0x40000,
};

void linux_sigaction(uint64_t *words, void *handler, uint64_t flags)
{
	words[0] = (uintptr_t)handler;
	words[1] = flags | SA_RESTORER;
	words[2] = (uintptr_t)linux_restorer;
	words[3] = 0;
}

uint64_t linux_context_pc(const void *context)
{
	return ((const uint64_t *)context)[RIP];
}

uint64_t linux_context_sp(const void *context)
{
	return ((const uint64_t *)context)[RSP];
}

uint64_t linux_context_code(const void *context, int si_code)
{
	(void)si_code;
	return ((const uint64_t *)context)[TRAPNO];
}

void linux_context_abort(void *context, struct arch_run *run)
{
	uint64_t *c = context;

	c[RIP] = (uintptr_t)arch_measure_abort;
	c[RDI] = (uintptr_t)run;
	c[EFLAGS] &= ~(uint64_t)UNWANTED_FLAGS;
}
