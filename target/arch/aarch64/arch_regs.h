/* What measure.S knows of the core.  Included by it and by arch.c. */
#ifndef ARCH_AARCH64_ARCH_REGS_H
#define ARCH_AARCH64_ARCH_REGS_H

/* arch_units: what this core has in addition to FP and Advanced SIMD, and
 * whether retired instructions can be read and count */
#define UNIT_SVE     1
#define UNIT_RETIRED 2
#define UNIT_SME     4

#endif
