/* Registers and bits: SDM vol. 3, chapter 11 (the APIC), tables 11-1 and
 * 11-6; MSR IA32_APIC_BASE. */
#include "target/boot/efi/x86_64/apic.h"

#include "target/arch.h"

enum {
	EOI = 0x0b0,
	SPURIOUS = 0x0f0,
	LVT_TIMER = 0x320,
	INITIAL_COUNT = 0x380,
	CURRENT_COUNT = 0x390,
	DIVIDE = 0x3e0,
	SPURIOUS_ENABLE = 1 << 8,
	TIMER_MASKED = 1 << 16,
	TIMER_PERIODIC = 1 << 17,
	DIVIDE_BY_16 = 3,
	BASE_ENABLE = 1 << 11,
	BASE_X2APIC = 1 << 10,
	MSR_BASE = 0x1b,
	MSR_X2APIC = 0x800,
	LEAF_FEATURES = 1,
	EDX_APIC = 1 << 9,
	/* Long enough for a 25 MHz bus behind a divider of 16. */
	CALIBRATE_TICKS = 1 << 24,
	N_SAVED = 4,
};

#define BASE_ADDRESS UINT64_C(0x000ffffffffff000)

/* Restored state, in the order of writing: the count is last, because writing
 * it starts the timer. */
static const uint16_t saved_registers[N_SAVED] = {
	SPURIOUS,
	DIVIDE,
	LVT_TIMER,
	INITIAL_COUNT,
};

static struct {
	volatile uint32_t *registers; /* NULL: x2APIC, by MSR */
	uint32_t period;              /* counts of one period */
	uint32_t saved[N_SAVED];
} apic;

static uint64_t read_msr(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}

static void write_msr(uint32_t index, uint64_t value)
{
	__asm__ volatile("wrmsr"
			 :
			 : "a"((uint32_t)value), "d"((uint32_t)(value >> 32)),
			   "c"(index));
}

static uint32_t get(uint32_t offset)
{
	if (!apic.registers)
		return (uint32_t)read_msr(MSR_X2APIC + (offset >> 4));
	return apic.registers[offset / sizeof(uint32_t)];
}

static void put(uint32_t offset, uint32_t value)
{
	if (!apic.registers)
		write_msr(MSR_X2APIC + (offset >> 4), value);
	else
		apic.registers[offset / sizeof(uint32_t)] = value;
}

static void save(void)
{
	for (size_t i = 0; i < N_SAVED; i++)
		apic.saved[i] = get(saved_registers[i]);
}

void apic_give(void)
{
	put(LVT_TIMER, TIMER_MASKED);
	for (size_t i = 0; i < N_SAVED; i++)
		put(saved_registers[i], apic.saved[i]);
}

/* Counts of the timer in APIC_PERIOD_TICKS. */
static uint32_t measure_period(void)
{
	uint64_t start;

	save();
	put(SPURIOUS, APIC_SPURIOUS_VECTOR | SPURIOUS_ENABLE);
	put(LVT_TIMER, TIMER_MASKED);
	put(DIVIDE, DIVIDE_BY_16);
	put(INITIAL_COUNT, UINT32_MAX);
	start = arch_ref_now();
	while (arch_ref_now() - start < CALIBRATE_TICKS)
		;

	uint64_t counts = UINT32_MAX - get(CURRENT_COUNT);

	apic_give();
	counts = counts * (APIC_PERIOD_TICKS / CALIBRATE_TICKS);
	if (counts == 0)
		return 1;
	return counts > UINT32_MAX ? UINT32_MAX : (uint32_t)counts;
}

bool apic_present(void)
{
	uint32_t a = LEAF_FEATURES, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return (d & EDX_APIC) && (read_msr(MSR_BASE) & BASE_ENABLE);
}

bool apic_init(void)
{
	uint64_t base;

	if (!apic_present())
		return false;
	base = read_msr(MSR_BASE);
	if (!(base & BASE_X2APIC))
		apic.registers = (volatile uint32_t *)(base & BASE_ADDRESS);
	apic.period = measure_period();
	return true;
}

void apic_take(void)
{
	save();
	put(SPURIOUS, APIC_SPURIOUS_VECTOR | SPURIOUS_ENABLE);
	put(DIVIDE, DIVIDE_BY_16);
	put(LVT_TIMER, APIC_TIMER_VECTOR | TIMER_PERIODIC);
	put(INITIAL_COUNT, apic.period);
}

void apic_end_of_interrupt(void)
{
	put(EOI, 0);
}
