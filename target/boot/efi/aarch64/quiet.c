/* The quiet section on AArch64: all interrupts masked, the runtime's own
 * vectors.
 *
 * The watchdog uses the generic timer that the firmware ticks with.  Its
 * interrupt is already routed and enabled, so the runtime does not depend on
 * the interrupt controller: it sets the timer to the deadline and unmasks IRQs
 * while a kernel runs.  When the timer fires, masking it at the timer clears
 * the level-triggered request; it is never acknowledged.  At the end the
 * firmware's timer is restored, a few ticks late. */
#include "target/boot.h"

#include "target/boot/die.h"
#include "target/boot/efi/machine.h"

extern IMAGE_SYMBOL char boot_vectors_el1[], boot_vectors_el2[];
struct arch_run *boot_trap(uint64_t syndrome, uint64_t pc, uint64_t address,
			   uint64_t kind);

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
	EL2 = 2 << 2, /* CurrentEL */
};

#define READ(name)                                                \
	({                                                        \
		uint64_t value_;                                  \
		__asm__ volatile("mrs %0, " name : "=r"(value_)); \
		value_;                                           \
	})
#define WRITE(name, value)                         \
	__asm__ volatile("msr " name ", %0\n\tisb" \
			 :                         \
			 : "r"((uint64_t)(value))  \
			 : "memory")

/* A generic timer that firmware may tick with. */
struct timer {
	const char *name;
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
#define TIMER_ROW(t)                                                    \
	{                                                               \
		.name = #t, .control = t##_control,                     \
		.set_control = t##_set_control, .compare = t##_compare, \
		.set_compare = t##_set_compare, .count = t##_count      \
	}

TIMER_ACCESS(virtual, "cntv_ctl_el0", "cntv_cval_el0", "cntvct_el0")
TIMER_ACCESS(physical, "cntp_ctl_el0", "cntp_cval_el0", "cntpct_el0")
TIMER_ACCESS(hypervisor, "cnthp_ctl_el2", "cnthp_cval_el2", "cntpct_el0")

static const struct timer timers[] = {
	TIMER_ROW(virtual), TIMER_ROW(physical),
	TIMER_ROW(hypervisor), /* exists at EL2 only; keep it last */
};

static struct {
	struct arch_run *volatile running;
	struct arch_fault *fault;
	const struct timer *timer; /* NULL: the firmware uses another timer */
	uint64_t vectors, control, compare, daif;
} quiet;

static bool at_el2(void)
{
	return READ("CurrentEL") == EL2;
}

static const struct timer *find_timer(void)
{
	size_t n = ARRAY_LEN(timers) - !at_el2();

	for (size_t i = 0; i < n; i++)
		if (timers[i].control() & CTL_ENABLE)
			return &timers[i];
	return NULL;
}

static void set_vectors(uint64_t address)
{
	if (at_el2())
		WRITE("vbar_el2", address);
	else
		WRITE("vbar_el1", address);
}

void boot_quiet_begin(void)
{
	quiet.daif = READ("daif");
	__asm__ volatile("msr daifset, #0xf" : : : "memory");
	if (at_el2()) {
		quiet.vectors = READ("vbar_el2");
		set_vectors((uintptr_t)boot_vectors_el2);
	} else {
		quiet.vectors = READ("vbar_el1");
		set_vectors((uintptr_t)boot_vectors_el1);
	}
	quiet.timer = find_timer();
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
	WRITE("daif", quiet.daif);
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
	*quiet.fault = (struct arch_fault){
		.cause = hang                ? "hang"
			 : kind == KIND_SYNC ? cause_word(syndrome)
					     : "other",
		.code = kind == KIND_SYNC ? syndrome : kind,
		.pc = pc,
		.address = kind == KIND_SYNC ? address : 0,
	};
	return run;
}

int boot_run(struct arch_run *run, enum arch_clock clock, uint64_t limit_ticks,
	     struct arch_fault *ret_fault)
{
	static int (*const measure[ARCH_N_CLOCKS])(struct arch_run *) = {
		[ARCH_CLOCK_CORE] = arch_measure_core,
		[ARCH_CLOCK_REF] = arch_measure_ref,
	};
	const struct timer *t = quiet.timer;
	int ret;

	quiet.fault = ret_fault;
	quiet.running = run;
	if (!t) {
		ret = measure[clock](run);
		quiet.running = NULL;
		return ret;
	}
	t->set_compare(t->count() + limit_ticks);
	t->set_control(CTL_ENABLE);
	__asm__ volatile("msr daifclr, #2" : : : "memory");
	ret = measure[clock](run);
	__asm__ volatile("msr daifset, #2" : : : "memory");
	t->set_control(CTL_MASK);
	quiet.running = NULL;
	return ret;
}

void machine_describe(struct wire_line *w)
{
	const struct timer *t = find_timer();

	wire_word(w, "watchdog", t ? t->name : "none");
}
