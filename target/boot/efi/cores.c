/* Runs the runtime on another core than the one that the firmware booted; see
 * boot.h and cores.h.
 *
 *	first core                      other core
 *	    called = its number --------> called = 0
 *	    sleep                          session
 *	    run a call <-----------------  firmware is needed: wait
 *	    <----------------------------  is_running = false; stopped
 *
 * The one that changes `called` back first wins: the core that comes up, or the first one,
 * which gives it up after a second. */
#include "target/boot/efi/cores.h"

#include <string.h>

#include "target/boot.h"
#include "target/boot/efi/machine.h"
#include "target/core/clock.h"

enum {
	NS_PER_S = 1000 * 1000 * 1000,
	SINK_BYTES = 64 * 1024,
};

static struct {
	bool is_known;
	size_t n;
	uint64_t first, now;
	uint64_t numbers[CORES_MAX];
	uint64_t called; /* the number plus one; 0: none, or it is up */
	bool is_running;
	void (*run)(void);
	void (*call)(void); /* to be run by the first core; NULL: none */
	struct {
		char *bytes; /* SINK_BYTES; NULL: no memory */
		size_t n;
		void (*write)(const char *bytes, size_t n);
	} sinks[N_SINKS];
} cores;

static void cores_find(void)
{
	if (cores.is_known)
		return;
	cores.is_known = true;
	cores.n = machine_cores(cores.numbers, &cores.first);
	if (cores.n == 0) {
		cores.first = 0;
		cores.n = 1;
		cores.numbers[0] = 0;
	}
	cores.now = cores.first;
}

uint64_t boot_core_at(size_t i)
{
	cores_find();
	return i < cores.n ? cores.numbers[i] : BOOT_NO_CORE;
}

uint64_t boot_first_core(void)
{
	cores_find();
	return cores.first;
}

uint64_t boot_core(void)
{
	cores_find();
	return cores.now;
}

bool cores_are_first(void)
{
	return cores.now == cores.first;
}

uint64_t boot_core_kind(void)
{
	return machine_kind();
}

/* ---- the other core ------------------------------------------------------ */

static bool change_called(uint64_t from)
{
	return __atomic_compare_exchange_n(&cores.called, &from, 0, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void cores_enter(void)
{
	machine_core_begin();
	cores.run();
	__atomic_store_n(&cores.is_running, false, __ATOMIC_SEQ_CST);
}

void cores_on_first(void (*f)(void))
{
	if (cores_are_first()) {
		f();
		return;
	}
	__atomic_store_n(&cores.call, f, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&cores.call, __ATOMIC_SEQ_CST))
		continue;
}

/* Runs on the first core. */
static void empty_sinks(void)
{
	for (size_t i = 0; i < N_SINKS; i++) {
		if (cores.sinks[i].n > 0)
			cores.sinks[i].write(cores.sinks[i].bytes,
					     cores.sinks[i].n);
		cores.sinks[i].n = 0;
	}
}

/* Sinks are emptied before each call. */
static void nothing(void)
{
}

void cores_keep(enum cores_sink sink,
		void (*write)(const char *bytes, size_t n), const char *bytes,
		size_t n)
{
	if (!cores.sinks[sink].bytes || n > SINK_BYTES)
		return;
	if (n > SINK_BYTES - cores.sinks[sink].n)
		cores_on_first(nothing);
	memcpy(cores.sinks[sink].bytes + cores.sinks[sink].n, bytes, n);
	cores.sinks[sink].n += n;
	cores.sinks[sink].write = write;
}

/* ---- the first core ------------------------------------------------------ */

/* On the first core, before another one runs. */
static void allocate_sinks(void)
{
	for (size_t i = 0; i < N_SINKS; i++) {
		uint64_t address = 0;

		if (!cores.sinks[i].bytes &&
		    machine_system()->boot->allocate_pages(
			    EFI_ALLOCATE_ANY, EFI_LOADER_DATA,
			    SINK_BYTES / EFI_PAGE, &address) == 0)
			cores.sinks[i].bytes = (char *)(uintptr_t)address;
	}
}

static bool is_up(uint64_t core)
{
	uint64_t limit = clock_ticks(NS_PER_S), begin = arch_ref_now();

	while (__atomic_load_n(&cores.called, __ATOMIC_SEQ_CST) != 0) {
		if (arch_ref_now() - begin > limit && change_called(core + 1))
			return false;
		machine_rest();
	}
	return true;
}

/* Sleep until the other core has ended; run what it needs of the firmware. */
static void attend(void)
{
	while (__atomic_load_n(&cores.is_running, __ATOMIC_SEQ_CST)) {
		void (*call)(void) =
			__atomic_load_n(&cores.call, __ATOMIC_SEQ_CST);

		if (!call) {
			machine_rest();
			continue;
		}
		machine_wait_end();
		empty_sinks();
		call();
		machine_wait_begin();
		__atomic_store_n(&cores.call, NULL, __ATOMIC_SEQ_CST);
	}
}

static bool has_core(uint64_t core)
{
	for (size_t i = 0; i < cores.n; i++)
		if (cores.numbers[i] == core)
			return true;
	return false;
}

bool boot_core_run(uint64_t core, void (*f)(void))
{
	bool done = false;

	if (core == boot_first_core()) {
		f();
		return true;
	}
	if (!has_core(core) || !machine_core_prepare(core))
		return false;
	allocate_sinks();
	cores.run = f;
	cores.is_running = true;
	machine_wait_begin();
	cores.now = core;
	__atomic_store_n(&cores.called, core + 1, __ATOMIC_SEQ_CST);
	if (machine_core_start(core, (uintptr_t)&cores.called) && is_up(core)) {
		attend();
		done = true;
	}
	cores.called = 0;
	cores.now = cores.first;
	machine_wait_end();
	empty_sinks();
	return done;
}
