/* Faults and the watchdog of a process are signals.  The handler records the
 * fault and makes the interrupted context continue at arch_measure_abort; the
 * kernel's return from the signal restores the rest.
 *
 * The watchdog is one periodic timer for the life of the process, because
 * arming one per sample would cost more than the sample.  It counts processor
 * time, so that other programs do not make a kernel look endless. */
#include "target/boot/linux/linux.h"

enum {
	/* Signal numbers and flags are the same on all supported Linux ABIs. */
	SIGILL = 4,
	SIGTRAP = 5,
	SIGBUS = 7,
	SIGFPE = 8,
	SIGSEGV = 11,
	SIGPIPE = 13,
	SIGPROF = 27,
	SIGSYS = 31,
	SA_SIGINFO = 0x4,
	SA_ONSTACK = 0x08000000,
	SA_RESTART = 0x10000000,
	BUS_ADRALN = 1,
	ITIMER_PROF = 2,
	WATCHDOG_US = 50 * 1000,
	/* A signal may come at any time of a run; between two signals the run
	 * had the processor for WATCHDOG_US. */
	HANG_SIGNALS = 2,
	SIGSET_BYTES = 8,
	/* AVX-512 and AMX state of a signal frame is 11 KiB. */
	STACK_BYTES = 64 * 1024,
};

#define SIG_DFL ((void *)0)
#define SIG_IGN ((void *)1)

struct siginfo {
	int signo, error, code, pad;
	uint64_t address;
};

static struct {
	struct arch_run *volatile run; /* the kernel being run, or NULL */
	volatile uint64_t deadline;
	volatile unsigned n_signals; /* signals of the watchdog in this run */
	struct arch_fault fault;
	unsigned char stack[STACK_BYTES] __attribute__((aligned(16)));
} state;

static long set_handler(int signal, void *handler)
{
	uint64_t words[LINUX_SIGACTION_WORDS] = { 0 };

	linux_sigaction(words, handler, SA_SIGINFO | SA_ONSTACK | SA_RESTART);
	return linux_call(LINUX_RT_SIGACTION, signal, (long)words, 0,
			  SIGSET_BYTES, 0, 0);
}

static const char *cause_of(int signal, int code)
{
	switch (signal) {
	case SIGILL:
		return "illegal";
	case SIGSEGV:
		return "access";
	case SIGBUS:
		return code == BUS_ADRALN ? "align" : "access";
	case SIGFPE:
		return "fpe";
	case SIGTRAP:
		return "trap";
	case SIGPROF:
		return "hang";
	case SIGSYS:
		return "syscall";
	default:
		return "other";
	}
}

/* Own code may leave its stack pointer anywhere. */
static bool is_live(const struct arch_run *run, const void *context)
{
	return run->pages ? run->saved_sp != 0
			  : arch_run_is_live(run, linux_context_sp(context));
}

/* Does the timer's signal end this kernel? */
static bool is_hang(const struct arch_run *run, const void *context)
{
	return run && ++state.n_signals >= HANG_SIGNALS &&
	       arch_ref_now() >= state.deadline && is_live(run, context);
}

static void on_signal(int signal, const struct siginfo *info, void *context)
{
	struct arch_run *run = state.run;

	if (signal == SIGPROF && !is_hang(run, context))
		return;
	if (!run) {
		/* A bug of the runtime: terminate with the signal, so that the
		 * host sees it. */
		(void)set_handler(signal, SIG_DFL);
		return;
	}
	if (signal == SIGSEGV && run->pages &&
	    linux_add_page(run, info->address))
		return;
	state.fault = (struct arch_fault){
		.cause = cause_of(signal, info->code),
		.pc = linux_context_pc(context),
	};
	/* The system saw the call when the instruction was over. */
	if (signal == SIGSYS)
		state.fault.pc -= linux_call_bytes;
	if (signal != SIGPROF) {
		state.fault.code = linux_context_code(context, info->code);
		state.fault.address = info->address;
	}
	state.run = NULL;
	linux_context_abort(context, run);
}

long linux_catch_signals(void)
{
	static const int faults[] = { SIGILL,  SIGTRAP, SIGBUS, SIGFPE,
				      SIGSEGV, SIGPROF, SIGSYS };
	const uint64_t stack[] = { (uintptr_t)state.stack, 0, STACK_BYTES };
	const uint64_t every[] = { 0, WATCHDOG_US, 0, WATCHDOG_US };
	long ret = linux_call(LINUX_SIGALTSTACK, (long)stack, 0, 0, 0, 0, 0);

	for (size_t i = 0; ret >= 0 && i < ARRAY_LEN(faults); i++)
		ret = set_handler(faults[i], (void *)on_signal);
	/* If the host is gone, writes fail. */
	if (ret >= 0)
		ret = set_handler(SIGPIPE, SIG_IGN);
	if (ret >= 0)
		ret = linux_call(LINUX_SETITIMER, ITIMER_PROF, (long)every, 0,
				 0, 0, 0);
	return ret;
}

int boot_run(struct arch_run *run, enum arch_clock clock, uint64_t limit_ticks,
	     struct arch_fault *ret_fault)
{
	int faulted;

	run->saved_sp = 0;
	state.n_signals = 0;
	state.deadline = arch_ref_now() + limit_ticks;
	state.run = run;
	if (clock == ARCH_CLOCK_CORE)
		faulted = linux_perf_measure(run);
	else
		faulted = arch_measure_ref(run);
	state.run = NULL;
	if (faulted)
		*ret_fault = state.fault;
	return faulted;
}

/* A process cannot disable interrupts; the sandwich compensates for them. */
void boot_quiet_begin(void)
{
}

void boot_quiet_end(void)
{
}
