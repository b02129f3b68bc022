/* CPUID leaves and bits are those of the Intel SDM vol. 2A, CPUID, and the
 * AMD APM vol. 3, appendix E. */
#include "target/arch/x86_64/cpu.h"

#include "target/arch/x86_64/arch_regs.h"

/* AVX-512 F, DQ, BW and VL: instructions that measure.S uses. */
#define EBX_AVX512          (1u << 16 | 1u << 17 | 1u << 30 | 1u << 31)

#define EDX_HYBRID          (1u << 15)

#define LEAF_CORE_TYPE      0x1au
#define LEAF_HYPERVISOR     0x40000000u
#define LEAF_HYPERVISOR_TSC 0x40000010u
#define LEAF_MAX_EXTENDED   0x80000000u
#define LEAF_BRAND          0x80000002u

struct cpuid cpuid(uint32_t leaf)
{
	struct cpuid c;

	__asm__ volatile("cpuid"
			 : "=a"(c.r[EAX]), "=b"(c.r[EBX]), "=c"(c.r[ECX]),
			   "=d"(c.r[EDX])
			 : "a"(leaf), "c"(0));
	return c;
}

bool cpu_is_amd(void)
{
	struct cpuid c = cpuid(LEAF_VENDOR);

	/* "Auth" "enti" "cAMD" */
	return c.r[EBX] == 0x68747541 && c.r[EDX] == 0x69746e65 &&
	       c.r[ECX] == 0x444d4163;
}

static uint64_t xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

uint32_t cpu_vector_level(void)
{
	struct cpuid c = cpuid(LEAF_FEATURES);

	if (!(c.r[ECX] & ECX_OSXSAVE) || !(c.r[ECX] & ECX_AVX))
		return LEVEL_XMM;

	uint64_t on = xcr0();

	if ((on & XCR0_YMM) != XCR0_YMM)
		return LEVEL_XMM;
	if (cpuid(LEAF_VENDOR).r[EAX] < LEAF_EXTENDED ||
	    (cpuid(LEAF_EXTENDED).r[EBX] & EBX_AVX512) != EBX_AVX512 ||
	    (on & XCR0_ZMM) != XCR0_ZMM)
		return LEVEL_YMM;
	return LEVEL_ZMM;
}

uint64_t cpu_tsc_hz(void)
{
	if (cpuid(LEAF_VENDOR).r[EAX] >= LEAF_TSC) {
		struct cpuid c = cpuid(LEAF_TSC);

		/* Crystal rate times numerator over denominator. */
		if (c.r[EAX] && c.r[EBX] && c.r[ECX])
			return (uint64_t)c.r[ECX] * c.r[EBX] / c.r[EAX];
	}
	if (!(ECX_HYPERVISOR & cpuid(LEAF_FEATURES).r[ECX]))
		return 0;
	if (cpuid(LEAF_HYPERVISOR).r[EAX] < LEAF_HYPERVISOR_TSC)
		return 0;
	/* The timing leaf that VMware defined and KVM adopted: kHz. */
	return cpuid(LEAF_HYPERVISOR_TSC).r[EAX] * UINT64_C(1000);
}

/* Copy the text in registers; the caller terminates it. */
static size_t put_text(char *to, const uint32_t *regs, size_t n)
{
	for (size_t i = 0; i < 4 * n; i++)
		to[i] = (char)(regs[i / 4] >> (8 * (i % 4)));
	return 4 * n;
}

static void describe_brand(struct wire_line *w)
{
	char brand[3 * 16 + 1] = "";
	size_t n = 0;

	if (cpuid(LEAF_MAX_EXTENDED).r[EAX] < LEAF_BRAND + 2)
		return;
	for (uint32_t i = 0; i < 3; i++)
		n += put_text(brand + n, cpuid(LEAF_BRAND + i).r, N_REGS);
	brand[n] = '\0';
	/* Padded with spaces in front or with NULs behind. */
	size_t start = 0;

	while (brand[start] == ' ')
		start++;
	wire_word(w, "cpu", brand + start);
}

static void describe_signature(struct wire_line *w)
{
	uint32_t s = cpuid(LEAF_FEATURES).r[EAX];
	uint32_t family = s >> 8 & 0xf;
	uint32_t model = s >> 4 & 0xf;

	if (family == 6 || family == 15)
		model |= s >> 12 & 0xf0;
	if (family == 15)
		family += s >> 20 & 0xff;
	wire_u64(w, "family", family);
	wire_u64(w, "model", model);
	wire_u64(w, "stepping", s & 0xf);
}

/* Machines with several kinds of cores say which this is. */
static void describe_core_type(struct wire_line *w)
{
	enum { ATOM = 0x20, CORE = 0x40 };
	uint32_t type;

	if (cpuid(LEAF_VENDOR).r[EAX] < LEAF_CORE_TYPE ||
	    !(cpuid(LEAF_EXTENDED).r[EDX] & EDX_HYBRID))
		return;
	type = cpuid(LEAF_CORE_TYPE).r[EAX] >> 24;
	if (type == ATOM || type == CORE)
		wire_word(w, "core_type", type == ATOM ? "atom" : "core");
	else
		wire_hex(w, "core_type", type);
}

uint64_t cpu_kind(void)
{
	uint64_t kind = cpuid(LEAF_FEATURES).r[EAX];

	if (cpuid(LEAF_VENDOR).r[EAX] >= LEAF_CORE_TYPE)
		kind |= (uint64_t)cpuid(LEAF_CORE_TYPE).r[EAX] << 32;
	return kind;
}

void cpu_describe(struct wire_line *w)
{
	static const char *const levels[] = {
		[LEVEL_XMM] = "sse",
		[LEVEL_YMM] = "avx",
		[LEVEL_ZMM] = "avx512",
	};
	struct cpuid c = cpuid(LEAF_VENDOR);
	const uint32_t vendor[] = { c.r[EBX], c.r[EDX], c.r[ECX] };
	char text[16];

	text[put_text(text, vendor, ARRAY_LEN(vendor))] = '\0';
	wire_word(w, "vendor", text);
	describe_brand(w);
	describe_signature(w);
	describe_core_type(w);
	wire_word(w, "vectors", levels[cpu_vector_level()]);
	if (ECX_HYPERVISOR & cpuid(LEAF_FEATURES).r[ECX]) {
		c = cpuid(LEAF_HYPERVISOR);
		text[put_text(text, &c.r[EBX], 3)] = '\0';
		wire_word(w, "hypervisor", text);
	}
}
