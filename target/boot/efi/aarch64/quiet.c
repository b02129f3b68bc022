/* The quiet section on AArch64: all interrupts masked, the runtime's own
 * vectors.
 *
 * The watchdog uses the generic timer that the firmware ticks with: its
 * interrupt is already routed.  Whether it arrives is tried once, by letting
 * the timer expire.  All other interrupts that the firmware enabled are
 * disabled at the controller.  While a kernel runs, IRQs are unmasked and the
 * timer is set to the deadline.  When the timer fires, masking it at the timer
 * clears the level-triggered request; it is never acknowledged.  At the end the
 * firmware's timer is restored, a few ticks late.
 *
 * An interrupt that is neither the watchdog's nor disabled says nothing about
 * the kernel: it is run again with IRQs masked, without a watchdog. */
#include "target/boot.h"

#include "target/boot/die.h"
#include "target/boot/efi/aarch64/gic.h"
#include "target/boot/efi/aarch64/map.h"
#include "target/boot/efi/aarch64/quiet.h"
#include "target/boot/efi/aarch64/registers.h"
#include "target/boot/efi/aarch64/sources.h"
#include "target/boot/efi/cores.h"
#include "target/boot/efi/machine.h"

extern IMAGE_SYMBOL char boot_vectors_el1[], boot_vectors_el2[];
struct arch_run *boot_trap(uint64_t syndrome, uint64_t pc, uint64_t address,
			   uint64_t kind);

int quiet_run(struct arch_run *run, int (*measure)(struct arch_run *));

/* The entry of a vector quarter that was taken. */
enum kind { KIND_SYNC, KIND_IRQ, KIND_FIQ, KIND_SERROR };

enum {
	CTL_ENABLE = 1 << 0,
	CTL_MASK = 1 << 1,
	CTL_STATUS = 1 << 2,
	CLASS_SHIFT = 26, /* ESR_ELx.EC */
	CLASS_MASK = 0x3f,
	STATUS_MASK = 0x3f, /* ESR_ELx.ISS.DFSC */
	STATUS_ALIGNMENT = 0x21,
	RESTS_PER_S = 50,
	SETTLE_PER_S = 10000, /* an interrupt arrives within 1/10,000 s */
};

/* A generic timer that firmware may tick with. */
struct timer {
	const char *name;
	uint32_t number; /* of its interrupt, as a rule: Arm BSA (DEN 0094) */
	uint64_t (*control)(void);
	void (*set_control)(uint64_t v);
	uint64_t (*compare)(void);
	void (*set_compare)(uint64_t v);
	uint64_t (*count)(void);
};

#define TIMER_ACCESS(t, control_reg, compare_reg, count_reg) \
	static uint64_t t##_control(void)                    \
	{                                                    \
		return READ(control_reg);                    \
	}                                                    \
	static void t##_set_control(uint64_t v)              \
	{                                                    \
		WRITE(control_reg, v);                       \
	}                                                    \
	static uint64_t t##_compare(void)                    \
	{                                                    \
		return READ(compare_reg);                    \
	}                                                    \
	static void t##_set_compare(uint64_t v)              \
	{                                                    \
		WRITE(compare_reg, v);                       \
	}                                                    \
	static uint64_t t##_count(void)                      \
	{                                                    \
		return READ(count_reg);                      \
	}
#define TIMER_ROW(t, n)                                                 \
	{                                                               \
		.name = #t, .number = (n), .control = t##_control,      \
		.set_control = t##_set_control, .compare = t##_compare, \
		.set_compare = t##_set_compare, .count = t##_count      \
	}

TIMER_ACCESS(virtual, "cntv_ctl_el0", "cntv_cval_el0", "cntvct_el0")
TIMER_ACCESS(physical, "cntp_ctl_el0", "cntp_cval_el0", "cntpct_el0")
TIMER_ACCESS(hypervisor, "cnthp_ctl_el2", "cnthp_cval_el2", "cntpct_el0")

static const struct timer timers[] = {
	TIMER_ROW(virtual, 27), TIMER_ROW(physical, 30),
	TIMER_ROW(hypervisor, 26), /* exists at EL2 only; keep it last */
};

