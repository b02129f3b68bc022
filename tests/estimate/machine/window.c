/* The window of instructions: how many a core has in flight. */
#include <sys/mman.h>

#include "tests/estimate/machine/machine.h"

enum { SET = 1 << 28, PAIRS = 50, FAR = SET / 2 };

/* Two loads that miss all caches, and N instructions behind each.  If all of them
 * are in flight at once, so are the loads. */
#define WINDOW(N)                                                             \
	static void window_##N(void *context, enum clock_length length)       \
	{                                                                     \
		struct probe *p = context;                                    \
		void **a = p->at, **b = p->second;                            \
		unsigned long i = length == CLOCK_LONG ? PAIRS : 0;           \
                                                                              \
		for (; i > 0; i--)                                            \
			__asm__ volatile("movq (%0), %0\n\t.rept " #N         \
					 "\n\tnop\n\t.endr\n\tmovq (%1), "    \
					 "%1\n\t.rept " #N "\n\tnop\n\t.endr" \
					 : "+r"(a), "+r"(b));                 \
		p->at = a;                                                    \
		p->second = b;                                                \
	}
WINDOW(96)
WINDOW(128)
WINDOW(160)
WINDOW(192)
WINDOW(224)
WINDOW(256)
WINDOW(320)
WINDOW(384)
WINDOW(448)
WINDOW(512)
WINDOW(576)
WINDOW(640)

unsigned long machine_window(void)
{
	static const struct {
		unsigned long n;
		clock_run run;
	} windows[] = {
		{ 96, window_96 },   { 128, window_128 }, { 160, window_160 },
		{ 192, window_192 }, { 224, window_224 }, { 256, window_256 },
		{ 320, window_320 }, { 384, window_384 }, { 448, window_448 },
		{ 512, window_512 }, { 576, window_576 }, { 640, window_640 },
	};
	struct probe p = { .n = PAIRS };
	char *memory = probe_map(SET, true);
	unsigned long found = 0;
	double least = 0;

	p.at = probe_chain(memory, FAR / LINE, LINE, 0);
	p.second = probe_chain(memory + FAR, FAR / LINE, LINE, 0);
	for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		double cycles = probe_cycles(windows[i].run, &p);

		if (i == 0)
			least = cycles;
		if (cycles > 1.5 * least)
			break;
		found = windows[i].n;
	}
	(void)munmap(memory, SET);
	return found;
}
