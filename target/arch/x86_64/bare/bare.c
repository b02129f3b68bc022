/* x86-64 with the core owned: enable vector registers and make LFENCE wait. */
#include "target/arch.h"
#include "target/arch/x86_64/cpu.h"

/* SDM vol. 3, 2.5. */
enum {
	CR0_MP = 1 << 1,
	CR0_EM = 1 << 2,
	CR0_TS = 1 << 3,
	CR0_NE = 1 << 5,
	CR4_OSFXSR = 1 << 9,
	CR4_OSXMMEXCPT = 1 << 10,
	CR4_OSXSAVE = 1 << 18,
};

/* AMD APM vol. 2, 3.2.4: LFENCE_SERIALIZE of the DE_CFG register. */
#define MSR_AMD_DE_CFG   0xc0011029u
#define LFENCE_SERIALIZE (1u << 1)

/* Firmware enables only the units that it uses, rarely AVX. */
static void enable_vectors(void)
{
	struct cpuid c = cpuid(LEAF_FEATURES);
	uint64_t cr0, cr4;

	__asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
	cr0 = (cr0 | CR0_MP | CR0_NE) & ~(uint64_t)(CR0_EM | CR0_TS);
	__asm__ volatile("mov %0, %%cr0" : : "r"(cr0));
	__asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
	cr4 |= CR4_OSFXSR | CR4_OSXMMEXCPT;
	__asm__ volatile("mov %0, %%cr4" : : "r"(cr4));
	if (!(c.r[ECX] & ECX_XSAVE) || !(c.r[ECX] & ECX_AVX))
		return;
	__asm__ volatile("mov %0, %%cr4" : : "r"(cr4 | CR4_OSXSAVE));

	uint32_t offered = cpuid(LEAF_XSAVE).r[EAX];
	uint32_t want = XCR0_X87 | XCR0_YMM;

	if ((offered & XCR0_ZMM) == XCR0_ZMM)
		want |= XCR0_ZMM;
	__asm__ volatile("xsetbv" : : "a"(want), "d"(0), "c"(0));
}

/* Without this bit, LFENCE does not wait for earlier work on AMD cores. */
static void make_lfence_wait(void)
{
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(MSR_AMD_DE_CFG));
	low |= LFENCE_SERIALIZE;
	__asm__ volatile("wrmsr" : : "a"(low), "d"(high), "c"(MSR_AMD_DE_CFG));
}

void arch_init(void)
{
	enable_vectors();
	if (cpu_is_amd())
		make_lfence_wait();
	arch_vector_level = cpu_vector_level();
}