static struct quiet {
	struct arch_run *volatile running;
	struct arch_fault *fault;
	const struct timer *timer; /* NULL: no interrupt of a timer arrives */
	int source;                /* its index at the controller */
	bool found, foreign;
	uint64_t vectors, control, compare, daif;
} quiet = {
	.source = SOURCES_NONE,
};

/* The firmware has set up no interrupts for other cores. */
static const struct quiet fresh = {
	.source = SOURCES_NONE,
	.found = true,
};

/* The first core's while another one runs, and the other way round. */
static struct quiet first, other;

/* Is an interrupt pending, or not, after the time it takes to arrive? */
static bool settles(bool pending)
{
	uint64_t begin = READ("cntvct_el0");
	uint64_t limit = READ("cntfrq_el0") / SETTLE_PER_S + 1;

	do {
		if (sources_pending() == pending)
			return true;
	} while (READ("cntvct_el0") - begin < limit);
	return false;
}

/* The timer has expired: is there an interrupt exactly while it is not masked?
 * Others may be pending all the time. */
static bool arrives(const struct timer *t)
{
	bool seen;

	t->set_control(CTL_ENABLE | CTL_MASK);
	if (!settles(false))
		return false;
	t->set_control(CTL_ENABLE);
	seen = settles(true);
	t->set_control(CTL_ENABLE | CTL_MASK);
	return seen && settles(false);
}

/* Find the timer's interrupt at the controller; without one there, it may
 * arrive all the same. */
static bool find_source(const struct timer *t)
{
	quiet.source = SOURCES_NONE;
	for (int i = 0; i < sources_count(); i++) {
		sources_set(i, true);
		if (arrives(t)) {
			quiet.source = i;
			return true;
		}
		sources_set(i, false);
	}
	return sources_count() == 0 && arrives(t);
}

/* Try the timers that are enabled and not masked. */
static void find_timer(void)
{
	size_t n = ARRAY_LEN(timers) - !at_el2();

	quiet.found = true;
	sources_mask(SOURCES_NONE);
	for (size_t i = 0; i < n && !quiet.timer; i++) {
		const struct timer *t = &timers[i];
		uint64_t control = t->control();
		uint64_t compare = t->compare();

		if (!(control & CTL_ENABLE) || (control & CTL_MASK))
			continue;
		t->set_control(CTL_ENABLE | CTL_MASK);
		t->set_compare(t->count());
		if (find_source(t))
			quiet.timer = t;
		t->set_compare(compare);
		t->set_control(control);
	}
	sources_unmask();
}

static void set_vectors(uint64_t address)
{
	if (at_el2())
		WRITE("vbar_el2", address);
	else
		WRITE("vbar_el1", address);
}

uint64_t quiet_vectors(void)
{
	return at_el2() ? (uintptr_t)boot_vectors_el2
			: (uintptr_t)boot_vectors_el1;
}

void boot_quiet_begin(void)
{
	quiet.daif = READ("daif");
	if (!quiet.found)
		sources_find();
	__asm__ volatile("msr daifset, #0xf" : : : "memory");
	if (!quiet.found)
		find_timer();
	sources_mask(quiet.source);
	quiet.vectors = at_el2() ? READ("vbar_el2") : READ("vbar_el1");
	set_vectors(quiet_vectors());
	if (!quiet.timer)
		return;
	quiet.control = quiet.timer->control();
	quiet.compare = quiet.timer->compare();
	quiet.timer->set_control(CTL_MASK);
}

void boot_quiet_end(void)
{
	if (quiet.timer) {
		quiet.timer->set_compare(quiet.compare);
		quiet.timer->set_control(quiet.control);
	}
	set_vectors(quiet.vectors);
	sources_unmask();
	WRITE("daif", quiet.daif);
}

void machine_wait_begin(void)
{
	boot_quiet_begin();
	first = quiet;
	quiet = other;
	sources_hide(true);
}

void machine_wait_end(void)
{
	sources_hide(false);
	other = quiet;
	quiet = first;
	boot_quiet_end();
}

/* The number of the interrupt of the first core's timer. */
static uint32_t first_number(void)
{
	return first.source == SOURCES_NONE ? first.timer->number
					    : sources_number(first.source);
}

