/* No firmware: the runtime has the reset entry, the trap vector and the devices for
 * itself; see env.h. */
#include "target/boot/hart/env.h"

#include "target/boot/bare/tree.h"
#include "target/boot/die.h"
#include "target/boot/hart/platform.h"

/* start.S */
void counters_start(void);
void hart_wake(uint64_t msip, const void *entry);

enum {
	/* The memory map of a CLINT: "SiFive FU540-C000 Manual" v1p4, table 34,
	 * and "RISC-V Advanced Core Local Interruptor Specification" 1.0. */
	CLINT_MSIP = 0,
	CLINT_MTIMECMP = 0x4000,
	CLINT_MTIME = 0xbff8,
	MSIP_BYTES = 4,
	MTIMECMP_BYTES = 8,
	HART_STARTED = 0,
	SOFTWARE_INTERRUPT = 1 << 3, /* in mie */
	USUAL_SPEED = 115200,
};

/* Nothing else is there. */
bool env_reserved_at(size_t i, struct tree_region *ret)
{
	(void)i;
	(void)ret;
	return false;
}

const char env_boot[] = "mmode", env_mode[] = "m";

static struct {
	bool is_known;
	uint64_t address; /* 0: none */
	bool has_time;
} clint;

/* XuanTie's has no mtime, which is in the `time` CSR alone ("XuanTie C906
 * User Manual", chapter on the core local interrupt controller). */
static void find_clint(void)
{
	static const struct {
		const char *compatible;
		bool has_time;
	} kinds[] = {
		{ "riscv,clint0", true },
		{ "sifive,clint0", true },
		{ "thead,c900-clint", false },
	};
	const void *t = platform_tree();

	clint.is_known = true;
	for (size_t i = 0; t && !clint.address && i < ARRAY_LEN(kinds); i++) {
		clint.address =
			tree_address(t, tree_with(t, kinds[i].compatible), 0);
		clint.has_time = kinds[i].has_time;
	}
}

/* Its register, 0 without a CLINT. */
static uint64_t clint_at(uint64_t offset)
{
	if (!clint.is_known)
		find_clint();
	return clint.address ? clint.address + offset : 0;
}

static volatile uint32_t *word_at(uint64_t address)
{
	return (volatile uint32_t *)(uintptr_t)address;
}

uint64_t env_hart(uint64_t passed)
{
	uint64_t hart;

	(void)passed;
	__asm__("csrr %0, mhartid" : "=r"(hart));
	return hart;
}

/* The image's own tree comes first: at a reset nothing is passed, and the
 * registers may hold anything. */
const void *env_tree(const void *passed)
{
	return __slot.tree_bytes ? _start + __slot.tree_offset : passed;
}

/* All others wait in start.S. */
uint64_t env_hart_state(uint64_t hart)
{
	return hart == env_hart(0) ? HART_STARTED : ENV_HART_STOPPED;
}

bool env_hart_start(uint64_t hart, const void *entry)
{
	uint64_t msip = clint_at(CLINT_MSIP + MSIP_BYTES * hart);

	if (msip)
		hart_wake(msip, entry);
	return msip != 0;
}

/* Without a CLINT no other hart was started. */
static void set_interrupt(uint64_t hart, uint32_t pending)
{
	uint64_t at = clint_at(CLINT_MSIP + MSIP_BYTES * hart);

	if (at)
		*word_at(at) = pending;
}

/* The interrupt is pending, not taken. */
void env_hart_sleep(void)
{
	__asm__ volatile("csrw mie, %0\n\twfi\n\tcsrw mie, zero"
			 :
			 : "r"((uint64_t)SOFTWARE_INTERRUPT)
			 : "memory");
	set_interrupt(env_hart(0), 0);
}

void env_hart_wake(uint64_t hart)
{
	set_interrupt(hart, 1);
}

bool env_has_timer(void)
{
	return clint_at(0) != 0;
}

/* XuanTie's CLINT has registers of 32 bits.  With the upper half at its most,
 * no order of the stores makes an interrupt too early. */
void env_set_timer(uint64_t when)
{
	uint64_t at = clint_at(CLINT_MTIMECMP + MTIMECMP_BYTES * env_hart(0));

	if (!at)
		return;
	word_at(at)[1] = UINT32_MAX;
	word_at(at)[0] = (uint32_t)when;
	word_at(at)[1] = (uint32_t)(when >> 32);
}

void env_start_counters(void)
{
	counters_start();
}

bool env_time(uint64_t *ret_now)
{
	uint64_t at = clint_at(CLINT_MTIME);
	uint32_t high, low;

	if (!at || !clint.has_time)
		return false;
	do {
		high = word_at(at)[1];
		low = word_at(at)[0];
	} while (word_at(at)[1] != high);
	*ret_now = (uint64_t)high << 32 | low;
	return true;
}

uint32_t env_uart_speed(void)
{
	return USUAL_SPEED;
}

enum { VENDOR, ARCHITECTURE, IMPLEMENTATION, N_NUMBERS };

/* NOLINTNEXTLINE(readability-non-const-parameter): assembly writes it. */
static void read_numbers(uint64_t n[N_NUMBERS])
{
	__asm__("csrr %0, mvendorid" : "=r"(n[VENDOR]));
	__asm__("csrr %0, marchid" : "=r"(n[ARCHITECTURE]));
	__asm__("csrr %0, mimpid" : "=r"(n[IMPLEMENTATION]));
}

uint64_t env_identity(void)
{
	uint64_t n[N_NUMBERS], sum = 0;

	read_numbers(n);
	for (int i = 0; i < N_NUMBERS; i++)
		sum = sum * KIND_FACTOR + n[i];
	return sum;
}

void env_describe(struct wire_line *w)
{
	uint64_t n[N_NUMBERS];

	read_numbers(n);
	wire_hex(w, "mvendorid", n[VENDOR]);
	wire_hex(w, "marchid", n[ARCHITECTURE]);
	wire_hex(w, "mimpid", n[IMPLEMENTATION]);
}

void env_power_off(bool failed)
{
	(void)failed;
}

void env_power_off_last(bool failed)
{
	(void)failed;
	die_say("\r\nanechoic: this machine has no power-off device\r\n");
}
