/* PROGRAM N ROWS R: runs a kernel R times, so that simulations of the same program
 * in different processes find its lines in the same sets: on a stack that begins
 * at the same place in a page whatever the environment, and with arrays
 * (-Daligned_alloc=once_alloc) at fixed addresses, as systems map memory up or
 * down. */
#include <alloca.h>

#include "kernel.h"

enum { PAGE = 4096, STACK = 16, SPACE = 64 << 20 };

static volatile float result;

void *once_alloc(size_t align, size_t n);

void *once_alloc(size_t align, size_t n)
{
	static char space[SPACE] __attribute__((aligned(1 << 16)));
	static size_t used;
	void *p = space + used;

	n = (n + align - 1) / align * align;
	if (n > SPACE - used)
		return NULL;
	used += n;
	return p;
}

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