/* The timer's interrupt is pending, not taken. */
void machine_rest(void)
{
	const struct timer *t = first.timer;

	if (!t) {
		(void)settles(true);
		return;
	}
	t->set_compare(t->count() + READ("cntfrq_el0") / RESTS_PER_S);
	t->set_control(CTL_ENABLE);
	__asm__ volatile("wfi" : : : "memory");
	t->set_control(CTL_MASK);
}

/* The same timer as on the first core, if its interrupt arrives here, too. */
void machine_core_begin(void)
{
	const struct timer *t = first.timer;

	quiet = fresh;
	if (!t || !gic_enable(first_number()))
		return;
	t->set_control(CTL_ENABLE | CTL_MASK);
	t->set_compare(t->count());
	if (arrives(t))
		quiet.timer = t;
}

/* Exception classes: Arm ARM, D17.2.37, ESR_EL1.EC. */
static const char *cause_word(uint64_t syndrome)
{
	static const char *const words[] = {
		[0x00] = "illegal", [0x07] = "illegal", [0x0d] = "illegal",
		[0x0e] = "illegal", [0x15] = "trap",    [0x16] = "trap",
		[0x17] = "trap",    [0x18] = "illegal", [0x19] = "illegal",
		[0x1c] = "illegal", [0x21] = "access",  [0x22] = "align",
		[0x25] = "access",  [0x26] = "align",   [0x2c] = "fpe",
		[0x3c] = "trap",
	};
	uint64_t class = syndrome >> CLASS_SHIFT & CLASS_MASK;

	if (class == 0x25 && (syndrome & STATUS_MASK) == STATUS_ALIGNMENT)
		return "align";
	if (class < ARRAY_LEN(words) && words[class])
		return words[class];
	return "other";
}

static bool timer_fired(uint64_t kind)
{
	return kind != KIND_SYNC && kind != KIND_SERROR && quiet.timer &&
	       (quiet.timer->control() & CTL_STATUS);
}

struct arch_run *boot_trap(uint64_t syndrome, uint64_t pc, uint64_t address,
			   uint64_t kind)
{
	struct arch_run *run = quiet.running;
	bool hang = timer_fired(kind);

	quiet.running = NULL;
	if (!run)
		boot_die(syndrome, pc, address);
	if (quiet.timer)
		quiet.timer->set_control(CTL_MASK);
	quiet.foreign = !hang && (kind == KIND_IRQ || kind == KIND_FIQ);
	*quiet.fault = (struct arch_fault){
		.cause = hang                ? "hang"
			 : kind == KIND_SYNC ? cause_word(syndrome)
					     : "other",
		.code = kind == KIND_SYNC ? syndrome : kind,
		.pc = pc,
		.address = kind == KIND_SYNC ? address : 0,
	};
	/* The measuring routine has not begun. */
	return kind != KIND_SYNC && run->saved_sp == 0 ? NULL : run;
}

/* With the watchdog. */
static int run_watched(struct arch_run *run, int (*measure)(struct arch_run *),
		       uint64_t limit_ticks)
{
	const struct timer *t = quiet.timer;
	int ret;

	t->set_compare(t->count() + limit_ticks);
	t->set_control(CTL_ENABLE);
	ret = quiet_run(run, measure);
	t->set_control(CTL_MASK);
	return ret;
}

int boot_run(struct arch_run *run, enum arch_clock clock, uint64_t limit_ticks,
	     struct arch_fault *ret_fault)
{
	static int (*const measure[ARCH_N_CLOCKS])(struct arch_run *) = {
		[ARCH_CLOCK_CORE] = arch_measure_core,
		[ARCH_CLOCK_REF] = arch_measure_ref,
	};
	int ret = 0;

	run->saved_sp = 0;
	quiet.fault = ret_fault;
	quiet.running = run;
	quiet.foreign = !quiet.timer || sources_pending();
	if (!quiet.foreign)
		ret = run_watched(run, measure[clock], limit_ticks);
	if (quiet.foreign) {
		quiet.running = run;
		ret = measure[clock](run);
	}
	quiet.running = NULL;
	return ret;
}

void machine_describe(struct wire_line *w)
{
	wire_word(w, "watchdog", quiet.timer ? quiet.timer->name : "none");
	sources_describe(w);
	map_describe(w);
	cores_describe_psci(w);
}
