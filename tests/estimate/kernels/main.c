/* Runs a kernel, or times it:
 *
 *	PROGRAM N ROWS run R		set up, and R repetitions
 *	PROGRAM N ROWS time A B		cycles of B repetitions less those of A
 *
 * The same program runs under the emulator and by itself. */
#include <stdio.h>
#include <string.h>

#include "tests/estimate/kernels/kernel.h"
#include "tests/validate/clock.h"

enum { ROWS = 601, SECONDS = 2, LEAST = 7 };

static volatile float result;

static void repeat(unsigned long n)
{
	while (n-- > 0)
		result = kernel_run();
}

static unsigned long lengths[CLOCK_N];

static void run(void *context, enum clock_length length)
{
	(void)context;
	repeat(lengths[length]);
}

/* Only rows on a silent core count; 0: there are none. */
static int print_cycles(void)
{
	static struct clock_row rows[ROWS];
	static const clock_probes probes =
		1u << CLOCK_FRONT | 1u << CLOCK_WINDOW;
	struct clock_silence silence = { { 0 } };
	double cycles[CLOCK_N][ROWS], start;
	size_t n = 0, n_quiet = 0;

	clock_find_silence(probes, &silence);
	start = clock_now();
	while (n < ROWS && (n < LEAST || clock_now() - start < SECONDS) &&
	       clock_now() - start < 3 * SECONDS)
		n += clock_row(run, NULL, probes, &silence, &rows[n]);
	for (size_t i = 0; i < n; i++) {
		if (!clock_is_quiet(&rows[i], probes, &silence))
			continue;
		for (int l = 0; l < CLOCK_N; l++)
			cycles[l][n_quiet] = rows[i].cycles[l];
		n_quiet++;
	}
	printf("%.0f %zu\n",
	       clock_time(cycles[CLOCK_LONG], n_quiet) -
		       clock_time(cycles[CLOCK_SHORT], n_quiet),
	       n_quiet);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	kernel_setup(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10));
	lengths[CLOCK_SHORT] = strtoul(argv[4], NULL, 10);
	if (strcmp(argv[3], "run") == 0) {
		repeat(lengths[CLOCK_SHORT]);
		return 0;
	}
	if (argc < 6)
		return 2;
	lengths[CLOCK_LONG] = strtoul(argv[5], NULL, 10);
	return print_cycles();
}
