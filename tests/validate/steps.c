/* A child that stops itself is stepped from there on. */
#include "tests/validate/steps.h"

#include <elf.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_STEPS = 400000 };

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

bool steps_count(void (*call)(void *context), void *context, const void *code,
		 size_t n, uint32_t *hits)
{
	uint64_t first = (uint64_t)(uintptr_t)code;
	bool seen = false;
	pid_t child;
	int status;

	memset(hits, 0, n * sizeof(*hits));
	child = fork();
	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			_exit(1);
		(void)raise(SIGSTOP);
		call(context);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	for (long i = 0; i < MAX_STEPS && stepped(child, &status); i++) {
		uint64_t at = program_counter(child);

		if (at >= first && at < first + n) {
			hits[at - first]++;
			seen = true;
		}
	}
	if (WIFSTOPPED(status)) {
		(void)kill(child, SIGKILL);
		(void)waitpid(child, &status, 0);
	}
	return seen;
}
