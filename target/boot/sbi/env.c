/* What SBI firmware does for the runtime; see env.h. */
#include "target/boot/hart/env.h"

#include "target/boot/die.h"
#include "target/boot/sbi/sbi.h"

enum {
	BASE_SPEC_VERSION = 0,
	BASE_IMPLEMENTATION = 1,
	BASE_IMPLEMENTATION_VERSION = 2,
	BASE_VENDOR = 4,
	BASE_ARCHITECTURE = 5,
	BASE_IMP = 6,
	HSM_START = 0,
	HSM_STATUS = 2,
	IPI_SEND = 0,
	SOFTWARE_INTERRUPT = 1 << 1, /* in sie and sip */
	PAUSE_LOOPS = 100 * 1000,
};

const char env_boot[] = "sbi", env_mode[] = "s";

uint64_t env_hart(uint64_t passed)
{
	return passed;
}

const void *env_tree(const void *passed)
{
	return passed;
}

uint64_t env_hart_state(uint64_t hart)
{
	struct sbi_ret r = sbi_call(SBI_HSM, HSM_STATUS, hart, 0, 0, 0, 0);

	return r.error ? ENV_HART_UNKNOWN : (uint64_t)r.value;
}

bool env_hart_start(uint64_t hart, const void *entry)
{
	return sbi_call(SBI_HSM, HSM_START, hart, (uintptr_t)entry, 0, 0, 0)
		       .error == 0;
}

/* The interrupt is pending, not taken.  Firmware with HSM has interrupts between
 * harts, too; without them this hart looks again after a while. */
void env_hart_sleep(void)
{
	if (!sbi_has(SBI_IPI)) {
		for (int i = 0; i < PAUSE_LOOPS; i++)
			__asm__ volatile("nop");
		return;
	}
	__asm__ volatile("csrw sie, %0\n\twfi\n\tcsrw sie, zero\n\t"
			 "csrc sip, %0"
			 :
			 : "r"((uint64_t)SOFTWARE_INTERRUPT)
			 : "memory");
}

void env_hart_wake(uint64_t hart)
{
	(void)sbi_call(SBI_IPI, IPI_SEND, 1, hart, 0, 0, 0);
}

bool env_has_timer(void)
{
	return true;
}

void env_set_timer(uint64_t when)
{
	sbi_set_timer(when);
}

void env_start_counters(void)
{
	sbi_start_counters();
}

/* Firmware has the device. */
bool env_time(uint64_t *ret_now)
{
	(void)ret_now;
	return false;
}

uint32_t env_uart_speed(void)
{
	return 0;
}

/* SBI says it of the hart that asks; firmware may give one answer for all, so
 * that platform.c adds the tree's words for the hart. */
uint64_t env_identity(void)
{
	uint64_t sum = 0;

	for (unsigned long f = BASE_VENDOR; f <= BASE_IMP; f++)
		sum = sum * KIND_FACTOR +
		      (uint64_t)sbi_call(SBI_BASE, f, 0, 0, 0, 0, 0).value;
	return sum;
}

static void describe_base(struct wire_line *w, const char *key,
			  unsigned long function)
{
	struct sbi_ret r = sbi_call(SBI_BASE, function, 0, 0, 0, 0, 0);

	if (!r.error)
		wire_hex(w, key, (uint64_t)r.value);
}

void env_describe(struct wire_line *w)
{
	describe_base(w, "sbi", BASE_SPEC_VERSION);
	describe_base(w, "sbi_implementation", BASE_IMPLEMENTATION);
	describe_base(w, "sbi_version", BASE_IMPLEMENTATION_VERSION);
	describe_base(w, "mvendorid", BASE_VENDOR);
	describe_base(w, "marchid", BASE_ARCHITECTURE);
	describe_base(w, "mimpid", BASE_IMP);
}

void env_power_off(bool failed)
{
	if (sbi_has(SBI_SRST))
		sbi_reset(failed);
}

/* Firmware that has no power-off may stop the hart here. */
void env_power_off_last(bool failed)
{
	(void)failed;
	if (sbi_has(SBI_SRST))
		die_say("\r\nanechoic: the firmware cannot switch this "
			"machine off\r\n");
	else
		sbi_legacy_shutdown();
}
