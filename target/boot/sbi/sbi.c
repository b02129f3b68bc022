#include "target/boot/sbi/sbi.h"

enum {
	BASE_PROBE = 3,
	TIME_SET = 0,
	SRST_RESET = 0,
	SRST_SHUTDOWN = 0,
	SRST_NO_REASON = 0,
	SRST_FAILURE = 1,
	PMU_N_COUNTERS = 0,
	PMU_COUNTER_INFO = 1,
	PMU_CONFIGURE = 2,
	PMU_CLEAR_VALUE = 1 << 1,
	PMU_AUTO_START = 1 << 2,
	PMU_EVENT_CYCLES = 1,
	PMU_EVENT_INSTRUCTIONS = 2,
	PMU_MAX_COUNTERS = 64,
	CSR_CYCLE = 0xc00,
	CSR_INSTRET = 0xc02,
};

struct sbi_ret sbi_call(enum sbi_extension extension, unsigned long function,
			unsigned long a, unsigned long b, unsigned long c,
			unsigned long d, unsigned long e)
{
	register unsigned long a0 __asm__("a0") = a;
	register unsigned long a1 __asm__("a1") = b;
	register unsigned long a2 __asm__("a2") = c;
	register unsigned long a3 __asm__("a3") = d;
	register unsigned long a4 __asm__("a4") = e;
	register unsigned long a6 __asm__("a6") = function;
	register unsigned long a7 __asm__("a7") = (unsigned long)extension;

	__asm__ volatile("ecall"
			 : "+r"(a0), "+r"(a1)
			 : "r"(a2), "r"(a3), "r"(a4), "r"(a6), "r"(a7)
			 : "memory");
	return (struct sbi_ret){ .error = (long)a0, .value = (long)a1 };
}

bool sbi_has(enum sbi_extension extension)
{
	struct sbi_ret r = sbi_call(SBI_BASE, BASE_PROBE,
				    (unsigned long)extension, 0, 0, 0, 0);

	/* Before SBI 0.2 there was no base extension, only legacy calls. */
	if (r.error)
		return extension <= SBI_LEGACY_SHUTDOWN;
	return r.value != 0;
}

void sbi_set_timer(uint64_t when)
{
	struct sbi_ret r = sbi_call(SBI_TIME, TIME_SET, when, 0, 0, 0, 0);

	if (r.error)
		(void)sbi_call(SBI_LEGACY_SET_TIMER, 0, when, 0, 0, 0, 0);
}

/* Start hardware counter `i` if `csr` reads it. */
static void start_counter(unsigned long i, unsigned long csr,
			  unsigned long event)
{
	struct sbi_ret r = sbi_call(SBI_PMU, PMU_COUNTER_INFO, i, 0, 0, 0, 0);

	/* Bits 11:0 are the CSR, bit 63 is set for a firmware counter. */
	if (r.error || r.value < 0 || (r.value & 0xfff) != (long)csr)
		return;
	(void)sbi_call(SBI_PMU, PMU_CONFIGURE, i, 1,
		       PMU_CLEAR_VALUE | PMU_AUTO_START, event, 0);
}

void sbi_start_counters(void)
{
	if (!sbi_has(SBI_PMU))
		return;

	struct sbi_ret n = sbi_call(SBI_PMU, PMU_N_COUNTERS, 0, 0, 0, 0, 0);

	if (n.error)
		return;
	for (long i = 0; i < n.value && i < PMU_MAX_COUNTERS; i++) {
		start_counter((unsigned long)i, CSR_CYCLE, PMU_EVENT_CYCLES);
		start_counter((unsigned long)i, CSR_INSTRET,
			      PMU_EVENT_INSTRUCTIONS);
	}
}

void sbi_reset(bool failed)
{
	(void)sbi_call(SBI_SRST, SRST_RESET, SRST_SHUTDOWN,
		       failed ? SRST_FAILURE : SRST_NO_REASON, 0, 0, 0);
}

void sbi_legacy_shutdown(void)
{
	(void)sbi_call(SBI_LEGACY_SHUTDOWN, 0, 0, 0, 0, 0, 0);
}
