/* Between which x86-64 forms forwarding may depend on who reads: additions,
 * products, their sums, integers, shuffles, logic, of each width.  All of them
 * leave doubles that are neither denormal nor made of halves of others. */
#include "host/isa/x86_64.h"

#define FORMS(suffix, fma)                                              \
	"VADDPD" suffix "rr@2>0", "VMULPD" suffix "rr@2>0",             \
		"VFMADD231PD" fma "@1>0", "VFMADD231PD" fma "@2>0",     \
		"VPADDD" suffix "rr@2>0", "VPADDQ" suffix "rr@2>0",     \
		"VPMULUDQ" suffix "rr@2>0", "VSHUFPD" suffix "rri@2>0", \
		"VPSLLD" suffix "ri@1>0", "VANDPD" suffix "rr@2>0"

const char *const x86_64_forwarding[] = {
	FORMS("", "r"), "VPANDrr@2>0",    FORMS("Y", "Yr"),
	"VPANDYrr@2>0", FORMS("Z", "Zr"), "VPANDQZrr@2>0",
	NULL,
};
