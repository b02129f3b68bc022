/* A child that stops itself is stepped from there on. */
#include "tests/validate/steps.h"

#include <elf.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* Its name differs between architectures. */
static uint64_t program_counter(pid_t child)
{
	struct user_regs_struct r;
	struct iovec v = { &r, sizeof(r) };

	if (ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &v) != 0)
		return 0;
#if defined(__x86_64__)
	return r.rip;
#else
	return r.pc;
#endif
}

static bool stepped(pid_t child, int *status)
{
	return ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) == 0 &&
	       waitpid(child, status, 0) == child && WIFSTOPPED(*status);
}

static bool trace_steps(pid_t child, uint64_t first, size_t n, uint32_t *order,
			size_t *ret_n)
{
	int status;

	*ret_n = 0;
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	for (long i = 0; i < STEPS_MAX && stepped(child, &status); i++) {
		uint64_t at = program_counter(child);

		if (at >= first && at < first + n)
			order[(*ret_n)++] = (uint32_t)(at - first);
	}
	if (WIFSTOPPED(status)) {
		(void)kill(child, SIGKILL);
		(void)waitpid(child, &status, 0);
	}
	return *ret_n > 0;
}

/* Both sides run on one CPU: to wake another one for each step costs more than
 * the step. */
static void share_cpu(void)
{
	int cpu = sched_getcpu();
	cpu_set_t here;

	if (cpu < 0)
		return;
	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	(void)sched_setaffinity(0, sizeof(here), &here);
}

bool steps_trace(void (*call)(void *context), void *context, const void *code,
		 size_t n, uint32_t *order, size_t *ret_n)
{
	cpu_set_t before;
	bool known = sched_getaffinity(0, sizeof(before), &before) == 0, seen;
	pid_t child;

	share_cpu();
	child = fork();
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			_exit(1);
		(void)raise(SIGSTOP);
		call(context);
		_exit(0);
	}
	seen = trace_steps(child, (uint64_t)(uintptr_t)code, n, order, ret_n);
	if (known)
		(void)sched_setaffinity(0, sizeof(before), &before);
	return seen;
}
