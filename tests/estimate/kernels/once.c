/* PROGRAM N ROWS R: runs a kernel R times, on a stack that begins at the same
 * place in a page whatever the environment: so simulations of the same program
 * in different processes find its lines in the same sets. */
#include <alloca.h>

#include "kernel.h"

enum { PAGE = 4096, STACK = 16 };

static volatile float result;

__attribute__((noinline)) static void run(char **argv)
{
	kernel_setup(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10));
	for (unsigned long r = strtoul(argv[3], NULL, 10); r > 0; r--)
		result = kernel_run();
}

int main(int argc, char **argv)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	volatile char *space;

	if (argc < 4)
		return 2;
	space = alloca((here & (PAGE - STACK)) + STACK);
	space[0] = 0;
	run(argv);
	return space[0];
}
