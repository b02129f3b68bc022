/* See board.h. */
#include "tests/adversary/board.h"

#include "target/boot.h"
#include "target/core/clock.h"
#include "target/core/slot.h"

static struct {
	struct core *core;
	const struct kernels *kernels;
	int streak; /* lengths in order, undisturbed */
	unsigned clean_rows;
} board;

void board_attach(struct core *c, const struct kernels *k)
{
	board.core = c;
	board.kernels = k;
	board.streak = 0;
	board.clean_rows = 0;
}

unsigned board_clean_rows(void)
{
	unsigned n = board.clean_rows;

	board.clean_rows = 0;
	return n;
}

static void count_clean(int length, bool clean)
{
	if (length == 0)
		board.streak = 0;
	if (clean && board.streak == length)
		board.streak++;
	else
		board.streak = 0;
	if (length == SLOT_LONG && board.streak == PACK_LENGTHS)
		board.clean_rows++;
}

/* ---- target/core/clock.h, target/arch.h, target/boot.h ------------------- */

uint64_t clock_ticks(uint64_t ns)
{
	uint64_t ticks = (uint64_t)((double)ns * board.core->m->tsc_ghz);

	return ticks ? ticks : 1;
}

uint64_t clock_step(void)
{
	return board.core->step_ticks;
}

uint64_t arch_ref_now(void)
{
	const double ns = 10;

	core_idle(board.core, ns);
	return core_ticks(board.core);
}

void boot_quiet_begin(void)
{
}

void boot_quiet_end(void)
{
}

/* ---- target/core/slot.h -------------------------------------------------- */

bool slot_open(const void *pack, enum arch_clock clock, uint64_t limit)
{
	(void)limit;
	return pack == &board.kernels->pack && clock == ARCH_CLOCK_REF;
}

void slot_move(void)
{
	board.core->place++;
}

void slot_load(struct slot *s, uint32_t index)
{
	s->kernel = &board.kernels->pack.table[index];
	slot_iterations(s, 1);
}

void slot_iterations(struct slot *s, uint64_t n)
{
	s->image.gpr[s->kernel->counter] = n;
}

bool slot_run(struct slot *s, int length, uint64_t *ret_ticks)
{
	const double loop_cycles = 2;
	size_t index = (size_t)(s->kernel - board.kernels->pack.table);
	const struct kernel *k = &board.kernels->list[index];
	double n = (double)s->image.gpr[s->kernel->counter];
	struct core_run r = core_run(
		board.core, k,
		n * (loop_cycles + k->cycles * s->kernel->unroll[length]));

	s->run[length].begin = r.begin;
	s->run[length].end = r.end;
	if (index >= KERNEL_FIRST)
		count_clean(length, r.clean);
	*ret_ticks = r.end - r.begin;
	return true;
}

bool slot_run_empty(const struct slot *s, uint64_t *ret_ticks)
{
	enum { RUNS = 8 };

	(void)s;
	*ret_ticks = UINT64_MAX;
	for (int i = 0; i < RUNS; i++) {
		struct core_run r = core_run(board.core, NULL, 0);

		if (r.end - r.begin < *ret_ticks)
			*ret_ticks = r.end - r.begin;
	}
	return true;
}

const struct arch_fault *slot_fault(void)
{
	static const struct arch_fault none = { .cause = "none" };

	return &none;
}
