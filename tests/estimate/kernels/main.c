/* Runs a kernel, or times it:
 *
 *	PROGRAM N ROWS run R		set up, and R repetitions
 *	PROGRAM N ROWS time A B		cycles of repetitions A + 1 to B
 *
 * The same program runs under the emulator and by itself.  Each time is that
 * of a new process, because a core learns the branches of a program: after
 * hundreds of repetitions it mispredicts fewer than in the first ones, and
 * an emulated run has only these. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/estimate/clock.h"
#include "tests/estimate/kernels/kernel.h"

enum { ROWS = 601, SECONDS = 2, LEAST = 7 };

static const clock_probes probes = 1u << CLOCK_FRONT | 1u << CLOCK_WINDOW;
static volatile float result;

static void repeat(unsigned long n)
{
	while (n-- > 0)
		result = kernel_run();
}

struct interval {
	unsigned long from, to; /* repetitions */
};

/* Units for wide vectors take up to 1.4 ms to reach their speed, and the
 * short run of a row, which is nothing else, keeps them there. */
static const double wake_seconds = 2e-3, short_seconds = 20e-6;

__attribute__((target("avx"))) static void wake(double seconds)
{
	double start = clock_now();

	do
		__asm__ volatile(
			".rept 100\n\tvmulps %%ymm0, %%ymm1, %%ymm1\n\t"
			".endr\n\tvzeroupper"
			:
			:
			: "xmm0", "xmm1");
	while (clock_now() - start < seconds);
}

static void run(void *context, enum clock_length length)
{
	const struct interval *t = context;

	if (length == CLOCK_LONG)
		repeat(t->to - t->from);
	else
		wake(short_seconds);
}

/* Replace what the branch predictors learned from the process before by a million
 * branches that are taken or not at random; what repeats after fewer is learned
 * itself, and displaces little.  Knuth's MMIX multiplier. */
static void forget(void)
{
	enum { TIMES = 1000 };
	uint64_t x = (uint64_t)(1e9 * clock_now()) | 1;

	for (int i = 0; i < TIMES; i++)
		__asm__ volatile(".rept 1000\n\timulq %1, %0\n\tbtq $40, %0\n\t"
				 "jnc 1f\n\tnop\n1:\n\t.endr"
				 : "+r"(x)
				 : "r"(UINT64_C(6364136223846793005))
				 : "cc");
}

/* In a process of its own. */
static void time_once(const struct interval *t,
		      const struct clock_silence *silence,
		      struct clock_row *row, bool *is_row)
{
	pid_t child = fork();

	if (child == 0) {
		forget();
		repeat(t->from);
		wake(wake_seconds);
		*is_row = clock_row(run, (void *)t, probes, silence, row);
		_exit(0);
	}
	if (child > 0)
		(void)waitpid(child, NULL, 0);
}

static void *shared(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	return p;
}

/* Only rows on a silent core count; 0: there are none. */
static int print_cycles(const struct interval *t)
{
	struct clock_row *row = shared(sizeof(*row));
	bool *is_row = shared(sizeof(*is_row));
	struct clock_silence silence = { { 0 } };
	double cycles[ROWS], start;
	size_t n = 0;

	clock_find_silence(probes, &silence);
	start = clock_now();
	while (n < ROWS && (n < LEAST || clock_now() - start < SECONDS) &&
	       clock_now() - start < 3 * SECONDS) {
		*is_row = false;
		time_once(t, &silence, row, is_row);
		if (*is_row && clock_is_quiet(row, probes, &silence))
			cycles[n++] = row->cycles[CLOCK_LONG];
	}
	printf("%.0f %zu\n", clock_time(cycles, n), n);
	return 0;
}

int main(int argc, char **argv)
{
	struct interval t = { 0, 0 };

	if (argc < 5)
		return 2;
	kernel_setup(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10));
	t.from = strtoul(argv[4], NULL, 10);
	if (strcmp(argv[3], "run") == 0) {
		repeat(t.from);
		return 0;
	}
	if (argc < 6)
		return 2;
	t.to = strtoul(argv[5], NULL, 10);
	if (t.to < t.from)
		return 2;
	return print_cycles(&t);
}
