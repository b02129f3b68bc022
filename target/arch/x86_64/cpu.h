/* Facts from CPUID. */
#ifndef ARCH_X86_64_CPU_H
#define ARCH_X86_64_CPU_H

#include "common/wire.h"

/* Leaves and bits as the Intel SDM vol. 2A names them (CPUID). */
enum {
	LEAF_VENDOR = 0,
	LEAF_FEATURES = 1,
	LEAF_EXTENDED = 7,
	LEAF_XSAVE = 0xd,
	LEAF_TSC = 0x15,
	/* XCR0: SSE and AVX state; and opmask, ZMM_Hi256, Hi16_ZMM. */
	XCR0_X87 = 0x01,
	XCR0_YMM = 0x06,
	XCR0_ZMM = 0xe6,
};

#define ECX_XSAVE      (1u << 26)
#define ECX_OSXSAVE    (1u << 27)
#define ECX_AVX        (1u << 28)
#define ECX_HYPERVISOR (1u << 31)

enum reg { EAX, EBX, ECX, EDX, N_REGS };

struct cpuid {
	uint32_t r[N_REGS];
};

/* One leaf, subleaf 0. */
struct cpuid cpuid(uint32_t leaf);

bool cpu_is_amd(void);

/* Widest registers that CPU and system support: LEVEL_* of arch_regs.h. */
uint32_t cpu_vector_level(void);

/* The same, cached for measure.S.  Set by arch_init(). */
extern uint32_t arch_vector_level;

/* The kind of counters that arch_measure_core() reads: COUNTERS_* of
 * arch_regs.h.  Set by the code that starts them. */
extern uint32_t arch_counters;

/* The available counters; in the bare and the process folder. */
void counters_describe(struct wire_line *w);

/* Rate of the time stamp counter according to the CPU or hypervisor, or 0. */
uint64_t cpu_tsc_hz(void);

/* A number that is the same for cores of one kind: family, model, stepping, and
 * where there are several kinds in a machine, which of them. */
uint64_t cpu_kind(void);

void cpu_describe(struct wire_line *w);

#endif
