/* Numbers of this machine's core: the instruction CPUID tells them, to every
 * program. */
#include <cpuid.h>
#include <string.h>

#include "host/isa/facts.h"

/* Intel SDM volume 2A, CPUID: "Processor Signature".  AMD's is the same. */
struct core_identity numbers_here(struct arena *a)
{
	unsigned eax = 0, b, c, d;
	char vendor[3 * sizeof(b) + 1] = "";
	unsigned family, model;

	if (!__get_cpuid(0, &eax, &b, &c, &d))
		return (struct core_identity){ .words = { NULL } };
	memcpy(vendor, &b, sizeof(b));
	memcpy(vendor + sizeof(b), &d, sizeof(d));
	memcpy(vendor + 2 * sizeof(b), &c, sizeof(c));
	(void)__get_cpuid(1, &eax, &b, &c, &d);
	family = eax >> 8 & 0xf;
	model = eax >> 4 & 0xf;
	if (family == 0xf)
		family += eax >> 20 & 0xff;
	if (family == 6 || family >= 0xf)
		model |= (eax >> 16 & 0xf) << 4;
	return (struct core_identity){ .words = { arena_strdup(a, vendor),
						  arena_printf(a, "%u", family),
						  arena_printf(a, "%u", model),
						  arena_printf(a, "%u",
							       eax & 0xf) } };
}
