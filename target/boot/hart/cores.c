/* Runs the runtime on another hart than the one that booted; see boot.h.
 *
 *	first hart                      other hart
 *	    hart_called = its number ----> hart_called = 0 (trap.S)
 *	    sleep                          session
 *	    <--------------------------- is_running = false, interrupt; stopped
 *
 * The one that changes hart_called back first wins: the hart that comes up, or the first
 * one, which gives it up after a second.  The harts share all memory, and none of
 * it is used by both at a time but this state.  The trap vector and stack are
 * those of the hart that is awake. */
#include "target/boot.h"

#include "csr.h"
#include "target/arch/riscv64/units.h"
#include "target/boot/bare/fix.h"
#include "target/boot/hart/env.h"
#include "target/boot/hart/platform.h"
#include "target/boot/relocate.h"
#include "target/core/clock.h"

#define TEXT_OF(word) #word
#define TEXT(word)    TEXT_OF(word)

enum { NS_PER_S = 1000 * 1000 * 1000, RESTS = 10 * 1000 };

extern IMAGE_SYMBOL char trap_entry[], hart_entry[];
extern IMAGE_SYMBOL uint64_t hart_called;
void hart_main(uint64_t hart) __attribute__((noreturn));

/* The number of the hart that is to come up, plus one; 0: none, or it is up. */
uint64_t hart_called;

static struct {
	bool is_running;
	void (*run)(void);
} other;

void hart_main(uint64_t hart)
{
	__asm__ volatile("csrw " TEXT(CSR_TVEC) ", %0" : : "r"(trap_entry));
	fix_start(platform_tree());
	platform_enter(hart);
	other.run();
	platform_enter(platform_first());
	__atomic_store_n(&other.is_running, false, __ATOMIC_SEQ_CST);
	env_hart_wake(platform_first());
	env_hart_leave();
}

/* Rest for a moment: an emulator may run one hart at a time, as long as that one
 * does not wait. */
static void rest(void)
{
	if (!units_have_time())
		return;
	env_set_timer(arch_ref_now() + clock_ticks(NS_PER_S / RESTS));
	__asm__ volatile("csrw " TEXT(CSR_IE) ", %0\n\twfi\n\tcsrw " TEXT(
				 CSR_IE) ", zero"
			 :
			 : "r"(UINT64_C(1) << TIMER_CAUSE)
			 : "memory");
	env_set_timer(UINT64_MAX);
}

/* The hart that was called is up, or is given up after a second. */
static bool is_up(uint64_t called)
{
	uint64_t limit = clock_ticks(NS_PER_S), begin = arch_ref_now();

	while (__atomic_load_n(&hart_called, __ATOMIC_SEQ_CST) != 0)
		if (arch_ref_now() - begin > limit &&
		    __atomic_compare_exchange_n(&hart_called, &called, 0, false,
						__ATOMIC_SEQ_CST,
						__ATOMIC_SEQ_CST))
			return false;
		else
			rest();
	return true;
}

static bool has_hart(uint64_t hart)
{
	for (size_t i = 0; boot_core_at(i) != BOOT_NO_CORE; i++)
		if (boot_core_at(i) == hart)
			return true;
	return false;
}

bool boot_core_run(uint64_t core, void (*f)(void))
{
	if (core == platform_first()) {
		f();
		return true;
	}
	if (!has_hart(core))
		return false;
	other.run = f;
	other.is_running = true;
	__atomic_store_n(&hart_called, core + 1, __ATOMIC_SEQ_CST);
	if (!env_hart_start(core, hart_entry) || !is_up(core + 1)) {
		hart_called = 0;
		return false;
	}
	while (__atomic_load_n(&other.is_running, __ATOMIC_SEQ_CST))
		env_hart_sleep();
	return true;
}

uint64_t boot_core_at(size_t i)
{
	return platform_hart_at(i);
}

uint64_t boot_first_core(void)
{
	return platform_first();
}

uint64_t boot_core(void)
{
	return platform_hart();
}

uint64_t boot_core_kind(void)
{
	return platform_kind();
}
