/* XuanTie C906 after reset: caches, branch prediction and prefetch are off.
 *
 * Registers and bits: "XuanTie C906 User Manual", appendix on the M-mode control
 * registers of the extension.  The values are those that D1 boards run with
 * (U-Boot and OpenSBI for the D1 set them), without instructions that only
 * U-mode needs. */
#include "target/fixup.h"

enum {
	/* mxstatus: the vendor's instructions and their cache operations,
	 * unaligned accesses. */
	THEADISAEE = 1 << 22,
	CLINTEE = 1 << 17,
	UCME = 1 << 16,
	MM = 1 << 15,
	/* mcor: both caches, invalidated; both predictors, too. */
	INVALIDATE = 0x70013,
	/* mhcr: both caches, write back and allocate, return stack, predictors
	 * of branches, targets and jumps. */
	ALL_ON = 0x11ff,
	/* mhint: prefetch of data and instructions, with the D1's distances. */
	PREFETCH = 0x6e30c,
};

static const char *caches_on(void)
{
	__asm__ volatile("csrs 0x7c0, %0" /* mxstatus */
			 :
			 : "r"(THEADISAEE | CLINTEE | UCME | MM));
	__asm__ volatile("csrw 0x7c2, %0" : : "r"(INVALIDATE)); /* mcor */
	__asm__ volatile("csrw 0x7c1, %0" : : "r"(ALL_ON));     /* mhcr */
	__asm__ volatile("csrw 0x7c5, %0" : : "r"(PREFETCH));   /* mhint */
	__asm__ volatile("fence.i" : : : "memory");
	return "caches-on";
}

static const char *const chips[] = { "thead,c906", NULL };

extern const struct fixup fixup_c906_rtl;
const struct fixup fixup_c906_rtl = {
	.chips = chips,
	.start = caches_on,
};
